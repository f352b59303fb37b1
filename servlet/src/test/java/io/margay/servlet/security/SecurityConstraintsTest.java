package io.margay.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.test.ConstraintOracle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Which constraints apply, and what they ask together (Servlet 6.1 §13.8).
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
                all.add(ConstraintOracle.generated(random));
            }
            boolean deny = random.nextBoolean();
            SecurityConstraints constraints = new SecurityConstraints(all, deny, Set.of("p", "q"));
            for (String path : ConstraintOracle.PATHS) {
                for (String method : ConstraintOracle.METHODS) {
                    assertEquals(
                            ConstraintOracle.demand(all, deny, method, path),
                            constraints.demand(method, path),
                            () -> "seed " + seed + ": " + method + " " + path + " " + all);
                }
            }
        }
    }
}
