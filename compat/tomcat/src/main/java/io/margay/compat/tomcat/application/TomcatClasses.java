package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.application.Substitute.ContainerServlet;
import io.margay.compat.tomcat.application.Substitute.Nothing;
import io.margay.compat.tomcat.application.Substitute.OwnFilter;
import io.margay.compat.tomcat.client.RateLimitFilter;
import io.margay.compat.tomcat.client.RemoteAddrFilter;
import io.margay.compat.tomcat.client.RemoteCidrFilter;
import io.margay.compat.tomcat.client.RemoteHostFilter;
import io.margay.compat.tomcat.client.RemoteIpFilter;
import io.margay.compat.tomcat.filter.AddDefaultCharsetFilter;
import io.margay.compat.tomcat.filter.CorsFilter;
import io.margay.compat.tomcat.filter.CsrfPreventionFilter;
import io.margay.compat.tomcat.filter.ExpiresFilter;
import io.margay.compat.tomcat.filter.FailedRequestFilter;
import io.margay.compat.tomcat.filter.HttpHeaderSecurityFilter;
import io.margay.compat.tomcat.filter.RequestDumperFilter;
import io.margay.compat.tomcat.filter.SessionInitializerFilter;
import io.margay.compat.tomcat.filter.SetCharacterEncodingFilter;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.descriptor.WebAppDescriptorComponentsBuilder;
import io.margay.servlet.xml.DescriptorException;
import jakarta.servlet.Filter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The classes of Tomcat's that web.xml files name, and what stands for them. Any other class that
/// an application does not bring is an error. Stateless.
final class TomcatClasses {
    private static final String FILTERS = "org.apache.catalina.filters.";
    private static final String SERVLETS = "org.apache.catalina.servlets.";

    private static final String DEFAULT = "default";

    /// The applications that administer Tomcat itself.
    private static final String MANAGER = "org.apache.catalina.manager.";

    private static final Nothing OWN_MANAGER =
            new Nothing(
                    "this is Tomcat's own manager, which administers Tomcat alone; the option"
                            + " --admin, or admin in margay.yaml, opens a console and the same text"
                            + " interface");

    private static final Map<String, Substitute> TABLE =
            Map.ofEntries(
                    Map.entry(
                            FILTERS + "AddDefaultCharsetFilter",
                            new OwnFilter(AddDefaultCharsetFilter.class)),
                    Map.entry(FILTERS + "CorsFilter", new OwnFilter(CorsFilter.class)),
                    Map.entry(
                            FILTERS + "CsrfPreventionFilter",
                            new OwnFilter(CsrfPreventionFilter.class)),
                    Map.entry(FILTERS + "ExpiresFilter", new OwnFilter(ExpiresFilter.class)),
                    Map.entry(
                            FILTERS + "FailedRequestFilter",
                            new OwnFilter(FailedRequestFilter.class)),
                    Map.entry(
                            FILTERS + "HttpHeaderSecurityFilter",
                            new OwnFilter(HttpHeaderSecurityFilter.class)),
                    Map.entry(FILTERS + "RateLimitFilter", new OwnFilter(RateLimitFilter.class)),
                    Map.entry(FILTERS + "RemoteAddrFilter", new OwnFilter(RemoteAddrFilter.class)),
                    Map.entry(FILTERS + "RemoteCIDRFilter", new OwnFilter(RemoteCidrFilter.class)),
                    Map.entry(FILTERS + "RemoteHostFilter", new OwnFilter(RemoteHostFilter.class)),
                    Map.entry(FILTERS + "RemoteIpFilter", new OwnFilter(RemoteIpFilter.class)),
                    Map.entry(
                            FILTERS + "RequestDumperFilter",
                            new OwnFilter(RequestDumperFilter.class)),
                    Map.entry(
                            FILTERS + "SessionInitializerFilter",
                            new OwnFilter(SessionInitializerFilter.class)),
                    Map.entry(
                            FILTERS + "SetCharacterEncodingFilter",
                            new OwnFilter(SetCharacterEncodingFilter.class)),
                    Map.entry(FileServlet.NAME, new ContainerServlet(DEFAULT)),
                    Map.entry("org.apache.jasper.servlet.JspServlet", new ContainerServlet("jsp")),
                    Map.entry(
                            SERVLETS + "CGIServlet",
                            new Nothing("programs are not run here; remove the servlet")),
                    Map.entry(
                            SERVLETS + "SSIServlet",
                            new Nothing("server-side includes are not supported; write a JSP")),
                    Map.entry(
                            "org.apache.catalina.ssi.SSIServlet",
                            new Nothing("server-side includes are not supported; write a JSP")),
                    Map.entry(
                            "org.apache.catalina.ssi.SSIFilter",
                            new Nothing("server-side includes are not supported; write a JSP")),
                    Map.entry(
                            SERVLETS + "WebdavServlet",
                            new Nothing("WebDAV is not supported; remove the servlet")));

