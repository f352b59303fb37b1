package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.Declarations.Servlet;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.xml.Origin;
import jakarta.servlet.MultipartConfigElement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jspecify.annotations.Nullable;

/// What the class of a declared servlet adds to its declaration: `@MultipartConfig`, `@RunAs` and
/// `@ServletSecurity` (Servlet 6.1 §8.1, §13.4). The declaration itself goes first. Stateless.
final class ClassAnnotations {
    private static final DotName MULTIPART =
            DotName.createSimple("jakarta.servlet.annotation.MultipartConfig");
    private static final DotName SECURITY =
            DotName.createSimple("jakarta.servlet.annotation.ServletSecurity");
    private static final DotName RUN_AS = DotName.createSimple("jakarta.annotation.security.RunAs");

    private ClassAnnotations() {}

    static void apply(Declarations merged, AnnotatedClasses classes) {
        Set<String> constrained = new LinkedHashSet<>();
        for (SecurityConstraint constraint : merged.constraints) {
            constraint.collections().forEach(c -> constrained.addAll(c.urlPatterns()));
        }
        for (Servlet servlet : merged.servlets.values()) {
            Said<String> className = servlet.className;
            ClassInfo type = className == null ? null : classes.find(className.value());
            if (type == null) {
                continue;
            }
            Origin origin = new Origin(String.valueOf(type.name()), 0, 0, "@MultipartConfig");
            AnnotationInstance multipart = type.declaredAnnotation(MULTIPART);
            if (multipart != null && servlet.multipart == null) {
                servlet.multipart = new Said<>(multipart(multipart), origin);
            }
            AnnotationInstance runAs = type.declaredAnnotation(RUN_AS);
            if (runAs != null && servlet.runAs == null) {
                servlet.runAs = new Said<>(runAs.value().asString(), origin);
            }
            AnnotationInstance security = inherited(type, classes);
            if (security != null) {
                List<String> patterns = new ArrayList<>();
                for (Declarations.ServletMapping mapping : merged.servletMappings) {
                    if (mapping.servlet().equals(servlet.name)
                            && !constrained.contains(mapping.pattern())) {
                        patterns.add(mapping.pattern());
                    }
                }
                if (!patterns.isEmpty()) {
                    constraints(security, patterns, merged);
                }
            }
        }
    }

    /// `@ServletSecurity` is inherited.
    private static @Nullable AnnotationInstance inherited(
            ClassInfo type, AnnotatedClasses classes) {
        ClassInfo at = type;
        while (at != null) {
            AnnotationInstance found = at.declaredAnnotation(SECURITY);
            if (found != null) {
                return found;
            }
            at = classes.superClass(at);
        }
        return null;
    }

    private static MultipartConfigElement multipart(AnnotationInstance instance) {
        AnnotationValue location = instance.value("location");
        AnnotationValue file = instance.value("maxFileSize");
        AnnotationValue request = instance.value("maxRequestSize");
        AnnotationValue threshold = instance.value("fileSizeThreshold");
        return new MultipartConfigElement(
                location == null ? "" : location.asString(),
                file == null ? -1 : file.asLong(),
                request == null ? -1 : request.asLong(),
                threshold == null ? 0 : threshold.asInt());
    }

    private static void constraints(
            AnnotationInstance security, List<String> patterns, Declarations merged) {
        Set<String> named = new LinkedHashSet<>();
        AnnotationValue methods = security.value("httpMethodConstraints");
        if (methods != null) {
            for (AnnotationInstance method : methods.asNestedArray()) {
                String name = method.value().asString();
                named.add(name);
                add(method, "emptyRoleSemantic", patterns, Set.of(name), Set.of(), merged);
            }
        }
        AnnotationValue general = security.value();
        if (general != null && !isDefault(general.asNested())) {
            add(general.asNested(), "value", patterns, Set.of(), named, merged);
        }
    }

    /// Whether a constraint asks nothing: then it leaves the methods that are not named uncovered,
    /// rather than open (Servlet 6.1 §13.4.1.2).
    private static boolean isDefault(AnnotationInstance constraint) {
        AnnotationValue semantic = constraint.value();
        AnnotationValue guarantee = constraint.value("transportGuarantee");
        return AnnotationReader.texts(constraint, "rolesAllowed").isEmpty()
                && (semantic == null || semantic.asEnum().equals("PERMIT"))
                && (guarantee == null || guarantee.asEnum().equals("NONE"));
    }

    private static void add(
            AnnotationInstance constraint,
            String semanticElement,
            List<String> patterns,
            Set<String> methods,
            Set<String> omitted,
            Declarations merged) {
        List<String> roles = AnnotationReader.texts(constraint, "rolesAllowed");
        AnnotationValue semantic = constraint.value(semanticElement);
        boolean deny = semantic != null && semantic.asEnum().equals("DENY");
        AnnotationValue guarantee = constraint.value("transportGuarantee");
        String transport = guarantee == null ? "NONE" : guarantee.asEnum();
        Set<String> allowed =
                roles.isEmpty() ? (deny ? Set.of() : null) : new LinkedHashSet<>(roles);
        // "*" and "**" stand for roles, and are none.
        roles.stream()
                .filter(role -> !role.equals("*") && !role.equals("**"))
                .forEach(merged.securityRoles::add);
        WebResourceCollection collection =
                new WebResourceCollection("@ServletSecurity", patterns, methods, omitted);
        merged.constraints.add(new SecurityConstraint(List.of(collection), allowed, transport));
    }
}
