package io.margay.servlet.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What the constraints ask of one request. Immutable.
///
/// @param denied nobody may
/// @param confidential only over TLS
/// @param roles of each of these sets the user must have one; empty = no user is needed
public record AccessRequirement(boolean denied, boolean confidential, List<Set<String>> roles) {
    /// In an `auth-constraint`: anybody who is logged in.
    static final String ANY_USER = "**";

    /// Asks nothing.
    public static final AccessRequirement NONE = new AccessRequirement(false, false, List.of());

    /// Nobody may, over no protocol.
    static final AccessRequirement DENIED = new AccessRequirement(true, false, List.of());

    public AccessRequirement {
        roles = List.copyOf(roles);
    }

    /// Whether a user must be logged in.
    public boolean needsUser() {
        return !roles.isEmpty();
    }

    /// Whether a user with these roles may.
    boolean allows(Set<String> held) {
        for (Set<String> wanted : roles) {
            if (!wanted.contains(ANY_USER) && !haveCommon(wanted, held)) {
                return false;
            }
        }
        return !denied;
    }

    private static boolean haveCommon(Set<String> wanted, Set<String> held) {
        for (String role : wanted) {
            if (held.contains(role)) {
                return true;
            }
        }
        return false;
    }

    /// Both.
    public AccessRequirement and(AccessRequirement other) {
        if (other.equals(this) || other.equals(NONE)) {
            return this;
        }
        List<Set<String>> all = new ArrayList<>(roles);
        all.addAll(other.roles);
        return new AccessRequirement(
                denied || other.denied, confidential || other.confidential, all);
    }
}
