package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.client.FrontEndTls;
import io.margay.servlet.deploy.VendorDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.EnvEntry;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.SessionDef;
import io.margay.servlet.descriptor.WebAppDescriptorBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorComponentsBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorGeneralBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorSecurityBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorSessionDefBuilder;
import io.margay.servlet.naming.NamingBuilder;
import io.margay.servlet.naming.ResourceSpec;
import io.margay.servlet.resource.Mount;
import io.margay.servlet.settings.LibraryScan;
import io.soabase.recordbuilder.core.RecordBuilder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.SessionTrackingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What an application's `META-INF/context.xml` settles. Immutable.
///
/// @param crossContext whether `getContext` may give other applications
/// @param casualMultipart whether servlets without a multipart configuration read multipart bodies
/// @param filters that run before all others, in order
/// @param resources of the application's own
/// @param links to resources of the server
/// @param realm who may log in; null = whom the server says
/// @param login how users log in, as `auth-method` names it; null = as web.xml says
/// @param files where classes and files are besides
/// @param warnings what is not honoured, each with file and line
@RecordBuilder
record ContextSettings(
        SessionCookieSettings sessionCookie,
        boolean crossContext,
        boolean casualMultipart,
        List<FirstFilter> filters,
        List<Parameter> parameters,
        List<Environment> environment,
        List<Resource> resources,
        List<ResourceLink> links,
        @Nullable RealmDef realm,
        @Nullable String login,
        FileSettings files,
        List<String> warnings) {

    /// The session cookie; null = as the application has it.
    ///
    /// @param cookies whether sessions are told by cookies at all; false = in addresses
    /// @param attributes for cookies that have none of that name: `SameSite`, `Partitioned`
    record SessionCookieSettings(
            @Nullable String name,
            @Nullable String path,
            @Nullable String domain,
            @Nullable Boolean httpOnly,
            boolean cookies,
            Map<String, String> attributes) {}

    /// Classes and files from elsewhere, and what is asked before the application.
    ///
    /// @param mounts in the order in which they are searched
    /// @param containerFirst whether shared classes go before the application's own
    /// @param libraries which of them are looked through; null = as the server says
    /// @param rewriting file in WEB-INF with rules by which requests are rewritten; null = none
    /// @param health path within the application that says that it is up; null = none does
    /// @param frontEnd reads what a front end says of TLS; null = nothing is read
    record FileSettings(
            List<Mount> mounts,
            boolean containerFirst,
            @Nullable LibraryScan libraries,
            @Nullable String rewriting,
            @Nullable String health,
            @Nullable FrontEndTls frontEnd) {
        FileSettings {
            mounts = List.copyOf(mounts);
        }
    }

    /// A filter on every request that comes from outside.
    ///
    /// @param everyDispatch whether it runs on asynchronous and error dispatches, too
    record FirstFilter(FilterDef filter, boolean everyDispatch) {}

    /// A context parameter.
    ///
    /// @param override whether web.xml may give another value
    record Parameter(String name, String value, boolean override) {}

    /// An environment entry.
    ///
    /// @param override whether web.xml may give another value
    record Environment(String name, String type, String value, boolean override, String place) {}

    /// A resource such as a data source: attributes as given, `name` and `type` among them.
    record Resource(String name, Map<String, String> attributes, String place) {}

    /// Another name for a resource of the server.
    record ResourceLink(String name, String global, String place) {}

    /// A `Realm`, with those inside of it.
    ///
    /// @param handlers its `CredentialHandler`s
    record RealmDef(
            String className,
            Map<String, String> attributes,
            List<RealmDef> realms,
            List<HandlerDef> handlers,
            String place) {
        RealmDef {
            attributes = Map.copyOf(attributes);
            realms = List.copyOf(realms);
            handlers = List.copyOf(handlers);
        }

        /// Without attributes, among which are passwords.
        @Override
        public String toString() {
            return className + " at " + place;
        }
    }

    /// A `CredentialHandler`, with those inside of it.
    record HandlerDef(
            String className,
            Map<String, String> attributes,
            List<HandlerDef> handlers,
            String place) {
        HandlerDef {
            attributes = Map.copyOf(attributes);
            handlers = List.copyOf(handlers);
        }
    }

    ContextSettings {
        filters = List.copyOf(filters);
        parameters = List.copyOf(parameters);
        environment = List.copyOf(environment);
        resources = List.copyOf(resources);
        links = List.copyOf(links);
        warnings = List.copyOf(warnings);
    }

    /// Those of an application without the file.
    static ContextSettings none() {
        return new ContextSettings(
                new SessionCookieSettings(null, null, null, null, true, Map.of()),
                false,
                false,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                null,
                new FileSettings(List.of(), false, null, null, null, null),
                List.of());
    }

    /// Enters the resources and links into an application's names.
    ///
    /// @param brought whether the application has a class of that name itself
    /// @param told takes what is not honoured
    void name(NamingBuilder names, Predicate<String> brought, Consumer<String> told) {
        for (Resource resource : resources) {
            ResourceSpec spec = TomcatResource.spec(resource, brought, told);
            if (spec != null) {
                names.resource(resource.name(), spec, resource.place() + ": <Resource>");
            }
        }
        for (ResourceLink link : links) {
            names.link(link.name(), link.global(), link.place() + ": <ResourceLink>");
        }
    }

    /// Makes the realm that the file declares; null = it declares none.
    ///
    /// @param ofServer files of the server's databases of users, by name
    /// @param told takes what is not honoured
    VendorDescriptor.@Nullable OwnRealm realm(
            VendorDescriptor.RealmEnvironment environment,
            Map<String, Path> ofServer,
            Consumer<String> told) {
        if (realm == null) {
            return null;
        }
        Map<String, Path> userDatabases = new LinkedHashMap<>(ofServer);
        for (Resource resource : resources) {
            String file = TomcatResource.userDatabase(resource);
            if (file != null) {
                userDatabases.put(resource.name(), Path.of(file));
            }
        }
        return TomcatRealm.of(realm, environment, userDatabases, told);
    }

    /// The descriptor with these settings in it; [#crossContext()], [#casualMultipart()],
    /// [#resources()] and [#links()] have no place there.
    WebAppDescriptor applyTo(WebAppDescriptor descriptor) {
        WebAppDescriptor.Components components = descriptor.components();
        WebAppDescriptor.Security security = descriptor.security();
        WebAppDescriptor.NamingDef naming = descriptor.naming();
        return WebAppDescriptorBuilder.builder(descriptor)
                .general(
                        WebAppDescriptorGeneralBuilder.builder(descriptor.general())
                                .contextParams(parameters(descriptor.general().contextParams()))
                                .build())
                .components(
                        WebAppDescriptorComponentsBuilder.builder(components)
                                .filters(filters(components.filters()))
                                .filterMappings(filterMappings(components.filterMappings()))
                                .build())
                .session(session(descriptor.session()))
                .security(
                        WebAppDescriptorSecurityBuilder.builder(security)
                                .login(LoginValve.login(login, security.login()))
                                .build())
                .naming(
                        new WebAppDescriptor.NamingDef(
                                envEntries(naming.envEntries()),
                                naming.resourceRefs(),
                                naming.resources()))
                .build();
    }

    private Map<String, String> parameters(Map<String, String> declared) {
        Map<String, String> all = new LinkedHashMap<>(declared);
        for (Parameter parameter : parameters) {
            if (parameter.override()) {
                all.putIfAbsent(parameter.name(), parameter.value());
            } else {
                all.put(parameter.name(), parameter.value());
            }
        }
        return all;
    }

    private List<FilterDef> filters(List<FilterDef> declared) {
        List<FilterDef> all = new ArrayList<>();
        filters.forEach(first -> all.add(first.filter()));
        all.addAll(declared);
        return List.copyOf(all);
    }

    private List<FilterMapping> filterMappings(List<FilterMapping> declared) {
        List<FilterMapping> all = new ArrayList<>();
        for (FirstFilter first : filters) {
            Set<DispatcherType> dispatchers =
                    first.everyDispatch()
                            ? Set.of(
                                    DispatcherType.REQUEST,
                                    DispatcherType.ASYNC,
                                    DispatcherType.ERROR)
                            : Set.of(DispatcherType.REQUEST);
            String name = first.filter().name();
            all.add(new FilterMapping(name, List.of("/*"), List.of(), dispatchers));
        }
        all.addAll(declared);
        return List.copyOf(all);
    }

    private SessionDef session(SessionDef declared) {
        Map<String, String> attributes = new LinkedHashMap<>(sessionCookie.attributes());
        attributes.putAll(declared.cookieAttributes());
        boolean asked = sessionCookie.httpOnly() != null;
        return WebAppDescriptorSessionDefBuilder.builder(declared)
                .cookieName(chosen(sessionCookie.name(), declared.cookieName()))
                .cookieDomain(chosen(sessionCookie.domain(), declared.cookieDomain()))
                .cookiePath(chosen(sessionCookie.path(), declared.cookiePath()))
                .httpOnly(asked ? sessionCookie.httpOnly() : declared.httpOnly())
                .cookieAttributes(attributes)
                .trackingModes(
                        sessionCookie.cookies()
                                ? declared.trackingModes()
                                : Set.of(SessionTrackingMode.URL))
                .build();
    }

    private static @Nullable String chosen(@Nullable String first, @Nullable String second) {
        return first != null ? first : second;
    }

    private List<EnvEntry> envEntries(List<EnvEntry> declared) {
        Map<String, EnvEntry> all = new LinkedHashMap<>();
        declared.forEach(entry -> all.put(entry.name(), entry));
        for (Environment entry : environment) {
            EnvEntry before = all.get(entry.name());
            if (before == null || before.value() == null || !entry.override()) {
                all.put(
                        entry.name(),
                        new EnvEntry(
                                entry.name(),
                                entry.type(),
                                entry.value(),
                                null,
                                before == null ? List.of() : before.targets(),
                                entry.place() + ": <Environment>"));
            }
        }
        return List.copyOf(all.values());
    }
}
