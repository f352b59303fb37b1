package io.margay.servlet.engine;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.mapping.UrlPattern;
import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.HttpMethodConstraintElement;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The security constraints of one application (Servlet 6.1 §13.8), as the gate that closes what is
/// constrained while nobody authenticates. Filled by the starting thread; read by all afterwards.
///
/// The gate errs on the closed side: a resource is refused when any constraint that covers it asks
/// for a user, even where a more specific one would open it.
final class ConstraintSet {
    private final boolean denyUncovered;
    private final Set<String> declaredPatterns = new HashSet<>();
    private final List<Rule> rules = new ArrayList<>();

    /// One constraint on one collection.
    private record Rule(
            List<UrlPattern> patterns,
            Set<String> methods,
            Set<String> omitted,
            boolean needsUser,
            boolean needsSecure) {
        boolean coversPath(String path) {
            return patterns.stream().anyMatch(p -> p.covers(path));
        }

        boolean coversMethod(String method) {
            if (!methods.isEmpty()) {
                return methods.contains(method);
            }
            return !omitted.contains(method);
        }
    }

    ConstraintSet(List<SecurityConstraint> constraints, boolean denyUncovered) {
        this.denyUncovered = denyUncovered;
        for (SecurityConstraint constraint : constraints) {
            for (WebResourceCollection collection : constraint.collections()) {
                declaredPatterns.addAll(collection.urlPatterns());
                rules.add(
                        new Rule(
                                patterns(collection.urlPatterns()),
                                collection.methods(),
                                collection.omittedMethods(),
                                constraint.roles() != null,
                                !constraint.transportGuarantee().equals("NONE")));
            }
        }
    }

    private static List<UrlPattern> patterns(Iterable<String> texts) {
        List<UrlPattern> patterns = new ArrayList<>();
        texts.forEach(text -> patterns.add(UrlPattern.of(text)));
        return patterns;
    }

    /// Adds what `setServletSecurity` or `@ServletSecurity` demand; answers the patterns that a
    /// descriptor constrains already, which stay as they are.
    Set<String> add(ServletHolder servlet, ServletSecurityElement element) {
        Set<String> conflicts = new HashSet<>();
        List<String> open = new ArrayList<>();
        for (String pattern : servlet.getMappings()) {
            if (declaredPatterns.contains(pattern)) {
                conflicts.add(pattern);
            } else {
                open.add(pattern);
            }
        }
        List<UrlPattern> patterns = patterns(open);
        Set<String> named = new HashSet<>(element.getMethodNames());
        for (HttpMethodConstraintElement method : element.getHttpMethodConstraints()) {
            rules.add(rule(patterns, Set.of(method.getMethodName()), Set.of(), method));
        }
        rules.add(rule(patterns, Set.of(), named, element));
        return conflicts;
    }

    private static Rule rule(
            List<UrlPattern> patterns,
            Set<String> methods,
            Set<String> omitted,
            HttpConstraintElement element) {
        boolean needsUser =
                element.getRolesAllowed().length > 0
                        || element.getEmptyRoleSemantic() == EmptyRoleSemantic.DENY;
        boolean needsSecure = element.getTransportGuarantee() == TransportGuarantee.CONFIDENTIAL;
        return new Rule(patterns, methods, omitted, needsUser, needsSecure);
    }

    /// Whether a request that nobody can authenticate must be refused.
    boolean refuses(@Nullable String method, String path, boolean secure) {
        if (rules.isEmpty()) {
            return false;
        }
        boolean pathCovered = false;
        boolean methodCovered = false;
        for (Rule rule : rules) {
            if (!rule.coversPath(path)) {
                continue;
            }
            pathCovered = true;
            if (method == null || rule.coversMethod(method)) {
                methodCovered = true;
                if (rule.needsUser() || (rule.needsSecure() && !secure)) {
                    return true;
                }
            }
        }
        return denyUncovered && pathCovered && !methodCovered;
    }
}
