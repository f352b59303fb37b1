package io.margay.servlet.descriptor;

import io.margay.servlet.xml.Origin;
import io.soabase.recordbuilder.core.RecordBuilder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.SessionTrackingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one application declares, after merging. Immutable; order is order of declaration.
///
/// @param callbacks methods that web.xml names
@RecordBuilder
public record WebAppDescriptor(
        General general,
        Components components,
        Content content,
        SessionDef session,
        JspDef jsp,
        Security security,
        NamingDef naming,
        Callbacks callbacks) {
    /// What concerns the application as a whole.
    ///
    /// @param version Servlet version of web.xml, such as `6.1`
    @RecordBuilder
    public record General(
            String version,
            String displayName,
            boolean metadataComplete,
            boolean distributable,
            @Nullable String defaultContextPath,
            Map<String, String> contextParams) {}

    /// Listeners, servlets and filters.
    ///
    /// @param servletMappings URL pattern to servlet name
    /// @param orderedLibs names of the JARs in fragment order, or null when there is no ordering
    @RecordBuilder
    public record Components(
            List<String> listeners,
            List<ServletDef> servlets,
            Map<String, String> servletMappings,
            List<FilterDef> filters,
            List<FilterMapping> filterMappings,
            @Nullable List<String> orderedLibs) {}

    /// What responses consist of.
    ///
    /// @param localeEncodings locale to character encoding
    /// @param errorPages in order; the first match of the most specific kind wins
    @RecordBuilder
    public record Content(
            @Nullable String requestEncoding,
            @Nullable String responseEncoding,
            Map<String, String> localeEncodings,
            Map<String, String> mimeTypes,
            List<String> welcomeFiles,
            List<ErrorPage> errorPages) {}

    /// Who may do what.
    @RecordBuilder
    public record Security(
            boolean denyUncoveredMethods,
            List<SecurityConstraint> constraints,
            @Nullable LoginDef login,
            Set<String> roles) {}

    /// What stands in the naming context.
    ///
    /// @param resources that the application has made for itself
    public record NamingDef(
            List<EnvEntry> envEntries,
            List<ResourceRef> resourceRefs,
            List<ResourceDef> resources) {}

    /// The same with context parameters that take the place of those of the same name.
    public WebAppDescriptor withContextParams(Map<String, String> others) {
        Map<String, String> params = new LinkedHashMap<>(general.contextParams);
        params.putAll(others);
        return with(WebAppDescriptorGeneralBuilder.builder(general).contextParams(params).build());
    }

    /// The same with another part.
    public WebAppDescriptor with(General other) {
        return WebAppDescriptorBuilder.builder(this).general(other).build();
    }

    /// The same with another part.
    public WebAppDescriptor with(Components other) {
        return WebAppDescriptorBuilder.builder(this).components(other).build();
    }

    /// The same with other servlets and mappings.
    public WebAppDescriptor withServlets(
            List<ServletDef> servlets, Map<String, String> servletMappings) {
        return with(
                WebAppDescriptorComponentsBuilder.builder(components)
                        .servlets(servlets)
                        .servletMappings(servletMappings)
                        .build());
    }

    /// The same with what the server does where the application says nothing.
    ///
    /// @param encoding of requests and responses; null = none
    public WebAppDescriptor withDefaults(
            List<String> defaultWelcomeFiles, @Nullable String encoding) {
        String request = content.requestEncoding;
        String response = content.responseEncoding;
        List<String> welcome = content.welcomeFiles;
        return WebAppDescriptorBuilder.builder(this)
                .content(
                        WebAppDescriptorContentBuilder.builder(content)
                                .requestEncoding(request == null ? encoding : request)
                                .responseEncoding(response == null ? encoding : response)
                                .welcomeFiles(
                                        welcome.isEmpty()
                                                ? List.copyOf(defaultWelcomeFiles)
                                                : welcome)
                                .build())
                .build();
    }

    /// A `servlet` element or `@WebServlet`. Either `className` or `jspFile` is set.
    ///
    /// @param loadOnStartup negative = lazily
    @RecordBuilder
    public record ServletDef(
            String name,
            @Nullable String className,
            @Nullable String jspFile,
            Map<String, String> initParams,
            int loadOnStartup,
            boolean asyncSupported,
            boolean enabled,
            ServletRoles roles,
            @Nullable MultipartConfigElement multipart) {
        /// One of which nothing more is said: it starts lazily.
        public static ServletDef of(
                String name,
                @Nullable String className,
                @Nullable String jspFile,
                Map<String, String> initParams) {
            return new ServletDef(
                    name, className, jspFile, initParams, -1, false, true, ServletRoles.NONE, null);
        }

        /// The same, but answering 404.
        ServletDef disabled() {
            return WebAppDescriptorServletDefBuilder.builder(this).enabled(false).build();
        }
    }

    /// The role that a servlet has when it calls others, and its names for roles.
    public record ServletRoles(@Nullable String runAs, Map<String, String> links) {
        static final ServletRoles NONE = new ServletRoles(null, Map.of());
    }

    /// A `filter` element or `@WebFilter`.
    public record FilterDef(
            String name,
            String className,
            Map<String, String> initParams,
            boolean asyncSupported) {}

    /// A `filter-mapping`: URL patterns and servlet names to one filter.
    public record FilterMapping(
            String filterName,
            List<String> urlPatterns,
            List<String> servletNames,
            Set<DispatcherType> dispatchers) {}

    /// An `error-page`: by status, by exception class, or neither (the default page).
    public record ErrorPage(
            @Nullable Integer status, @Nullable String exceptionClass, String location) {}

    /// `session-config`. The timeout is in minutes; 0 or less = never.
    @RecordBuilder
    public record SessionDef(
            int timeoutMinutes,
            @Nullable String cookieName,
            @Nullable String cookieDomain,
            @Nullable String cookiePath,
            @Nullable Boolean httpOnly,
            @Nullable Boolean secure,
            @Nullable Integer maxAgeSeconds,
            Map<String, String> cookieAttributes,
            Set<SessionTrackingMode> trackingModes) {}

    /// `jsp-config`.
    public record JspDef(List<JspGroup> groups, List<Taglib> taglibs) {}

    /// `jsp-property-group`; a null setting was not given.
    @RecordBuilder
    public record JspGroup(
            List<String> urlPatterns,
            @Nullable String elIgnored,
            @Nullable String errorOnElNotFound,
            @Nullable String pageEncoding,
            @Nullable String scriptingInvalid,
            @Nullable String isXml,
            List<String> includePreludes,
            List<String> includeCodas,
            @Nullable String deferredSyntaxAllowedAsLiteral,
            @Nullable String trimDirectiveWhitespaces,
            @Nullable String defaultContentType,
            @Nullable String buffer,
            @Nullable String errorOnUndeclaredNamespace) {}

    /// A `taglib` element.
    public record Taglib(String uri, String location) {}

    /// A `security-constraint`.
    ///
    /// @param roles null = no `auth-constraint`; empty = nobody
    /// @param transportGuarantee NONE, INTEGRAL or CONFIDENTIAL
    public record SecurityConstraint(
            List<WebResourceCollection> collections,
            @Nullable Set<String> roles,
            String transportGuarantee) {}

    /// A `web-resource-collection`; `methods` and `omittedMethods` are never both filled.
    public record WebResourceCollection(
            String name,
            List<String> urlPatterns,
            Set<String> methods,
            Set<String> omittedMethods) {}

    /// `login-config`.
    public record LoginDef(
            @Nullable String method,
            @Nullable String realm,
            @Nullable String formLoginPage,
            @Nullable String formErrorPage) {}

    /// A member of a class into which a resource is put: `injection-target`.
    public record InjectionTarget(String className, String member) {}

    /// Something in the naming context that may also be injected.
    public sealed interface Injected<T> permits EnvEntry, ResourceRef {
        List<InjectionTarget> targets();

        /// The same with other targets.
        T withTargets(List<InjectionTarget> others);
    }

    /// `env-entry`.
    ///
    /// @param place where it is declared, for messages
    public record EnvEntry(
            String name,
            @Nullable String type,
            @Nullable String value,
            @Nullable String lookup,
            List<InjectionTarget> targets,
            String place)
            implements Injected<EnvEntry> {
        public EnvEntry {
            targets = List.copyOf(targets);
        }

        @Override
        public EnvEntry withTargets(List<InjectionTarget> others) {
            return new EnvEntry(name, type, value, lookup, others, place);
        }

        EnvEntry at(Origin origin) {
            return new EnvEntry(name, type, value, lookup, targets, origin.toString());
        }
    }

    /// `resource-ref`, `resource-env-ref` and their like.
    ///
    /// @param mapped what the server is to put there, by a name of its own
    /// @param place where it is declared, for messages
    public record ResourceRef(
            String name,
            @Nullable String type,
            @Nullable String lookup,
            @Nullable String mapped,
            List<InjectionTarget> targets,
            String place)
            implements Injected<ResourceRef> {
        public ResourceRef {
            targets = List.copyOf(targets);
        }

        @Override
        public ResourceRef withTargets(List<InjectionTarget> others) {
            return new ResourceRef(name, type, lookup, mapped, others, place);
        }

        ResourceRef at(Origin origin) {
            return new ResourceRef(name, type, lookup, mapped, targets, origin.toString());
        }
    }

    /// A resource that the application has made for itself: `data-source` or `mail-session`.
    ///
    /// @param kind name of the element
    /// @param settings by element name
    /// @param properties by name
    /// @param place where it is declared, for messages
    public record ResourceDef(
            String kind,
            String name,
            Map<String, String> settings,
            Map<String, String> properties,
            String place) {
        public ResourceDef {
            settings = Map.copyOf(settings);
            properties = Map.copyOf(properties);
        }

        ResourceDef at(Origin origin) {
            return new ResourceDef(kind, name, settings, properties, origin.toString());
        }
    }

    /// What is called in the life of components, by `post-construct` and `pre-destroy`: for a class
    /// the name of its method, in place of what annotations in that class say.
    public record Callbacks(Map<String, String> postConstruct, Map<String, String> preDestroy) {
        /// The descriptor names none.
        public static final Callbacks NONE = new Callbacks(Map.of(), Map.of());

        public Callbacks {
            postConstruct = Map.copyOf(postConstruct);
            preDestroy = Map.copyOf(preDestroy);
        }
    }
}
