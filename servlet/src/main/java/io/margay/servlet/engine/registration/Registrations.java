package io.margay.servlet.engine.registration;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.mapping.UrlMap;
import io.margay.servlet.resource.WebResource;
import io.margay.servlet.security.SecurityConstraints;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.http.MappingMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What one application has registered: servlets, filters, listeners, error pages, constraints.
/// Filled by the thread that starts the application; fixed, and read by all, afterwards.
public final class Registrations {
    private static final String DEFAULT_SERVLET = "default";

    /// The servlet that compiles JSP files, whatever else `*.jsp` is mapped to.
    private static final String JSP_SERVLET = "jsp";

    private final AppRuntime runtime;
    private final ServletSet servlets = new ServletSet();
    private final FilterSet filters = new FilterSet();
    private final ListenerSet listeners = new ListenerSet();
    private final ErrorPages errorPages;
    private final Set<String> declaredRoles = ConcurrentHashMap.newKeySet();
    private final SecurityConstraints constraints;
    private final ServletHolder defaultServlet;

    /// What can be done only once all mappings are known.
    private final List<Runnable> deferred = new ArrayList<>();

    /// What the descriptor declares.
    ///
    /// @param files the servlet for what nothing else is mapped to
    public Registrations(AppRuntime runtime, Servlet files) {
        WebAppDescriptor descriptor = runtime.descriptor();
        this.runtime = runtime;
        this.errorPages = new ErrorPages(descriptor.content().errorPages());
        this.declaredRoles.addAll(descriptor.security().roles());
        this.constraints =
                new SecurityConstraints(
                        descriptor.security().constraints(),
                        descriptor.security().denyUncoveredMethods(),
                        declaredRoles);
        this.defaultServlet =
                ServletHolder.programmatic(runtime, this, DEFAULT_SERVLET, null, null);
        defaultServlet.instance(files);
        defaultServlet.containerOwned();
        declare(descriptor);
    }

    private void declare(WebAppDescriptor descriptor) {
        for (ServletDef definition : descriptor.components().servlets()) {
            servlets.add(new ServletHolder(runtime, this, definition));
        }
        if (servlets.named(DEFAULT_SERVLET) == null) {
            servlets.add(defaultServlet);
        }
        descriptor
                .components()
                .servletMappings()
                .forEach((pattern, name) -> {
                    ServletHolder holder = servlets.named(name);
                    if (holder == null) {
                        throw new WebAppException(
                                "servlet-mapping "
                                        + pattern
                                        + " names servlet '"
                                        + name
                                        + "', which is not declared");
                    }
                    mapDeclared(holder, pattern);
                });
        for (FilterDef definition : descriptor.components().filters()) {
            filters.add(new FilterHolder(runtime, filters, definition));
        }
        for (FilterMapping mapping : descriptor.components().filterMappings()) {
            FilterHolder holder = filters.named(mapping.filterName());
            if (holder == null) {
                throw new WebAppException(
                        "filter-mapping names filter '"
                                + mapping.filterName()
                                + "', which is not declared");
            }
            filters.map(
                    holder,
                    mapping.urlPatterns(),
                    mapping.servletNames(),
                    mapping.dispatchers(),
                    true);
        }
        servlets.mapImplicitly(defaultServlet, "/");
    }

    private void mapDeclared(ServletHolder holder, String pattern) {
        try {
            servlets.map(holder, List.of(pattern));
        } catch (IllegalArgumentException e) {
            throw new WebAppException("servlet-mapping: " + e.getMessage(), e);
        }
    }

    /// Applies `@ServletSecurity` of a servlet whose class a program has given.
    public void readSecurityAnnotation(ServletHolder holder, Class<?> type) {
        ServletSecurity annotation = type.getAnnotation(ServletSecurity.class);
        if (annotation != null) {
            deferred.add(() ->
                    constraints.add(holder.getMappings(), new ServletSecurityElement(annotation)));
        }
    }

    public void runDeferred() {
        deferred.forEach(Runnable::run);
        deferred.clear();
    }

    // Looking up

    /// What a path within the context leads to.
    ///
    /// @param path the canonical path that the target sees
    public record Target(UrlMap.Mapped<ServletHolder> mapped, String path) {}

    /// The servlet for a canonical path, by way of the welcome files (Servlet 6.1 §10.10); null
    /// when not even a default servlet is mapped.
    public @Nullable Target target(String path) {
        UrlMap.Mapped<ServletHolder> mapped = servlets.find(path);
        if (mapped == null) {
            return null;
        }
        if (mapped.pattern().kind() == MappingMatch.DEFAULT && path.endsWith("/")) {
            Target welcome = welcome(path);
            if (welcome != null) {
                return welcome;
            }
        }
        return new Target(mapped, path);
    }

    /// Whether a servlet answers the context path itself, without a slash behind it: one that is
    /// mapped to `/*`. Others see it only once the client has been redirected, as with Tomcat.
    public boolean servesContextPath() {
        UrlMap.Mapped<ServletHolder> mapped = servlets.find("");
        return mapped != null && mapped.pattern().kind() == MappingMatch.PATH;
    }

    private @Nullable Target welcome(String folder) {
        List<String> names = runtime.descriptor().content().welcomeFiles();
        for (String name : names) {
            String path = folder + (name.startsWith("/") ? name.substring(1) : name);
            UrlMap.Mapped<ServletHolder> mapped = servlets.find(path);
            if (mapped == null) {
                continue;
            }
            boolean component =
                    switch (mapped.pattern().kind()) {
                        case EXACT, PATH -> true;
                        case EXTENSION, DEFAULT, CONTEXT_ROOT -> isFile(path);
                    };
            if (component) {
                return new Target(mapped, path);
            }
        }
        for (String name : names) {
            String path = folder + (name.startsWith("/") ? name.substring(1) : name);
            UrlMap.Mapped<ServletHolder> mapped = servlets.find(path);
            if (mapped != null
                    && mapped.pattern().kind() == MappingMatch.EXTENSION
                    && !mapped.pattern().key().startsWith("jsp")) {
                return new Target(mapped, path);
            }
        }
        return null;
    }

    boolean isFile(String path) {
        WebResource resource = runtime.resources().get(path);
        return resource != null && !resource.isFolder();
    }

    /// The servlet that compiles JSP files, or null.
    @Nullable ServletHolder jspServlet() {
        ServletHolder declared = servlets.named(JSP_SERVLET);
        if (declared != null) {
            return declared;
        }
        UrlMap.Mapped<ServletHolder> mapped = servlets.find("/margay.jsp");
        if (mapped == null || mapped.pattern().kind() != MappingMatch.EXTENSION) {
            return null;
        }
        return mapped.target();
    }

    // Parts

    public ServletSet servlets() {
        return servlets;
    }

    public FilterSet filters() {
        return filters;
    }

    public ListenerSet listeners() {
        return listeners;
    }

    public ErrorPages errorPages() {
        return errorPages;
    }

    public SecurityConstraints constraints() {
        return constraints;
    }

    /// The roles that the application knows, those that it declares by program among them.
    public Set<String> declaredRoles() {
        return declaredRoles;
    }
}
