/// What an application registers (Servlet 6.1 §4.4, §8): servlets, filters, listeners, error pages,
/// and what they need while the application lives. Knows nothing of requests.
@NullMarked
package io.margay.servlet.engine.registration;

import org.jspecify.annotations.NullMarked;
