package io.margay.servlet.security;

import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody a [Realm] knows. Immutable.
///
/// @param shown to applications in place of this; null = this
public record User(String name, Set<String> roles, @Nullable Principal shown) implements Principal {
    public User {
        roles = Set.copyOf(roles);
    }

    /// Somebody of whom applications see name and roles.
    public User(String name, Set<String> roles) {
        this(name, roles, null);
    }

    /// What applications see.
    Principal principal() {
        return shown == null ? this : shown;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
