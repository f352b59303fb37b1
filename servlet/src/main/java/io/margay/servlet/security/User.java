package io.margay.servlet.security;

import java.security.Principal;
import java.util.Set;

/// Somebody a [Realm] knows. Immutable.
public record User(String name, Set<String> roles) implements Principal {
    public User {
        roles = Set.copyOf(roles);
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
