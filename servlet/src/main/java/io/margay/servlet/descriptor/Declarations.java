package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.WebAppDescriptor.EnvEntry;
import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import io.margay.servlet.descriptor.WebAppDescriptor.JspGroup;
import io.margay.servlet.descriptor.WebAppDescriptor.LoginDef;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceDef;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceRef;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.Taglib;
import io.margay.servlet.xml.Origin;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.SessionTrackingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one source declares (web.xml, a fragment, or the annotations of an archive), before
/// merging. What was not said is null. Confined to the deploying thread.
final class Declarations {
    /// A value and where it stands.
    record Said<T>(T value, Origin origin) {}

    /// A URL pattern given to a servlet.
    record ServletMapping(String servlet, String pattern, Origin origin) {}

    /// A `filter-mapping` as declared.
    record FilterMap(
            String filter,
            List<String> patterns,
            List<String> servlets,
            Set<DispatcherType> dispatchers,
            Origin origin) {}

    /// A servlet as declared.
    static final class Servlet {
        final String name;
        final Origin origin;
        @Nullable Said<String> className;
        @Nullable Said<String> jspFile;
        final Map<String, Said<String>> initParams = new LinkedHashMap<>();
        @Nullable Said<Integer> loadOnStartup;
        @Nullable Said<Boolean> asyncSupported;
        @Nullable Said<Boolean> enabled;
        @Nullable Said<String> runAs;
        final Map<String, String> roleLinks = new LinkedHashMap<>();
        @Nullable Said<MultipartConfigElement> multipart;

        Servlet(String name, Origin origin) {
            this.name = name;
            this.origin = origin;
        }
    }

    /// A filter as declared.
    static final class Filter {
        final String name;
        final Origin origin;
        @Nullable Said<String> className;
        final Map<String, Said<String>> initParams = new LinkedHashMap<>();
        @Nullable Said<Boolean> asyncSupported;

        Filter(String name, Origin origin) {
            this.name = name;
            this.origin = origin;
        }
    }

    /// `session-config` as declared; the values are found by element name.
    static final class Session {
        final Map<String, Said<String>> values = new LinkedHashMap<>();
        final Map<String, Said<String>> cookieAttributes = new LinkedHashMap<>();
        final Set<SessionTrackingMode> trackingModes = EnumSet.noneOf(SessionTrackingMode.class);

        boolean isSaid() {
            return !(values.isEmpty() && cookieAttributes.isEmpty() && trackingModes.isEmpty());
        }

        void replaceBy(Session other) {
            values.clear();
            values.putAll(other.values);
            cookieAttributes.clear();
            cookieAttributes.putAll(other.cookieAttributes);
            trackingModes.clear();
            trackingModes.addAll(other.trackingModes);
        }
    }

    String version = "";
    @Nullable String displayName;
    boolean metadataComplete;
    boolean distributable;
    boolean denyUncoveredMethods;
    @Nullable String defaultContextPath;
    @Nullable String requestEncoding;
    @Nullable String responseEncoding;
    @Nullable Ordering ordering;
    @Nullable AbsoluteOrdering absoluteOrdering;
    @Nullable String fragmentName;
    final Map<String, Said<String>> contextParams = new LinkedHashMap<>();
    final Map<String, Origin> listeners = new LinkedHashMap<>();
    final Map<String, Servlet> servlets = new LinkedHashMap<>();
    final List<ServletMapping> servletMappings = new ArrayList<>();
    final Map<String, Filter> filters = new LinkedHashMap<>();
    final List<FilterMap> filterMappings = new ArrayList<>();
    final Session session = new Session();
    final Map<String, Said<String>> mimeTypes = new LinkedHashMap<>();
    final Set<String> welcomeFiles = new LinkedHashSet<>();
    final List<Said<ErrorPage>> errorPages = new ArrayList<>();
    final List<JspGroup> jspGroups = new ArrayList<>();
    final Map<String, Taglib> taglibs = new LinkedHashMap<>();
    final List<SecurityConstraint> constraints = new ArrayList<>();
    @Nullable Said<LoginDef> login;
    final Set<String> securityRoles = new LinkedHashSet<>();
    final Map<String, Said<String>> localeEncodings = new LinkedHashMap<>();
    final Map<String, Said<EnvEntry>> envEntries = new LinkedHashMap<>();
    final Map<String, Said<ResourceRef>> resourceRefs = new LinkedHashMap<>();
    final Map<String, Said<ResourceDef>> resources = new LinkedHashMap<>();
    final Map<String, Said<String>> postConstruct = new LinkedHashMap<>();
    final Map<String, Said<String>> preDestroy = new LinkedHashMap<>();
}
