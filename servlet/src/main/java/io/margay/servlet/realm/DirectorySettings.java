package io.margay.servlet.realm;

import io.margay.server.directory.DirectoryAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a directory is and how users and their roles are found in it. Immutable.
///
/// @param access how the directory is reached
/// @param users how an entry is found for a name
/// @param passwordAttribute compared by us; null = the directory is asked to log the user in
/// @param roles how roles are found
public record DirectorySettings(
        DirectoryAccess access,
        Users users,
        @Nullable String passwordAttribute,
        CredentialHandler credentials,
        Roles roles) {

    /// How the entry of a user is found: by patterns, or else by a search.
    ///
    /// @param patterns of distinguished names, with `{0}` for the name, tried in order
    /// @param filter with `{0}` for the name
    public record Users(
            List<String> patterns, String base, @Nullable String filter, boolean subtree) {
        public Users {
            patterns = List.copyOf(patterns);
            if (patterns.isEmpty() && filter == null) {
                throw new IllegalArgumentException(
                        "users are found by a pattern or by a search, and neither is given");
            }
        }
    }

    /// How roles are found.
    ///
    /// @param userAttribute of the user's entry, whose values are roles; null = none
    /// @param filter with `{0}` for the distinguished name of the user and `{1}` for the name; null
    ///   = no search
    /// @param nameAttribute of an entry found, whose values are roles
    /// @param nested whether roles that have a role as a member count
    /// @param common a role of every user; null = none
    public record Roles(
            @Nullable String userAttribute,
            String base,
            @Nullable String filter,
            @Nullable String nameAttribute,
            boolean subtree,
            boolean nested,
            @Nullable String common) {}
}