    private TomcatClasses() {}

    /// What stands for `className`; empty when it is not a class known here.
    static Optional<Substitute> substitute(String className) {
        return Optional.ofNullable(substituteFor(className));
    }

    private static @Nullable Substitute substituteFor(@Nullable String className) {
        if (className == null) {
            return null;
        }
        return className.startsWith(MANAGER) ? OWN_MANAGER : TABLE.get(className);
    }

    /// All class names of the table.
    static List<String> names() {
        return TABLE.keySet().stream().sorted().toList();
    }

    /// The descriptor with our filters in place of Tomcat's, and with the container's default
    /// servlet in place of Tomcat's. The page servlet is left as declared.
    ///
    /// @param brought whether the application has a class of that name itself
    /// @param warnings takes what is not honoured
    /// @throws DescriptorException when it names classes that nothing stands for
    static WebAppDescriptor replaced(
            WebAppDescriptor from, Predicate<String> brought, Consumer<String> warnings) {
        List<String> errors = new ArrayList<>();
        List<FilterDef> filters = new ArrayList<>();
        for (FilterDef filter : from.components().filters()) {
            filters.add(replaced(filter, brought, errors));
        }
        List<ServletDef> servlets = new ArrayList<>();
        Map<String, String> renamed = new HashMap<>();
        for (ServletDef servlet : from.components().servlets()) {
            String className = servlet.className();
            if (className == null || brought.test(className)) {
                servlets.add(servlet);
                continue;
            }
            switch (substituteFor(className)) {
                case ContainerServlet(String name) when name.equals(DEFAULT) -> {
                    renamed.put(servlet.name(), name);
                    FileServlet.warn(servlet, warnings);
                }
                case Nothing(String remedy) ->
                        errors.add(
                                "<servlet> " + servlet.name() + ": " + className + ": " + remedy);
                case null, default -> servlets.add(servlet);
            }
        }
        if (!errors.isEmpty()) {
            throw new DescriptorException(errors);
        }
        Map<String, String> mappings = new LinkedHashMap<>(from.components().servletMappings());
        mappings.replaceAll((pattern, name) -> renamed.getOrDefault(name, name));
        return from.with(
                WebAppDescriptorComponentsBuilder.builder(from.components())
                        .servlets(servlets)
                        .servletMappings(mappings)
                        .filters(List.copyOf(filters))
                        .filterMappings(renamed(from.components().filterMappings(), renamed))
                        .build());
    }

    private static FilterDef replaced(
            FilterDef filter, Predicate<String> brought, List<String> errors) {
        String className = filter.className();
        Substitute substitute = substituteFor(className);
        if (substitute == null || brought.test(className)) {
            return filter;
        }
        return switch (substitute) {
            case OwnFilter(Class<? extends Filter> type) ->
                    new FilterDef(
                            filter.name(),
                            type.getName(),
                            filter.initParams(),
                            filter.asyncSupported());
            case Nothing(String remedy) -> {
                errors.add("<filter> " + filter.name() + ": " + className + ": " + remedy);
                yield filter;
            }
            case ContainerServlet servlet -> filter;
        };
    }

    private static List<FilterMapping> renamed(
            List<FilterMapping> mappings, Map<String, String> renamed) {
        return mappings.stream()
                .map(mapping ->
                        new FilterMapping(
                                mapping.filterName(),
                                mapping.urlPatterns(),
                                mapping.servletNames().stream()
                                        .map(name -> renamed.getOrDefault(name, name))
                                        .toList(),
                                mapping.dispatchers()))
                .toList();
    }
}
