/// The life of servlets, filters, listeners and tag handlers as Jakarta Annotations describes it
/// (Servlet 6.1 §15.5).
@NullMarked
package io.margay.servlet.inject;

import org.jspecify.annotations.NullMarked;
