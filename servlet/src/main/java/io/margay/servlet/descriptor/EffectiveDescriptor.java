package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Filter;
import io.margay.servlet.descriptor.Declarations.FilterMap;
import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.Declarations.Servlet;
import io.margay.servlet.descriptor.Declarations.ServletMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.JspDef;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.descriptor.WebAppDescriptor.SessionDef;
import io.margay.servlet.xml.Origin;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Checks merged declarations as a whole and makes the immutable descriptor of them. Confined to
/// the deploying thread.
record EffectiveDescriptor(Declarations merged, Problems problems) {
    /// Minutes, when the application does not say; what servlet containers have always used.
    private static final int SESSION_TIMEOUT_MINUTES = 30;

    WebAppDescriptor build(@Nullable List<String> orderedLibs) {
        Set<String> roles = new LinkedHashSet<>(merged.securityRoles);
        for (SecurityConstraint constraint : merged.constraints) {
            Set<String> allowed = constraint.roles();
            if (allowed != null) {
                allowed.stream()
                        .filter(role -> !role.equals("*") && !role.equals("**"))
                        .forEach(roles::add);
            }
        }
        Said<WebAppDescriptor.LoginDef> login = merged.login;
        String displayName = merged.displayName;
        return WebAppDescriptorBuilder.builder()
                .general(
                        WebAppDescriptorGeneralBuilder.builder()
                                .version(merged.version)
                                .displayName(displayName == null ? "" : displayName)
                                .metadataComplete(merged.metadataComplete)
                                .distributable(merged.distributable)
                                .defaultContextPath(merged.defaultContextPath)
                                .contextParams(values(merged.contextParams))
                                .build())
                .components(
                        WebAppDescriptorComponentsBuilder.builder()
                                .listeners(List.copyOf(merged.listeners.keySet()))
                                .servlets(servlets())
                                .servletMappings(servletMappings())
                                .filters(filters())
                                .filterMappings(filterMappings())
                                .orderedLibs(orderedLibs)
                                .build())
                .content(
                        WebAppDescriptorContentBuilder.builder()
                                .requestEncoding(merged.requestEncoding)
                                .responseEncoding(merged.responseEncoding)
                                .localeEncodings(values(merged.localeEncodings))
                                .mimeTypes(values(merged.mimeTypes))
                                .welcomeFiles(List.copyOf(merged.welcomeFiles))
                                .errorPages(merged.errorPages.stream().map(Said::value).toList())
                                .build())
                .session(session())
                .jsp(
                        new JspDef(
                                List.copyOf(merged.jspGroups),
                                List.copyOf(merged.taglibs.values())))
                .security(
                        new WebAppDescriptor.Security(
                                merged.denyUncoveredMethods,
                                List.copyOf(merged.constraints),
                                login == null ? null : login.value(),
                                Collections.unmodifiableSet(roles)))
                .naming(
                        new WebAppDescriptor.NamingDef(
                                placed(merged.envEntries, WebAppDescriptor.EnvEntry::at),
                                placed(merged.resourceRefs, WebAppDescriptor.ResourceRef::at),
                                placed(merged.resources, WebAppDescriptor.ResourceDef::at)))
                .callbacks(
                        new WebAppDescriptor.Callbacks(
                                values(merged.postConstruct), values(merged.preDestroy)))
                .build();
    }

    private List<ServletDef> servlets() {
        List<ServletDef> servlets = new ArrayList<>();
        for (Servlet servlet : merged.servlets.values()) {
            String className = valueOf(servlet.className);
            String jspFile = valueOf(servlet.jspFile);
            if (className == null
                    && jspFile == null
                    && !WebAppDescriptors.CONTAINER_SERVLETS.contains(servlet.name)) {
                problems.warning(
                        servlet.origin,
                        "servlet "
                                + servlet.name
                                + " has neither <servlet-class> nor <jsp-file>;"
                                + " an initializer must complete it");
            }
            Integer load = valueOf(servlet.loadOnStartup);
            servlets.add(
                    WebAppDescriptorServletDefBuilder.builder()
                            .name(servlet.name)
                            .className(className)
                            .jspFile(jspFile)
                            .initParams(values(servlet.initParams))
                            .loadOnStartup(load == null ? -1 : load)
                            .asyncSupported(Boolean.TRUE.equals(valueOf(servlet.asyncSupported)))
                            .enabled(!Boolean.FALSE.equals(valueOf(servlet.enabled)))
                            .roles(
                                    new WebAppDescriptor.ServletRoles(
                                            valueOf(servlet.runAs), Map.copyOf(servlet.roleLinks)))
                            .multipart(valueOf(servlet.multipart))
                            .build());
        }
        return List.copyOf(servlets);
    }

