package io.margay.servlet.security;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.mapping.UrlPattern;
import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.HttpMethodConstraintElement;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The security constraints of one application (Servlet 6.1 §13.8). Filled by the starting thread;
/// read by all afterwards.
///
/// ```
/// path ──► the one pattern that matches best, in the order of servlet mappings
///      ──► its rules that speak of the method:
///            none                        open, or denied when uncovered methods are
///            one names an empty list     denied
///            one names no roles          open to all
///            else                        the roles of all of them together
/// ```
public final class SecurityConstraints {
    private final boolean denyUncovered;
    private final Set<String> applicationRoles;
    private final Set<String> declaredPatterns = new HashSet<>();
    private final Map<String, Rules> exact = new HashMap<>();
    private final Map<String, Rules> prefixes = new HashMap<>();
    private final Map<String, Rules> extensions = new HashMap<>();
    private final Rules others = new Rules();
    private boolean empty = true;

    /// Methods whose requirements are kept; those that clients may invent are not.
    private static final Set<String> USUAL =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

    /// Patterns with uncovered methods that are told.
    private static final int TOLD_MAX = 20;

    /// What all constraints say of one pattern.
    private static final class Rules {
        final List<Rule> all = new ArrayList<>();

        /// What they come to, by method.
        final Map<String, Known> known = new ConcurrentHashMap<>();

        void add(Rule rule) {
            all.add(rule);
            known.clear();
        }
    }

    /// @param roles number of the application's roles that it was made with; these never shrink
    private record Known(AccessRequirement requirement, int roles) {}

    /// What one constraint says of one pattern.
    ///
    /// @param roles null = nobody need log in; empty = nobody may
    private record Rule(
            Set<String> methods,
            Set<String> omitted,
            @Nullable Set<String> roles,
            boolean confidential) {
        boolean covers(@Nullable String method) {
            if (method == null) {
                return true;
            }
            return methods.isEmpty() ? !omitted.contains(method) : methods.contains(method);
        }
    }

    /// @param applicationRoles what `*` stands for; may grow while the application starts
    public SecurityConstraints(
            List<SecurityConstraint> constraints,
            boolean denyUncovered,
            Set<String> applicationRoles) {
        this.denyUncovered = denyUncovered;
        this.applicationRoles = applicationRoles;
        for (SecurityConstraint constraint : constraints) {
            boolean confidential = !constraint.transportGuarantee().equals("NONE");
            for (WebResourceCollection collection : constraint.collections()) {
                declaredPatterns.addAll(collection.urlPatterns());
                put(
                        collection.urlPatterns(),
                        new Rule(
                                collection.methods(),
                                collection.omittedMethods(),
                                constraint.roles(),
                                confidential));
            }
        }
    }

    /// Adds what `setServletSecurity` or `@ServletSecurity` demand of a servlet's mappings; answers
    /// the patterns that a descriptor constrains already, which stay as they are.
    public Set<String> add(Collection<String> mappings, ServletSecurityElement element) {
        Set<String> conflicts = new HashSet<>();
        List<String> free = new ArrayList<>();
        for (String pattern : mappings) {
            if (declaredPatterns.contains(pattern)) {
                conflicts.add(pattern);
            } else {
                free.add(pattern);
            }
        }
        for (HttpMethodConstraintElement method : element.getHttpMethodConstraints()) {
            put(free, rule(Set.of(method.getMethodName()), Set.of(), method));
        }
        if (!isDefault(element)) {
            put(free, rule(Set.of(), new HashSet<>(element.getMethodNames()), element));
        }
        return conflicts;
    }

    private static boolean isDefault(HttpConstraintElement element) {
        return element.getRolesAllowed().length == 0
                && element.getEmptyRoleSemantic() == EmptyRoleSemantic.PERMIT
                && element.getTransportGuarantee() == TransportGuarantee.NONE;
    }

    private static Rule rule(
            Set<String> methods, Set<String> omitted, HttpConstraintElement element) {
        boolean open =
                element.getRolesAllowed().length == 0
                        && element.getEmptyRoleSemantic() == EmptyRoleSemantic.PERMIT;
        return new Rule(
                methods,
                omitted,
                open ? null : Set.of(element.getRolesAllowed()),
                element.getTransportGuarantee() == TransportGuarantee.CONFIDENTIAL);
    }

    private void put(Collection<String> patterns, Rule rule) {
        for (String text : patterns) {
            UrlPattern pattern = UrlPattern.of(text);
            rules(pattern).add(rule);
            empty = false;
        }
    }

