/// Web applications, as an embedding server runs them (Servlet 6.1).
@NullMarked
package io.margay.servlet;

import org.jspecify.annotations.NullMarked;
