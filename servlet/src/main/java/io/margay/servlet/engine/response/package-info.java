/// The response of one exchange (Servlet 6.1 §5): head, buffer, stream and writer.
@NullMarked
package io.margay.servlet.engine.response;

import org.jspecify.annotations.NullMarked;
