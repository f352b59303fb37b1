package io.margay.gateway.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one section says of who may ask, or several that were merged. Immutable.
///
/// @param required null where the section has no `Require`
/// @param merging what becomes of the requirement of the sections before
/// @param ordered null where the section has nothing of httpd 2.2
/// @param methods the only ones that are served; empty = all, null where the section says nothing
/// @param tlsOnly whether what does not come by TLS is refused
/// @param redirects of the section, asked once the client is let in
public record AccessRules(
        @Nullable Requirement required,
        Merging merging,
        @Nullable OrderedAccess ordered,
        @Nullable Set<String> methods,
        boolean tlsOnly,
        SectionRedirects redirects) {
    /// Of a section that says nothing.
    public static final AccessRules NONE =
            new AccessRules(null, Merging.UNSET, null, null, false, SectionRedirects.NONE);

    /// What becomes of the requirement of the sections before.
    public enum Merging {
        /// It goes when this section has one.
        UNSET,

        /// It goes.
        OFF,

        /// It must be met, too.
        AND,

        /// It is enough to meet one.
        OR
    }

    public AccessRules {
        methods = methods == null ? null : Set.copyOf(methods);
    }

    /// What holds where a later section is about the same request.
    AccessRules then(AccessRules later) {
        return new AccessRules(
                merged(later),
                Merging.UNSET,
                later.ordered != null ? later.ordered : ordered,
                later.methods != null ? later.methods : methods,
                tlsOnly || later.tlsOnly,
                redirects.then(later.redirects));
    }

    private @Nullable Requirement merged(AccessRules later) {
        Requirement other = later.required;
        return switch (later.merging) {
            case UNSET -> other != null ? other : required;
            case OFF -> other;
            case AND, OR -> {
                if (required == null || other == null) {
                    yield other != null ? other : required;
                }
                yield Requirement.both(later.merging == Merging.AND, required, other);
            }
        };
    }

    /// The status with which a request is refused, or 0.
    int refusal(AccessRequest request) {
        Set<String> served = methods;
        boolean isServed = served == null || served.isEmpty() || served.contains(request.method());
        OrderedAccess by22 = ordered;
        boolean admitted = isServed && (by22 == null || by22.admits(request));
        boolean granted = required == null || required.grants(request);
        boolean enough = by22 != null && by22.isEnough(request.method());
        if (tlsOnly && !request.request().scheme().equals("https")) {
            return isServed || enough ? 403 : 405;
        }
        if (enough ? admitted || granted : admitted && granted) {
            return 0;
        }
        return isServed || enough ? 403 : 405;
    }
}
