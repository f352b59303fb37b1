package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Filter;
import io.margay.servlet.descriptor.Declarations.FilterMap;
import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.Declarations.Servlet;
import io.margay.servlet.descriptor.Declarations.ServletMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import io.margay.servlet.descriptor.WebAppDescriptor.Injected;
import io.margay.servlet.descriptor.WebAppDescriptor.InjectionTarget;
import io.margay.servlet.xml.Origin;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Merges sources into one, from the strongest to the weakest: web.xml, annotations of
/// WEB-INF/classes, then for each library in order its fragment and its annotations (Servlet 6.1
/// §8.2.3). What web.xml and WEB-INF/classes say stands; two libraries that contradict each other
/// are an error unless those settle it. Confined to the deploying thread.
final class Merger {
    private static final String LIBRARIES = "WEB-INF/lib/";

    private final Declarations into;
    private final Problems problems;

    /// Servlets and filters whose mappings in web.xml or classes shut out those of libraries.
    private final Set<String> mappedServlets = new HashSet<>();

    private final Set<String> mappedFilters = new HashSet<>();

    /// @param into the declarations of web.xml, which receive all others
    Merger(Declarations into, Problems problems) {
        this.into = into;
        this.problems = problems;
    }

    /// Adds an archive that may have both a fragment and annotations.
    ///
    /// @param declared of its fragment; null for WEB-INF/classes, whose descriptor is web.xml
    void archive(@Nullable Declarations declared, @Nullable Declarations annotated) {
        Set<String> servlets = new HashSet<>();
        Set<String> filters = new HashSet<>();
        Declarations descriptor = declared == null ? into : declared;
        descriptor.servletMappings.forEach(mapping -> servlets.add(mapping.servlet()));
        descriptor.filterMappings.forEach(mapping -> filters.add(mapping.filter()));
        if (declared == null) {
            mappedServlets.addAll(servlets);
            mappedFilters.addAll(filters);
        } else {
            source(declared, mappedServlets, mappedFilters);
            into.distributable &= declared.distributable;
        }
        if (annotated != null) {
            servlets.addAll(mappedServlets);
            filters.addAll(mappedFilters);
            source(annotated, servlets, filters);
        }
        if (declared == null) {
            into.servletMappings.forEach(mapping -> mappedServlets.add(mapping.servlet()));
            into.filterMappings.forEach(mapping -> mappedFilters.add(mapping.filter()));
        }
    }

    private void source(Declarations from, Set<String> skipServlets, Set<String> skipFilters) {
        keyed(into.contextParams, from.contextParams, "context parameter");
        from.listeners.forEach(into.listeners::putIfAbsent);
        from.servlets.values().forEach(this::servlet);
        for (ServletMapping mapping : from.servletMappings) {
            if (!skipServlets.contains(mapping.servlet())) {
                into.servletMappings.add(mapping);
            }
        }
        from.filters.values().forEach(this::filter);
        for (FilterMap mapping : from.filterMappings) {
            if (!skipFilters.contains(mapping.filter())) {
                into.filterMappings.add(mapping);
            }
        }
        keyed(into.session.values, from.session.values, "session setting");
        keyed(into.session.cookieAttributes, from.session.cookieAttributes, "cookie attribute");
        if (into.session.trackingModes.isEmpty()) {
            into.session.trackingModes.addAll(from.session.trackingModes);
        }
        keyed(into.mimeTypes, from.mimeTypes, "MIME type of extension");
        into.welcomeFiles.addAll(from.welcomeFiles);
        from.errorPages.forEach(this::errorPage);
        into.jspGroups.addAll(from.jspGroups);
        from.taglibs.forEach(into.taglibs::putIfAbsent);
        into.constraints.addAll(from.constraints);
        into.login = one(into.login, from.login, "<login-config>");
        into.securityRoles.addAll(from.securityRoles);
        keyed(into.localeEncodings, from.localeEncodings, "encoding of locale");
        injected(into.envEntries, from.envEntries, "<env-entry>");
        injected(into.resourceRefs, from.resourceRefs, "<resource-ref>");
        keyed(into.resources, from.resources, "resource");
        keyed(into.postConstruct, from.postConstruct, "<post-construct> of");
        keyed(into.preDestroy, from.preDestroy, "<pre-destroy> of");
        if (into.requestEncoding == null) {
            into.requestEncoding = from.requestEncoding;
        }
        if (into.responseEncoding == null) {
            into.responseEncoding = from.responseEncoding;
        }
    }

