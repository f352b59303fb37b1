package io.margay.gateway.access;

import io.margay.gateway.config.UpstreamConfig;
import org.jspecify.annotations.Nullable;

/// Finds what files such as `.htaccess` say of the folders in which they lie. Thread-safe; asked on
/// loop threads.
@FunctionalInterface
public interface FolderRules {
    /// No folder has such a file.
    FolderRules NONE = (_, _) -> null;

    /// What the file in a folder says, or null.
    ///
    /// @param allowed what may stand in it
    @Nullable FolderFile of(String folder, FolderOverrides allowed);

    /// The upstream to which rules in such files pass requests on; null = there is none.
    default @Nullable UpstreamConfig peer(String name) {
        return null;
    }
}