    private Map<String, String> servletMappings() {
        Map<String, String> mappings = new LinkedHashMap<>();
        Map<String, ServletMapping> first = new HashMap<>();
        Set<String> names = new HashSet<>(merged.servlets.keySet());
        names.addAll(WebAppDescriptors.CONTAINER_SERVLETS);
        for (ServletMapping mapping : merged.servletMappings) {
            if (!names.contains(mapping.servlet())) {
                unknown(mapping.origin(), "servlet", mapping.servlet(), names);
                continue;
            }
            ServletMapping before = first.putIfAbsent(mapping.pattern(), mapping);
            if (before != null && !before.servlet().equals(mapping.servlet())) {
                problems.error(
                        mapping.origin(),
                        "the pattern "
                                + mapping.pattern()
                                + " is mapped to servlet "
                                + mapping.servlet()
                                + ", but also to "
                                + before.servlet()
                                + " ("
                                + before.origin()
                                + "). Remove one of the two.");
            }
            mappings.put(mapping.pattern(), mapping.servlet());
        }
        return Collections.unmodifiableMap(mappings);
    }

    private List<FilterDef> filters() {
        List<FilterDef> filters = new ArrayList<>();
        for (Filter filter : merged.filters.values()) {
            String className = valueOf(filter.className);
            if (className == null) {
                problems.error(
                        filter.origin, "filter " + filter.name + " has no <filter-class>. Add it.");
                continue;
            }
            filters.add(
                    new FilterDef(
                            filter.name,
                            className,
                            values(filter.initParams),
                            Boolean.TRUE.equals(valueOf(filter.asyncSupported))));
        }
        return List.copyOf(filters);
    }

    private List<FilterMapping> filterMappings() {
        List<FilterMapping> mappings = new ArrayList<>();
        for (FilterMap mapping : merged.filterMappings) {
            if (!merged.filters.containsKey(mapping.filter())) {
                unknown(mapping.origin(), "filter", mapping.filter(), merged.filters.keySet());
                continue;
            }
            mappings.add(
                    new FilterMapping(
                            mapping.filter(),
                            List.copyOf(mapping.patterns()),
                            List.copyOf(mapping.servlets()),
                            mapping.dispatchers().isEmpty()
                                    ? Set.of(DispatcherType.REQUEST)
                                    : Set.copyOf(mapping.dispatchers())));
        }
        return List.copyOf(mappings);
    }

    private void unknown(Origin origin, String kind, String name, Set<String> names) {
        String nearest = Problems.nearest(name, names);
        problems.error(
                origin,
                "there is no "
                        + kind
                        + " named \""
                        + name
                        + "\". Declare it in a <"
                        + kind
                        + ">, or correct the name."
                        + (nearest.isEmpty() ? "" : " Did you mean \"" + nearest + "\"?"));
    }

    private SessionDef session() {
        Map<String, Said<String>> values = merged.session.values;
        Integer timeout = number(values.get("session-timeout"));
        return WebAppDescriptorSessionDefBuilder.builder()
                .timeoutMinutes(timeout == null ? SESSION_TIMEOUT_MINUTES : timeout)
                .cookieName(valueOf(values.get("name")))
                .cookieDomain(valueOf(values.get("domain")))
                .cookiePath(valueOf(values.get("path")))
                .httpOnly(flag(values.get("http-only")))
                .secure(flag(values.get("secure")))
                .maxAgeSeconds(number(values.get("max-age")))
                .cookieAttributes(values(merged.session.cookieAttributes))
                .trackingModes(Set.copyOf(merged.session.trackingModes))
                .build();
    }

    private static @Nullable Boolean flag(@Nullable Said<String> said) {
        return said == null ? null : said.value().equals("true") || said.value().equals("1");
    }

    private static @Nullable Integer number(@Nullable Said<String> said) {
        return said == null ? null : Integer.valueOf(said.value());
    }

    private static <T> List<T> placed(
            Map<String, Said<T>> said, BiFunction<T, Origin, T> withPlace) {
        return said.values().stream()
                .map(one -> withPlace.apply(one.value(), one.origin()))
                .toList();
    }

    private static <T> @Nullable T valueOf(@Nullable Said<T> said) {
        return said == null ? null : said.value();
    }

    private static Map<String, String> values(Map<String, Said<String>> said) {
        Map<String, String> values = new LinkedHashMap<>();
        said.forEach((key, value) -> values.put(key, value.value()));
        return Collections.unmodifiableMap(values);
    }
}