    /// Adds what holds where nobody has said anything.
    void common(Declarations from) {
        from.contextParams.forEach(into.contextParams::putIfAbsent);
        from.listeners.forEach(into.listeners::putIfAbsent);
        Set<String> patterns = new HashSet<>();
        into.servletMappings.forEach(mapping -> patterns.add(mapping.pattern()));
        from.servletMappings.stream()
                .filter(mapping -> !patterns.contains(mapping.pattern()))
                .forEach(into.servletMappings::add);
        from.servlets.forEach(into.servlets::putIfAbsent);
        from.filterMappings.stream()
                .filter(mapping -> !into.filters.containsKey(mapping.filter()))
                .forEach(into.filterMappings::add);
        from.filters.forEach(into.filters::putIfAbsent);
        from.session.values.forEach(into.session.values::putIfAbsent);
        from.session.cookieAttributes.forEach(into.session.cookieAttributes::putIfAbsent);
        if (into.session.trackingModes.isEmpty()) {
            into.session.trackingModes.addAll(from.session.trackingModes);
        }
        from.mimeTypes.forEach(into.mimeTypes::putIfAbsent);
        if (into.welcomeFiles.isEmpty()) {
            into.welcomeFiles.addAll(from.welcomeFiles);
        }
        for (Said<ErrorPage> page : from.errorPages) {
            boolean said =
                    into.errorPages.stream()
                            .anyMatch(known -> sameKind(known.value(), page.value()));
            if (!said) {
                into.errorPages.add(page);
            }
        }
        into.jspGroups.addAll(from.jspGroups);
        from.taglibs.forEach(into.taglibs::putIfAbsent);
        into.constraints.addAll(from.constraints);
        into.login = into.login == null ? from.login : into.login;
        into.securityRoles.addAll(from.securityRoles);
        from.localeEncodings.forEach(into.localeEncodings::putIfAbsent);
        from.envEntries.forEach(into.envEntries::putIfAbsent);
        from.resourceRefs.forEach(into.resourceRefs::putIfAbsent);
        if (into.requestEncoding == null) {
            into.requestEncoding = from.requestEncoding;
        }
        if (into.responseEncoding == null) {
            into.responseEncoding = from.responseEncoding;
        }
    }

    /// Adds what holds in place of what is there: what belongs together is replaced as a whole,
    /// such as a servlet, the session's settings or the welcome files.
    void over(Declarations from) {
        into.contextParams.putAll(from.contextParams);
        from.listeners.forEach(into.listeners::putIfAbsent);
        into.servlets.putAll(from.servlets);
        into.servletMappings.addAll(from.servletMappings);
        from.filters.forEach((name, filter) -> {
            Filter known = into.filters.putIfAbsent(name, filter);
            if (known != null) {
                problems.error(
                        filter.origin,
                        "the filter "
                                + name
                                + " is declared in "
                                + known.origin
                                + ", too. Give one of them another name.");
            }
        });
        into.filterMappings.addAll(from.filterMappings);
        if (from.session.isSaid()) {
            into.session.replaceBy(from.session);
        }
        into.mimeTypes.putAll(from.mimeTypes);
        if (!from.welcomeFiles.isEmpty()) {
            into.welcomeFiles.clear();
            into.welcomeFiles.addAll(from.welcomeFiles);
        }
        for (Said<ErrorPage> page : from.errorPages) {
            into.errorPages.removeIf(known -> sameKind(known.value(), page.value()));
            into.errorPages.add(page);
        }
        into.jspGroups.addAll(from.jspGroups);
        into.taglibs.putAll(from.taglibs);
        into.constraints.addAll(from.constraints);
        into.login = from.login == null ? into.login : from.login;
        into.securityRoles.addAll(from.securityRoles);
        into.localeEncodings.putAll(from.localeEncodings);
        into.envEntries.putAll(from.envEntries);
        into.resourceRefs.putAll(from.resourceRefs);
        if (from.requestEncoding != null) {
            into.requestEncoding = from.requestEncoding;
        }
        if (from.responseEncoding != null) {
            into.responseEncoding = from.responseEncoding;
        }
    }

