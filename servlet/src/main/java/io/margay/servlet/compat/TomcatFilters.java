package io.margay.servlet.compat;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Puts our filters in the place of Tomcat's of the same purpose and parameters. Stateless.
public final class TomcatFilters {
    private static final String PACKAGE = "org.apache.catalina.filters.";

    private static final Map<String, String> OURS =
            Map.of(
                    PACKAGE + "HttpHeaderSecurityFilter",
                    HeaderSecurityFilter.class.getName(),
                    PACKAGE + "SetCharacterEncodingFilter",
                    EncodingFilter.class.getName(),
                    PACKAGE + "RequestDumperFilter",
                    RequestLogFilter.class.getName());

    private TomcatFilters() {}

    /// The descriptor with our filters wherever the application names one of Tomcat's that it does
    /// not bring itself.
    ///
    /// @param brought whether the application has a class
    public static WebAppDescriptor replaced(WebAppDescriptor from, Predicate<String> brought) {
        if (from.filters().stream().noneMatch(filter -> OURS.containsKey(filter.className()))) {
            return from;
        }
        List<FilterDef> filters =
                from.filters().stream().map(filter -> replaced(filter, brought)).toList();
        return from.withFilters(filters);
    }

    private static FilterDef replaced(FilterDef filter, Predicate<String> brought) {
        String ours = OURS.get(filter.className());
        if (ours == null || brought.test(filter.className())) {
            return filter;
        }
        return new FilterDef(filter.name(), ours, filter.initParams(), filter.asyncSupported());
    }
}
