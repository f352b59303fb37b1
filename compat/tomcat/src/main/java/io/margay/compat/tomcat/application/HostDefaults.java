package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.application.ContextSettings.RealmDef;
import io.margay.compat.tomcat.application.ContextSettings.Resource;
import io.margay.compat.tomcat.base.BaseXml;
import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.servlet.deploy.VendorDescriptor;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.naming.ResourceSpec;
import io.margay.servlet.xml.XmlElement;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a `CATALINA_BASE` says of the applications of one host. Immutable.
///
/// @param base the folder that paths are relative to
/// @param properties by which `${...}` is replaced
/// @param globals `GlobalNamingResources`; null = there are none
/// @param around `Engine`, `Host`, `conf/context.xml` and the like, the outermost first
/// @param own descriptors of contexts outside of the applications, by the name of the application,
///   as that of its WAR
/// @param webXml files with what holds for applications that do not say otherwise, the outermost
///   first; they need not be there
/// @param realm of the host or its engine; null = nobody can log in
/// @param metaInf whether applications bring descriptors of their own
/// @param redirectPort where requests are sent that need HTTPS
@RecordBuilder
public record HostDefaults(
        Path base,
        CatalinaProperties properties,
        @Nullable XmlElement globals,
        List<XmlElement> around,
        Map<String, XmlElement> own,
        List<Path> webXml,
        @Nullable XmlElement realm,
        boolean metaInf,
        int redirectPort) {
    private static final String USERS = "org.apache.catalina.UserDatabase";
    private static final String CONTEXT = "Context";

    /// The valve of a host that shows errors.
    public static final String ERROR_REPORTS = Valve.VALVES + "ErrorReportValve";

    /// Servlets of conf/web.xml that the container has of its own.
    private static final Set<String> OF_THE_CONTAINER =
            Set.of(FileServlet.NAME, "org.apache.jasper.servlet.JspServlet");

    public HostDefaults {
        around = List.copyOf(around);
        own = Map.copyOf(own);
        webXml = List.copyOf(webXml);
    }

    /// The settings of an application: those around it, then its own.
    ///
    /// @param declared its `META-INF/context.xml`; null = it has none
    XmlElement context(String contextPath, String version, @Nullable XmlElement declared) {
        List<XmlElement> sources = new ArrayList<>(around);
        XmlElement outside = own.get(WebAppsFolder.baseName(contextPath, version));
        if (outside != null) {
            sources.add(outside); // It takes the place of what the application declares.
        } else if (declared != null && metaInf) {
            sources.add(BaseXml.replaced(declared, properties));
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        List<XmlElement> children = new ArrayList<>();
        XmlElement last = null;
        for (XmlElement source : sources) {
            boolean context = source.name().equals(CONTEXT);
            if (context) {
                attributes.putAll(source.attributes());
                last = source;
            }
            for (XmlElement child : source.children()) {
                boolean told = around.contains(source) && child.name().equals("WatchedResource");
                if (!told && (context || isForApplications(child))) {
                    add(child, children);
                }
            }
        }
        List.of("path", "docBase", "className").forEach(attributes::remove);
        return new XmlElement(
                last == null ? base.toString() : last.file(),
                CONTEXT,
                last == null ? 1 : last.line(),
                last == null ? 1 : last.column(),
                Map.copyOf(attributes),
                JarScans.withLists(
                        children.stream().map(this::resolved).toList(),
                        properties,
                        base.resolve("conf/catalina.properties").toString()),
                "");
    }

    /// Whether folders are listed that have no welcome file, as the last default servlet says that
    /// is declared.
    boolean listings() throws IOException {
        boolean found = false;
        for (Path file : webXml) {
            if (Files.isRegularFile(file)) {
                Boolean said = FileServlet.listings(BaseXml.read(file, properties));
                found = said == null ? found : said;
            }
        }
        return found;
    }

    /// The name of the host; empty = the server has none.
    public String name() {
        return around.stream()
                .filter(element -> element.name().equals("Host"))
                .map(element -> element.attributes().getOrDefault("name", "localhost"))
                .findFirst()
                .orElse("");
    }

    /// Who has logged in to one application of the host is known to all; null = to that alone.
    public @Nullable SignOnValve signOn() {
        return SignOnValve.of(around);
    }

    /// The `ErrorReportValve` of the host; null = it has none.
    @Nullable ErrorFiles errorFiles() {
        ErrorFiles found = null;
        for (XmlElement source : around) {
            if (source.name().equals("Host")) {
                for (XmlElement valve : source.all("Valve")) {
                    if (ERROR_REPORTS.equals(valve.attributes().get("className"))) {
                        found = ErrorFiles.of(valve.attributes(), base, (_, _) -> {});
                    }
                }
            }
        }
        return found;
    }

    /// What holds for applications that do not say otherwise.
    List<VendorDescriptor.CommonDescriptor> common() throws IOException {
        List<VendorDescriptor.CommonDescriptor> all = new ArrayList<>();
        for (Path file : webXml) {
            if (Files.isRegularFile(file)) {
                all.add(
                        new VendorDescriptor.CommonDescriptor(
                                file.toString(), Files.readAllBytes(file), OF_THE_CONTAINER));
            }
        }
        return all;
    }

    /// The nearest realm and the nearest resource of a name count. Of parameters it is the
    /// outermost one, unless a nearer one may not be overridden.
    private static void add(XmlElement child, List<XmlElement> children) {
        String name = child.attributes().get("name");
        for (XmlElement before : children) {
            boolean same =
                    child.name().equals("Parameter")
                            && before.name().equals("Parameter")
                            && name != null
                            && name.equals(before.attributes().get("name"));
            if (same && (isFinal(before) || !isFinal(child))) {
                return;
            }
        }
        switch (child.name()) {
            case "Realm", "Manager", "Loader", "Resources", "CookieProcessor", JarScans.SCANNER ->
                    children.removeIf(before -> before.name().equals(child.name()));
            case "Resource", "ResourceLink", "Environment", "Parameter" ->
                    children.removeIf(before ->
                            before.name().equals(child.name())
                                    && name != null
                                    && name.equals(before.attributes().get("name")));
            default -> {
                // All of them count.
            }
        }
        children.add(child);
    }

    private static boolean isFinal(XmlElement parameter) {
        return parameter.attributes().getOrDefault("override", "true").equalsIgnoreCase("false");
    }

    /// Whether an element of a host or engine is something that its applications do.
    private static boolean isForApplications(XmlElement element) {
        return element.name().equals("Valve")
                && switch (Valve.named(element.attributes().getOrDefault("className", ""))) {
                    case Valve.AsFilter _, Valve.Refused _ -> true;
                    case Valve.LeftOut _,
                            Valve.Rewrites _,
                            Valve.Answers _,
                            Valve.TellsTls _,
                            Valve.LogsIn _ ->
                            false;
                };
    }

    /// The element with what it refers to: files of the base, values of the server.
    private XmlElement resolved(XmlElement element) {
        if (element.name().equals("ResourceLink")) {
            XmlElement value = global("Environment", element.attributes().get("global"));
            if (value != null) {
                Map<String, String> attributes = new LinkedHashMap<>(value.attributes());
                attributes.put("name", element.attributes().getOrDefault("name", ""));
                return with(value, attributes, List.of());
            }
        }
        return switch (element.name()) {
            case "Realm" -> realm(element);
            case "Resources" ->
                    with(
                            element,
                            element.attributes(),
                            element.children().stream().map(this::based).toList());
            default -> element;
        };
    }

    private @Nullable XmlElement global(String kind, @Nullable String name) {
        XmlElement found = null;
        if (globals != null && name != null) {
            for (XmlElement one : globals.all(kind)) {
                found = name.equals(one.attributes().get("name")) ? one : found;
            }
        }
        return found;
    }

    /// A set of resources with its files named in full.
    private XmlElement based(XmlElement set) {
        Map<String, String> attributes = new LinkedHashMap<>(set.attributes());
        attributes.computeIfPresent("base", (_, value) -> base.resolve(value).toString());
        return with(set, attributes, set.children());
    }

    /// A realm with its files named in full.
    private XmlElement realm(XmlElement element) {
        Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
        if (attributes.getOrDefault("className", "").endsWith(".MemoryRealm")) {
            String file = attributes.getOrDefault("pathname", TomcatRealm.USERS_BY_DEFAULT);
            attributes.put("pathname", base.resolve(file).toString());
        }
        List<XmlElement> children =
                element.children().stream()
                        .map(child -> child.name().equals("Realm") ? realm(child) : child)
                        .toList();
        return with(element, attributes, children);
    }

    private static XmlElement with(
            XmlElement element, Map<String, String> attributes, List<XmlElement> children) {
        return new XmlElement(
                element.file(),
                element.name(),
                element.line(),
                element.column(),
                Map.copyOf(attributes),
                children,
                element.text());
    }

    /// Files of the databases of users that the server declares, by name.
    Map<String, Path> userDatabases() {
        Map<String, Path> files = new HashMap<>();
        if (globals != null) {
            for (XmlElement one : globals.all("Resource")) {
                String name = one.attributes().get("name");
                if (name != null && USERS.equals(one.attributes().get("type"))) {
                    String file =
                            one.attributes().getOrDefault("pathname", TomcatRealm.USERS_BY_DEFAULT);
                    files.put(name, base.resolve(file.replaceFirst("^file:(//)?", "")));
                }
            }
        }
        return files;
    }

    /// The resources that the server declares for all applications, by name.
    ///
    /// @param told takes what is not honoured
    public Map<String, ResourceSpec> resources(Consumer<String> told) {
        Map<String, ResourceSpec> specs = new HashMap<>();
        if (globals != null) {
            for (XmlElement one : globals.all("Resource")) {
                String name = one.attributes().get("name");
                String place = one.file() + ":" + one.line() + ":" + one.column();
                if (name != null) {
                    ResourceSpec spec =
                            TomcatResource.spec(
                                    new Resource(name, one.attributes(), place), _ -> false, told);
                    if (spec != null) {
                        specs.put(name, spec);
                    }
                }
            }
        }
        return specs;
    }

    /// Where the realm of the host is declared, which other hosts may share; empty = it has none.
    public String realmPlace() {
        return realm == null ? "" : realm.file() + ":" + realm.line() + ":" + realm.column();
    }

    /// Makes the realm of the host; null = it has none.
    ///
    /// @param environment without names of an application
    /// @param told takes what is not honoured
    public VendorDescriptor.@Nullable OwnRealm realm(
            VendorDescriptor.RealmEnvironment environment, Consumer<String> told) {
        if (realm == null) {
            return null;
        }
        RealmDef definition = ContextXml.realm(realm(realm));
        return TomcatRealm.of(definition, environment, userDatabases(), told);
    }
}