    private static boolean sameKind(ErrorPage one, ErrorPage other) {
        return Objects.equals(one.status(), other.status())
                && Objects.equals(one.exceptionClass(), other.exceptionClass());
    }

    private void servlet(Servlet from) {
        Servlet known = into.servlets.putIfAbsent(from.name, from);
        if (known == null) {
            return;
        }
        String what = " of servlet " + from.name;
        if (known.jspFile == null || fromLibrary(known.jspFile.origin())) {
            known.className = one(known.className, from.className, "the class" + what);
        }
        if (known.className == null) {
            known.jspFile = one(known.jspFile, from.jspFile, "<jsp-file>" + what);
        }
        keyed(known.initParams, from.initParams, "parameter" + what + ":");
        known.loadOnStartup =
                one(known.loadOnStartup, from.loadOnStartup, "<load-on-startup>" + what);
        known.asyncSupported =
                one(known.asyncSupported, from.asyncSupported, "<async-supported>" + what);
        known.enabled = one(known.enabled, from.enabled, "<enabled>" + what);
        known.runAs = one(known.runAs, from.runAs, "<run-as>" + what);
        from.roleLinks.forEach(known.roleLinks::putIfAbsent);
        known.multipart = one(known.multipart, from.multipart, "<multipart-config>" + what);
    }

    private void filter(Filter from) {
        Filter known = into.filters.putIfAbsent(from.name, from);
        if (known == null) {
            return;
        }
        String what = " of filter " + from.name;
        known.className = one(known.className, from.className, "the class" + what);
        keyed(known.initParams, from.initParams, "parameter" + what + ":");
        known.asyncSupported =
                one(known.asyncSupported, from.asyncSupported, "<async-supported>" + what);
    }

    private void errorPage(Said<ErrorPage> from) {
        for (Said<ErrorPage> known : into.errorPages) {
            if (sameKind(known.value(), from.value())) {
                one(known, from, "the error page");
                return;
            }
        }
        into.errorPages.add(from);
    }

    private <T> void keyed(Map<String, Said<T>> known, Map<String, Said<T>> from, String what) {
        from.forEach((key, said) -> {
            Said<T> merged = one(known.get(key), said, what + " " + key);
            if (merged != null) {
                known.put(key, merged);
            }
        });
    }

    /// As [#keyed]; a declaration without targets takes those of a weaker one of its name.
    private <T extends Injected<T>> void injected(
            Map<String, Said<T>> known, Map<String, Said<T>> from, String what) {
        from.forEach((key, said) -> {
            Said<T> before = known.get(key);
            if (before == null) {
                known.put(key, said);
                return;
            }
            List<InjectionTarget> targets = before.value().targets();
            List<InjectionTarget> added =
                    targets.isEmpty() || fromLibrary(before.origin())
                            ? union(targets, said.value().targets())
                            : targets;
            T bare = before.value().withTargets(List.of());
            one(
                    new Said<>(bare, before.origin()),
                    new Said<>(said.value().withTargets(List.of()), said.origin()),
                    what + " " + key);
            known.put(key, new Said<>(bare.withTargets(added), before.origin()));
        });
    }

    private static <T> List<T> union(List<T> first, List<T> second) {
        Set<T> all = new LinkedHashSet<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }

    /// The stronger of two values.
    private <T> @Nullable Said<T> one(
            @Nullable Said<T> known, @Nullable Said<T> from, String what) {
        if (known == null) {
            return from;
        }
        if (from == null
                || !fromLibrary(known.origin())
                || library(known.origin()).equals(library(from.origin()))
                || known.value().equals(from.value())) {
            return known;
        }
        problems.error(
                from.origin(),
                what
                        + " is given differently by "
                        + known.origin().file()
                        + ". Declare it in WEB-INF/web.xml, which settles it.");
        return known;
    }

    private static boolean fromLibrary(Origin origin) {
        return origin.file().startsWith(LIBRARIES);
    }

    /// `WEB-INF/lib/x.jar` of `WEB-INF/lib/x.jar!/META-INF/web-fragment.xml`.
    private static String library(Origin origin) {
        int end = origin.file().indexOf('!');
        return end < 0 ? origin.file() : origin.file().substring(0, end);
    }
}
