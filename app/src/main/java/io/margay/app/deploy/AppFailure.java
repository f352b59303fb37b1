package io.margay.app.deploy;

import org.jspecify.annotations.Nullable;

/// Why something is not served. Immutable.
///
/// @param key the application, or null when it has not come so far
/// @param text a line for the user, with the cause
public record AppFailure(RunningApp.@Nullable Key key, String text) {
    @Override
    public String toString() {
        return text;
    }
}
