/// The engine of the container: one application's registrations, and the way of a request through
/// listeners, filters, servlets and dispatches (Servlet 6.1).
@NullMarked
package io.margay.servlet.engine;

import org.jspecify.annotations.NullMarked;
