package io.margay.server.files;

import org.jspecify.annotations.Nullable;

/// Where files come from. Thread-safe.
@FunctionalInterface
public interface FileSource {
    /// The regular file at a canonical path that begins with `/`, looked for now; null for a folder
    /// and for nothing.
    @Nullable StoredFile find(String path);
}
