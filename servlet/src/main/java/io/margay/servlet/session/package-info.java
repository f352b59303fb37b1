/// HTTP sessions: their store, their identifiers, and how they outlive a restart (Servlet 6.1 §7).
@NullMarked
package io.margay.servlet.session;

import org.jspecify.annotations.NullMarked;
