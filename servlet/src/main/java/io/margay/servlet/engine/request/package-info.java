/// The request of one exchange (Servlet 6.1 §3): what the client sent, where it is going, its
/// content, session and user.
@NullMarked
package io.margay.servlet.engine.request;

import org.jspecify.annotations.NullMarked;
