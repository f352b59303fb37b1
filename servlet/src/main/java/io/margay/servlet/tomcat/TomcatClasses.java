package io.margay.servlet.tomcat;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.tomcat.Substitute.ContainerServlet;
import io.margay.servlet.tomcat.Substitute.Nothing;
import io.margay.servlet.tomcat.Substitute.OwnFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The classes of Tomcat's that web.xml files name, and what stands for them. Any other class that
/// an application does not bring is an error. Stateless.
public final class TomcatClasses {
    private static final String FILTERS = "org.apache.catalina.filters.";
    private static final String SERVLETS = "org.apache.catalina.servlets.";

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
                    Map.entry(SERVLETS + "DefaultServlet", new ContainerServlet("default")),
                    Map.entry("org.apache.jasper.servlet.JspServlet", new ContainerServlet("jsp")),
                    Map.entry(
                            SERVLETS + "CGIServlet",
                            new Nothing("programs are not run here; remove the servlet")),
                    Map.entry(
                            SERVLETS + "SSIServlet",
                            new Nothing("server-side includes are not done; write a JSP")),
                    Map.entry(
                            "org.apache.catalina.ssi.SSIServlet",
                            new Nothing("server-side includes are not done; write a JSP")),
                    Map.entry(
                            "org.apache.catalina.ssi.SSIFilter",
                            new Nothing("server-side includes are not done; write a JSP")),
                    Map.entry(
                            SERVLETS + "WebdavServlet",
                            new Nothing("WebDAV is not spoken; remove the servlet")));

    private TomcatClasses() {}

    /// What stands for `className`; empty when it is not a class known here.
    public static Optional<Substitute> substitute(String className) {
        return Optional.ofNullable(TABLE.get(className));
    }

    /// All class names of the table.
    static List<String> names() {
        return TABLE.keySet().stream().sorted().toList();
    }

    /// The descriptor with our filters in place of Tomcat's.
    ///
    /// @param brought whether the application has a class of that name itself
    public static WebAppDescriptor withOwnFilters(
            WebAppDescriptor descriptor, Predicate<String> brought) {
        List<FilterDef> filters = new ArrayList<>();
        for (FilterDef filter : descriptor.filters()) {
            String className = filter.className();
            boolean replace = TABLE.get(className) instanceof OwnFilter && !brought.test(className);
            filters.add(replace ? withOwnClass(filter) : filter);
        }
        return DescriptorChange.of(descriptor).filters(filters).result();
    }

    private static FilterDef withOwnClass(FilterDef filter) {
        return TABLE.get(filter.className()) instanceof OwnFilter own
                ? new FilterDef(
                        filter.name(),
                        own.type().getName(),
                        filter.initParams(),
                        filter.asyncSupported())
                : filter;
    }
}
