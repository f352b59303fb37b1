package io.margay.servlet.session;

import org.jspecify.annotations.Nullable;

/// What a session remembers of logging in, where no code of the application can see or change it.
/// Immutable.
public interface SessionLogin {
    /// What of it is written with the session; null = nothing.
    @Nullable SavedLogin saved();

    /// The session remembers something else instead, or nothing.
    default void replacedBy(@Nullable SessionLogin next) {}

    /// What is left of it by now.
    ///
    /// @param nowNanos a value of `System.nanoTime()`
    default SessionLogin at(long nowNanos) {
        return this;
    }
}
