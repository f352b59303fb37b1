package io.margay.app.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where sessions live: in memory, and over a restart in files. Immutable.
///
/// @param folder where they are kept over a restart, or null for `sessions` in the work folder
public record SessionSettings(@Nullable Path folder) {
    /// Kept over a restart in the work folder.
    public static SessionSettings defaults() {
        return new SessionSettings(null);
    }
}
