package io.margay.servlet.realm;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a directory is and how users and their roles are found in it. Immutable.
///
/// @param urls of the same directory, tried in order, such as `ldaps://directory.example`
/// @param startTls whether TLS begins after connecting, on an `ldap:` URL
/// @param bindName who searches; null = nobody in particular
/// @param users how an entry is found for a name
/// @param passwordAttribute compared by us; null = the directory is asked to log the user in
/// @param roles how roles are found
public record DirectorySettings(
        List<String> urls,
        boolean startTls,
        @Nullable String bindName,
        @Nullable String bindPassword,
        Users users,
        @Nullable String passwordAttribute,
        CredentialHandler credentials,
        Roles roles,
        Duration connectTimeout,
        Duration readTimeout) {

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

    /// 5 s to connect, and for each answer.
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    public DirectorySettings {
        urls = List.copyOf(urls);
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a directory needs a URL");
        }
        for (String url : urls) {
            if (!url.startsWith("ldap://") && !url.startsWith("ldaps://")) {
                throw new IllegalArgumentException(url + " must begin with ldap:// or ldaps://");
            }
        }
        if (!connectTimeout.isPositive() || !readTimeout.isPositive()) {
            throw new IllegalArgumentException("timeouts must be positive");
        }
    }

    /// Without the password.
    @Override
    public String toString() {
        return "DirectorySettings[" + urls + ", " + bindName + ", " + users + ", " + roles + "]";
    }
}
