/// The way of a request to a servlet (Servlet 6.1 §6, §9, §10.9): access check, filters,
/// dispatches, error pages.
@NullMarked
package io.margay.servlet.engine.dispatch;

import org.jspecify.annotations.NullMarked;
