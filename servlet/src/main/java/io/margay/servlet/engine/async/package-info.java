/// What goes on after the first call of the servlet has returned: asynchronous processing (Servlet
/// 6.1 §2.3.3.3) and connections that an application takes over.
@NullMarked
package io.margay.servlet.engine.async;

import org.jspecify.annotations.NullMarked;
