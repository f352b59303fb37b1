package io.margay.servlet.test;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.security.AccessRequirement;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Security constraints by chance, and what they ask, told by the words of Servlet 6.1 §13.8 and
/// with no thought of speed. The application's roles are `p` and `q`.
public final class ConstraintOracle {
    private static final List<String> PATTERNS =
            List.of(
                    "", "/", "/*", "/a", "/a/*", "/a/b", "/a/b/*", "*.x", "*.y", "/a/b.x",
                    "/a.x/*");

    /// To ask for.
    public static final List<String> PATHS =
            List.of("/", "/a", "/a/", "/a/b", "/a/b/c", "/a/b.x", "/a.x/b", "/c.x", "/c.y", "/ab");

    /// To ask by.
    public static final List<String> METHODS = List.of("GET", "POST", "PUT", "odd");

    private ConstraintOracle() {}

    /// A constraint by chance.
    public static SecurityConstraint generated(Random random) {
        Set<String> roles =
                switch (random.nextInt(5)) {
                    case 0 -> null;
                    case 1 -> Set.of();
                    case 2 -> Set.of("p");
                    case 3 -> Set.of("q", "r");
                    default -> Set.of("*");
                };
        Set<String> methods = some(random, METHODS);
        boolean omit = random.nextBoolean();
        WebResourceCollection collection =
                new WebResourceCollection(
                        "c",
                        List.copyOf(some(random, PATTERNS)),
                        omit ? Set.of() : methods,
                        omit ? methods : Set.of());
        return new SecurityConstraint(
                List.of(collection), roles, random.nextBoolean() ? "NONE" : "CONFIDENTIAL");
    }

    private static Set<String> some(Random random, List<String> from) {
        Set<String> chosen = new HashSet<>();
        for (String each : from) {
            if (random.nextInt(4) == 0) {
                chosen.add(each);
            }
        }
        return chosen;
    }

    /// The specification word by word, with no thought of speed.
    public static AccessRequirement requirement(
            List<SecurityConstraint> all, boolean deny, String method, String path) {
        String best = null;
        for (SecurityConstraint constraint : all) {
            for (WebResourceCollection collection : constraint.collections()) {
                for (String pattern : collection.urlPatterns()) {
                    if (rank(pattern, path) > (best == null ? 0 : rank(best, path))) {
                        best = pattern;
                    }
                }
            }
        }
        if (best == null) {
            return AccessRequirement.NONE;
        }
        boolean covered = false;
        boolean open = false;
        boolean denied = false;
        boolean plain = false;
        Set<String> roles = new HashSet<>();
        for (SecurityConstraint constraint : all) {
            WebResourceCollection collection = constraint.collections().getFirst();
            boolean named =
                    collection.methods().isEmpty()
                            ? !collection.omittedMethods().contains(method)
                            : collection.methods().contains(method);
            if (!collection.urlPatterns().contains(best) || !named) {
                continue;
            }
            covered = true;
            plain |= constraint.transportGuarantee().equals("NONE");
            open |= constraint.roles() == null;
            denied |= constraint.roles() != null && constraint.roles().isEmpty();
            roles.addAll(constraint.roles() == null ? Set.of() : constraint.roles());
        }
        if (denied || (!covered && deny)) {
            return new AccessRequirement(true, false, List.of());
        }
        if (roles.remove("*")) {
            roles.addAll(Set.of("p", "q"));
        }
        return new AccessRequirement(
                false, covered && !plain, open || !covered ? List.of() : List.of(roles));
    }

    /// How well a pattern matches; 0 = not.
    private static int rank(String pattern, String path) {
        if (pattern.equals(path) && !pattern.equals("/")) {
            return 1000;
        }
        if (pattern.isEmpty()) {
            return path.equals("/") ? 1000 : 0;
        }
        if (pattern.equals("/")) {
            return 1;
        }
        if (pattern.endsWith("/*")) {
            String folder = pattern.substring(0, pattern.length() - 1);
            return (path + "/").startsWith(folder) ? 100 + folder.length() : 0;
        }
        return pattern.startsWith("*.") && path.endsWith(pattern.substring(1)) ? 10 : 0;
    }
}
