package io.margay.servlet.session;

import org.jspecify.annotations.Nullable;

/// What a session remembers of logging in, where no code of the application can see or change it.
/// Immutable.
public interface SessionLogin {
    /// What of it is written with the session; null = nothing.
    @Nullable SavedLogin saved();
}
