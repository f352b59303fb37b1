package io.margay.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Which constraints apply, and what they ask together (Servlet 6.1 §13.8).
final class SecurityConstraintsTest {
    private static final List<String> PATTERNS =
            List.of(
                    "", "/", "/*", "/a", "/a/*", "/a/b", "/a/b/*", "*.x", "*.y", "/a/b.x",
                    "/a.x/*");
    private static final List<String> PATHS =
            List.of("/", "/a", "/a/", "/a/b", "/a/b/c", "/a/b.x", "/a.x/b", "/c.x", "/c.y", "/ab");
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "odd");

    private static SecurityConstraint constraint(
            Set<String> roles,
            String transport,
            Set<String> methods,
            Set<String> omitted,
            String... patterns) {
        return new SecurityConstraint(
                List.of(new WebResourceCollection("c", List.of(patterns), methods, omitted)),
                roles,
                transport);
    }

    private static SecurityConstraint roles(Set<String> roles, String... patterns) {
        return constraint(roles, "NONE", Set.of(), Set.of(), patterns);
    }

    private static Demand demand(List<SecurityConstraint> all, String method, String path) {
        return new SecurityConstraints(all, false, Set.of("p", "q")).demand(method, path);
    }

    private static Demand asking(String... roles) {
        return new Demand(false, false, List.of(Set.of(roles)));
    }

    @Test
    void pattern_moreSpecific_takesThePlaceOfTheOther() {
        List<SecurityConstraint> all =
                List.of(
                        roles(Set.of("p"), "/*"),
                        roles(null, "/open/*"),
                        roles(Set.of("q"), "/open/in"));
        assertEquals(asking("p"), demand(all, "GET", "/x"));
        assertEquals(Demand.NONE, demand(all, "GET", "/open/x"));
        assertEquals(asking("q"), demand(all, "GET", "/open/in"));
    }

    @Test
    void methods_ofOneConstraint_leaveTheOthersUncovered() {
        List<SecurityConstraint> all =
                List.of(constraint(Set.of("p"), "NONE", Set.of("GET"), Set.of(), "/a"));
        assertEquals(Demand.NONE, demand(all, "POST", "/a"));
        SecurityConstraints denying = new SecurityConstraints(all, true, Set.of());
        assertEquals(Demand.DENIED, denying.demand("POST", "/a"));
        assertEquals(Demand.NONE, denying.demand("POST", "/b"));
    }

    @Test
    void constraints_ofOnePattern_areCombined() {
        SecurityConstraint p = roles(Set.of("p"), "/a");
        assertEquals(asking("p", "q"), demand(List.of(p, roles(Set.of("q"), "/a")), "GET", "/a"));
        assertEquals(Demand.NONE, demand(List.of(p, roles(null, "/a")), "GET", "/a"));
        SecurityConstraint nobody = roles(Set.of(), "/a");
        assertEquals(Demand.DENIED, demand(List.of(roles(null, "/a"), nobody), "GET", "/a"));
        assertEquals(asking("p", "q"), demand(List.of(roles(Set.of("*"), "/a")), "GET", "/a"));
    }

    @Test
    void transport_unprotectedOnce_isOpen() {
        SecurityConstraint tls = constraint(null, "CONFIDENTIAL", Set.of(), Set.of(), "/a");
        assertEquals(true, demand(List.of(tls), "GET", "/a").confidential());
        assertEquals(false, demand(List.of(tls, roles(null, "/a")), "GET", "/a").confidential());
    }

    @Test
    void anyCase_generated_agreesWithTheOracle() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int set = 0; set < 25_000; set++) {
            List<SecurityConstraint> all = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                all.add(generated(random));
            }
            boolean deny = random.nextBoolean();
            SecurityConstraints constraints = new SecurityConstraints(all, deny, Set.of("p", "q"));
            for (String path : PATHS) {
                for (String method : METHODS) {
                    assertEquals(
                            oracle(all, deny, method, path),
                            constraints.demand(method, path),
                            () -> "seed " + seed + ": " + method + " " + path + " " + all);
                }
            }
        }
    }

    private static SecurityConstraint generated(Random random) {
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
        return constraint(
                roles,
                random.nextBoolean() ? "NONE" : "CONFIDENTIAL",
                omit ? Set.of() : methods,
                omit ? methods : Set.of(),
                some(random, PATTERNS).toArray(String[]::new));
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
    private static Demand oracle(
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
            return Demand.NONE;
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
            return Demand.DENIED;
        }
        if (roles.remove("*")) {
            roles.addAll(Set.of("p", "q"));
        }
        return new Demand(false, covered && !plain, open || !covered ? List.of() : List.of(roles));
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
