/// Static resources of an application: the default servlet (Servlet 6.1 §12.2).
@NullMarked
package io.margay.servlet.files;

import org.jspecify.annotations.NullMarked;
