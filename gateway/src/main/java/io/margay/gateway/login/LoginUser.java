package io.margay.gateway.login;

import java.util.Locale;
import java.util.Set;

/// Somebody whose password was right. Immutable.
///
/// @param groups in lower case, where case does not count
/// @param exact whether case counts: it does for roles, and not in a file of groups, as in httpd
public record LoginUser(String name, Set<String> groups, boolean exact) {
    public LoginUser {
        groups = Set.copyOf(groups);
    }

    /// Whether the user is in a group.
    public boolean isIn(String group) {
        return groups.contains(exact ? group : group.toLowerCase(Locale.ROOT));
    }
}