    private Rules rules(UrlPattern pattern) {
        return switch (pattern.kind()) {
            case EXACT, CONTEXT_ROOT -> exact.computeIfAbsent(pattern.key(), key -> new Rules());
            case PATH -> prefixes.computeIfAbsent(pattern.key(), key -> new Rules());
            case EXTENSION -> extensions.computeIfAbsent(pattern.key(), key -> new Rules());
            case DEFAULT -> others;
        };
    }

    /// What is asked of a request.
    ///
    /// @param method null = any
    /// @param path canonical, within the context
    public AccessRequirement requirement(@Nullable String method, String path) {
        if (empty) {
            return AccessRequirement.NONE;
        }
        Rules best = best(path);
        if (best.all.isEmpty()) {
            return AccessRequirement.NONE;
        }
        if (method == null || !USUAL.contains(method)) {
            return requirement(method, best.all);
        }
        int roles = applicationRoles.size();
        Known known = best.known.get(method);
        if (known == null || known.roles != roles) {
            known = new Known(requirement(method, best.all), roles);
            best.known.put(method, known);
        }
        return known.requirement;
    }

    private AccessRequirement requirement(@Nullable String method, List<Rule> best) {
        List<Rule> rules = best.stream().filter(rule -> rule.covers(method)).toList();
        if (rules.isEmpty()) {
            return denyUncovered ? AccessRequirement.DENIED : AccessRequirement.NONE;
        }
        return combined(rules);
    }

    private AccessRequirement combined(List<Rule> rules) {
        boolean confidential = true;
        boolean open = false;
        Set<String> roles = new HashSet<>();
        for (Rule rule : rules) {
            confidential &= rule.confidential();
            Set<String> named = rule.roles();
            if (named == null) {
                open = true;
            } else if (named.isEmpty()) {
                return AccessRequirement.DENIED;
            } else {
                roles.addAll(named);
            }
        }
        if (roles.remove("*")) {
            roles.addAll(applicationRoles);
        }
        return new AccessRequirement(
                false, confidential, open ? List.of() : List.of(Set.copyOf(roles)));
    }

    /// HTTP methods that no constraint covers though others of the same pattern are covered
    /// (Servlet 6.1 §13.8.4.2), such as `/a/*: all but GET, POST`; at most 20 patterns.
    public List<String> uncovered() {
        Map<String, Rules> all = new TreeMap<>();
        exact.forEach(all::put);
        prefixes.forEach((key, rules) -> all.put(key + "/*", rules));
        extensions.forEach((key, rules) -> all.put("*." + key, rules));
        all.put("/", others);
        List<String> found = new ArrayList<>();
        all.forEach((pattern, rules) -> {
            String methods = uncovered(rules.all);
            if (!methods.isEmpty()) {
                found.add(pattern + ": " + methods);
            }
        });
        if (found.size() > TOLD_MAX) {
            String rest = "and " + (found.size() - TOLD_MAX) + " more patterns";
            found.subList(TOLD_MAX, found.size()).clear();
            found.add(rest);
        }
        return found;
    }

    private static String uncovered(List<Rule> rules) {
        Set<String> covered = new TreeSet<>();
        Set<String> omitted = new TreeSet<>(); // By every constraint that covers all but some.
        boolean allButSome = false;
        for (Rule rule : rules) {
            covered.addAll(rule.methods());
            if (rule.methods().isEmpty() && allButSome) {
                omitted.retainAll(rule.omitted());
            } else if (rule.methods().isEmpty()) {
                omitted.addAll(rule.omitted());
                allButSome = true;
            }
        }
        if (!allButSome) {
            return covered.isEmpty() ? "" : "all but " + String.join(", ", covered);
        }
        omitted.removeAll(covered);
        return String.join(", ", omitted);
    }

    private Rules best(String path) {
        Rules found = exact.get(path.isEmpty() ? "/" : path);
        if (found != null) {
            return found;
        }
        int end = path.length();
        while (end >= 0 && !prefixes.isEmpty()) {
            found = prefixes.get(path.substring(0, end));
            if (found != null) {
                return found;
            }
            end = path.lastIndexOf('/', end - 1);
        }
        int period = path.lastIndexOf('.');
        if (period > path.lastIndexOf('/')) {
            found = extensions.get(path.substring(period + 1));
        }
        return found != null ? found : others;
    }
}
