package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Filter;
import io.margay.servlet.descriptor.Declarations.FilterMap;
import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.Declarations.Servlet;
import io.margay.servlet.descriptor.Declarations.ServletMapping;
import io.margay.servlet.mapping.UrlPatterns;
import io.margay.servlet.xml.Origin;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jspecify.annotations.Nullable;

/// Reads `@WebServlet`, `@WebFilter`, `@WebListener` and `@DeclareRoles` of one archive from its
/// index; no class is loaded. Confined to the deploying thread.
final class AnnotationReader {
    private static final DotName WEB_SERVLET = servletAnnotation("WebServlet");
    private static final DotName WEB_FILTER = servletAnnotation("WebFilter");
    private static final DotName WEB_LISTENER = servletAnnotation("WebListener");
    private static final DotName DECLARE_ROLES =
            DotName.createSimple("jakarta.annotation.security.DeclareRoles");

    private final String archive;
    private final Declarations out;
    private final Problems problems;

    private AnnotationReader(String archive, Problems problems) {
        this.archive = archive;
        this.problems = problems;
        out = new Declarations();
    }

    private static DotName servletAnnotation(String name) {
        return DotName.createSimple("jakarta.servlet.annotation." + name);
    }

    /// @param archive such as `WEB-INF/classes` or `WEB-INF/lib/x.jar!`
    static Declarations read(String archive, IndexView index, Problems problems) {
        AnnotationReader reader = new AnnotationReader(archive, problems);
        reader.onClasses(index, WEB_LISTENER).forEach(reader::listener);
        reader.onClasses(index, WEB_SERVLET).forEach(reader::servlet);
        reader.onClasses(index, WEB_FILTER).forEach(reader::filter);
        for (AnnotationInstance roles : reader.onClasses(index, DECLARE_ROLES)) {
            reader.out.securityRoles.addAll(texts(roles, "value"));
        }
        return reader.out;
    }

    /// By class name, so that each deployment does the same.
    private List<AnnotationInstance> onClasses(IndexView index, DotName annotation) {
        return index.getAnnotations(annotation).stream()
                .filter(instance -> instance.target().kind() == AnnotationTarget.Kind.CLASS)
                .sorted(Comparator.comparing(instance -> instance.target().asClass().name()))
                .toList();
    }

    private void listener(AnnotationInstance instance) {
        ClassInfo type = instance.target().asClass();
        out.listeners.put(type.name().toString(), origin(instance));
    }

    private void servlet(AnnotationInstance instance) {
        String className = instance.target().asClass().name().toString();
        Origin origin = origin(instance);
        List<String> patterns = patterns(instance, origin);
        if (patterns.isEmpty()) {
            problems.error(
                    origin, "names no URL pattern. Write @WebServlet(\"/path\"), or remove it.");
            return;
        }
        String given = text(instance, "name");
        Servlet servlet = new Servlet(given == null ? className : given, origin);
        servlet.className = new Said<>(className, origin);
        initParams(instance, origin, servlet.initParams);
        AnnotationValue load = instance.value("loadOnStartup");
        if (load != null) {
            servlet.loadOnStartup = new Said<>(load.asInt(), origin);
        }
        AnnotationValue async = instance.value("asyncSupported");
        if (async != null) {
            servlet.asyncSupported = new Said<>(async.asBoolean(), origin);
        }
        Servlet before = out.servlets.putIfAbsent(servlet.name, servlet);
        if (before != null) {
            problems.error(
                    origin,
                    "the name \""
                            + servlet.name
                            + "\" is taken by "
                            + before.origin.file()
                            + ". Give one of the two another name.");
            return;
        }
        for (String pattern : patterns) {
            out.servletMappings.add(new ServletMapping(servlet.name, pattern, origin));
        }
    }

    private void filter(AnnotationInstance instance) {
        String className = instance.target().asClass().name().toString();
        Origin origin = origin(instance);
        List<String> patterns = patterns(instance, origin);
        List<String> servlets = texts(instance, "servletNames");
        String given = text(instance, "filterName");
        Filter filter = new Filter(given == null ? className : given, origin);
        filter.className = new Said<>(className, origin);
        initParams(instance, origin, filter.initParams);
        AnnotationValue async = instance.value("asyncSupported");
        if (async != null) {
            filter.asyncSupported = new Said<>(async.asBoolean(), origin);
        }
        Filter before = out.filters.putIfAbsent(filter.name, filter);
        if (before != null) {
            problems.error(
                    origin,
                    "the name \""
                            + filter.name
                            + "\" is taken by "
                            + before.origin.file()
                            + ". Give one of the two another name.");
            return;
        }
        if (patterns.isEmpty() && servlets.isEmpty()) {
            return;
        }
        Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);
        AnnotationValue types = instance.value("dispatcherTypes");
        if (types != null) {
            Arrays.stream(types.asEnumArray())
                    .forEach(type -> dispatchers.add(DispatcherType.valueOf(type)));
        }
        out.filterMappings.add(new FilterMap(filter.name, patterns, servlets, dispatchers, origin));
    }

    /// Patterns from `value` or `urlPatterns`, of which only one may be given.
    private List<String> patterns(AnnotationInstance instance, Origin origin) {
        List<String> value = texts(instance, "value");
        List<String> urlPatterns = texts(instance, "urlPatterns");
        if (!value.isEmpty() && !urlPatterns.isEmpty()) {
            problems.error(origin, "has both value and urlPatterns. Keep one of them.");
        }
        List<String> patterns = new ArrayList<>();
        for (String pattern : value.isEmpty() ? urlPatterns : value) {
            String fault = UrlPatterns.fault(pattern);
            if (fault == null) {
                patterns.add(pattern);
            } else {
                problems.error(origin, fault);
            }
        }
        return patterns;
    }

    private static void initParams(
            AnnotationInstance instance, Origin origin, Map<String, Said<String>> params) {
        AnnotationValue value = instance.value("initParams");
        if (value == null) {
            return;
        }
        for (AnnotationInstance param : value.asNestedArray()) {
            String name = text(param, "name");
            String text = text(param, "value");
            if (name != null && text != null) {
                params.put(name, new Said<>(text, origin));
            }
        }
    }

    private Origin origin(AnnotationInstance instance) {
        String path = instance.target().asClass().name().toString().replace('.', '/');
        return new Origin(
                archive + "/" + path + ".class",
                0,
                0,
                "@" + instance.name().withoutPackagePrefix());
    }

    static @Nullable String text(AnnotationInstance instance, String name) {
        AnnotationValue value = instance.value(name);
        return value == null || value.asString().isEmpty() ? null : value.asString();
    }

    static List<String> texts(AnnotationInstance instance, String name) {
        AnnotationValue value = instance.value(name);
        return value == null ? List.of() : List.of(value.asStringArray());
    }
}
