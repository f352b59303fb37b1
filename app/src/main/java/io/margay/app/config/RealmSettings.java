package io.margay.app.config;

import io.margay.servlet.realm.DirectorySettings;
import org.jspecify.annotations.Nullable;

/// Where users are kept besides a file. Immutable.
public sealed interface RealmSettings {
    /// In tables of a data source.
    ///
    /// @param resource name of the data source
    /// @param roleQuery null = users have no roles
    record Database(String resource, String passwordQuery, @Nullable String roleQuery)
            implements RealmSettings {}

    /// In a directory.
    record Directory(DirectorySettings settings) implements RealmSettings {}
}
