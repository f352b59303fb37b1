package io.margay.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.test.ConstraintOracle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which constraints apply, and what they ask together (Servlet 6.1 §13.8).
@Tag("slow")
final class SecurityConstraintsTest {
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

    private static AccessRequirement requirement(
            List<SecurityConstraint> all, String method, String path) {
        return new SecurityConstraints(all, false, Set.of("p", "q")).requirement(method, path);
    }

    private static AccessRequirement asking(String... roles) {
        return new AccessRequirement(false, false, List.of(Set.of(roles)));
    }

    @Test
    void pattern_moreSpecific_takesThePlaceOfTheOther() {
        List<SecurityConstraint> all =
                List.of(
                        roles(Set.of("p"), "/*"),
                        roles(null, "/open/*"),
                        roles(Set.of("q"), "/open/in"));
        assertEquals(asking("p"), requirement(all, "GET", "/x"));
        assertEquals(AccessRequirement.NONE, requirement(all, "GET", "/open/x"));
        assertEquals(asking("q"), requirement(all, "GET", "/open/in"));
    }

    @Test
    void uncoveredMethods_areNamedByPattern() {
        Set<String> none = Set.of();
        Set<String> p = Set.of("p");
        List<SecurityConstraint> all =
                List.of(
                        constraint(p, "NONE", Set.of("GET", "HEAD"), none, "/some/*"),
                        constraint(p, "NONE", none, Set.of("PUT", "POST"), "*.x"),
                        constraint(p, "NONE", Set.of("PUT"), none, "*.x"),
                        constraint(p, "NONE", Set.of("GET"), none, "/whole"),
                        constraint(none, "NONE", none, Set.of("GET"), "/whole"),
                        constraint(p, "NONE", none, none, "/"));
        assertEquals(
                List.of("*.x: POST", "/some/*: all but GET, HEAD"),
                new SecurityConstraints(all, false, none).uncovered());
    }

    @Test
    void uncoveredMethods_ofManyPatterns_areCutShort() {
        List<SecurityConstraint> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(constraint(Set.of(), "NONE", Set.of("GET"), Set.of(), "/" + i));
        }
        List<String> told = new SecurityConstraints(all, false, Set.of()).uncovered();
        assertEquals(21, told.size());
        assertEquals("and 10 more patterns", told.getLast());
    }

    @Test
    void methods_ofOneConstraint_leaveTheOthersUncovered() {
        List<SecurityConstraint> all =
                List.of(constraint(Set.of("p"), "NONE", Set.of("GET"), Set.of(), "/a"));
        assertEquals(AccessRequirement.NONE, requirement(all, "POST", "/a"));
        SecurityConstraints denying = new SecurityConstraints(all, true, Set.of());
        assertEquals(AccessRequirement.DENIED, denying.requirement("POST", "/a"));
        assertEquals(AccessRequirement.NONE, denying.requirement("POST", "/b"));
    }

    /// Each collection for the extension counts for its own methods, whichever came last.
    @Test
    void methods_ofSeveralCollectionsForOneExtension_areAllHeldTo_cve2026_43515() {
        Set<String> none = Set.of();
        SecurityConstraint get = constraint(Set.of("p"), "NONE", Set.of("GET"), none, "*.do");
        SecurityConstraint post = constraint(Set.of("q"), "NONE", Set.of("POST"), none, "*.do");
        SecurityConstraint rest = constraint(none, "NONE", none, Set.of("GET", "POST"), "*.do");
        for (List<SecurityConstraint> all :
                List.of(List.of(get, post, rest), List.of(rest, post, get))) {
            assertEquals(asking("p"), requirement(all, "GET", "/a/x.do"));
            assertEquals(asking("q"), requirement(all, "POST", "/a/x.do"));
            assertEquals(AccessRequirement.DENIED, requirement(all, "PUT", "/a/x.do"));
            assertEquals(AccessRequirement.DENIED, requirement(all, "get", "/a/x.do"));
        }
        SecurityConstraint two =
                new SecurityConstraint(
                        List.of(
                                new WebResourceCollection(
                                        "a", List.of("*.do"), Set.of("GET"), none),
                                new WebResourceCollection(
                                        "b", List.of("*.do"), Set.of("POST"), none)),
                        Set.of("p"),
                        "NONE");
        assertEquals(asking("p"), requirement(List.of(two), "GET", "/x.do"));
        assertEquals(asking("p"), requirement(List.of(two), "POST", "/x.do"));
    }

    @Test
    void methods_ofTheDefaultPattern_areHeldTo_cve2026_55956() {
        Set<String> none = Set.of();
        List<SecurityConstraint> all =
                List.of(
                        constraint(Set.of("p"), "NONE", Set.of("PUT", "DELETE"), none, "/"),
                        constraint(none, "NONE", Set.of("TRACE"), none, "/"));
        for (String path : List.of("/", "/x", "/a/b.txt", "/a/")) {
            assertEquals(asking("p"), requirement(all, "PUT", path));
            assertEquals(asking("p"), requirement(all, "DELETE", path));
            assertEquals(AccessRequirement.DENIED, requirement(all, "TRACE", path));
            assertEquals(AccessRequirement.NONE, requirement(all, "GET", path));
        }
    }

    @Test
    void constraints_ofOnePattern_areCombined() {
        SecurityConstraint p = roles(Set.of("p"), "/a");
        assertEquals(
                asking("p", "q"), requirement(List.of(p, roles(Set.of("q"), "/a")), "GET", "/a"));
        assertEquals(
                AccessRequirement.NONE, requirement(List.of(p, roles(null, "/a")), "GET", "/a"));
        SecurityConstraint nobody = roles(Set.of(), "/a");
        assertEquals(
                AccessRequirement.DENIED,
                requirement(List.of(roles(null, "/a"), nobody), "GET", "/a"));
        assertEquals(asking("p", "q"), requirement(List.of(roles(Set.of("*"), "/a")), "GET", "/a"));
    }

    @Test
    void transport_unprotectedOnce_isOpen() {
        SecurityConstraint tls = constraint(null, "CONFIDENTIAL", Set.of(), Set.of(), "/a");
        assertEquals(true, requirement(List.of(tls), "GET", "/a").confidential());
        assertEquals(
                false, requirement(List.of(tls, roles(null, "/a")), "GET", "/a").confidential());
    }

    @Test
    void anyCase_generated_agreesWithTheOracle() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int set = 0; set < 25_000; set++) {
            List<SecurityConstraint> all = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                all.add(ConstraintOracle.generated(random));
            }
            boolean deny = random.nextBoolean();
            SecurityConstraints constraints = new SecurityConstraints(all, deny, Set.of("p", "q"));
            for (String path : ConstraintOracle.PATHS) {
                for (String method : ConstraintOracle.METHODS) {
                    assertEquals(
                            ConstraintOracle.requirement(all, deny, method, path),
                            constraints.requirement(method, path),
                            () -> "seed " + seed + ": " + method + " " + path + " " + all);
                }
            }
        }
    }
}
