package io.margay.servlet.security;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Tells of constraints that let nobody in, since no user has a role that they ask for. Stateless.
public final class MissingRoles {
    private MissingRoles() {}

    /// A line for each of them.
    ///
    /// @param realm null = there are no users
    public static List<String> of(@Nullable Realm realm, WebAppDescriptor descriptor) {
        List<String> lines = new ArrayList<>();
        Set<String> known = realm == null ? Set.of() : realm.roles();
        for (SecurityConstraint constraint : descriptor.security().constraints()) {
            Set<String> asked = constraint.roles();
            if (asked == null || asked.isEmpty()) {
                continue; // Nobody is to be let in, or everybody.
            }
            if (realm == null) {
                return List.of(
                        "it admits only users with a role, and there are no users: name them by"
                                + " deploy: {users: FILE}, or by realms");
            }
            String way =
                    descriptor.security().login() == null
                            ? null
                            : descriptor.security().login().method();
            if (way != null && !realm.logsInBy(way)) {
                return List.of(
                        "nobody with a role can log in: the realm does not support "
                                + way
                                + "; write BASIC or FORM into login-config");
            }
            Set<String> wanted = new TreeSet<>(asked);
            if (wanted.remove("*")) {
                wanted.addAll(descriptor.security().roles());
            }
            boolean anyone = wanted.contains("**");
            if (known != null && !anyone && wanted.stream().noneMatch(known::contains)) {
                lines.add(
                        "nobody is allowed at "
                                + patterns(constraint)
                                + ": no user has the role "
                                + String.join(" or ", wanted));
            }
        }
        return lines;
    }

    private static String patterns(SecurityConstraint constraint) {
        Set<String> all = new TreeSet<>();
        for (WebResourceCollection collection : constraint.collections()) {
            all.addAll(collection.urlPatterns());
        }
        return String.join(", ", all);
    }
}
