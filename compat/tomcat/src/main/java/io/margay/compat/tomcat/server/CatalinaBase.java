package io.margay.compat.tomcat.server;

import io.margay.compat.tomcat.application.HostDefaults;
import io.margay.compat.tomcat.application.HostDefaultsBuilder;
import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.settings.RequestRewriting;
import io.margay.servlet.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A `CATALINA_BASE` as it stands: `conf/server.xml` and what lies beside it. Immutable; read once.
public final class CatalinaBase {
    private static final String SERVER_XML = "conf/server.xml";
    private static final String CONTEXT_XML = "conf/context.xml";

    private final Path folder;
    private final CatalinaProperties properties;
    private final TomcatPlan plan;
    private final @Nullable XmlElement server;
    private final @Nullable XmlElement context;
    private final LogPlan log;

    private CatalinaBase(
            Path folder,
            CatalinaProperties properties,
            TomcatPlan plan,
            @Nullable XmlElement server,
            @Nullable XmlElement context,
            LogPlan log) {
        this.folder = folder;
        this.properties = properties;
        this.plan = plan;
        this.server = server;
        this.context = context;
        this.log = log;
    }

    /// Whether a folder is one.
    public static boolean isOne(Path folder) {
        return Files.isRegularFile(folder.resolve(SERVER_XML));
    }

    /// Reads a base; what is wrong stands in the account of the plan.
    ///
    /// @param environment of the process
    /// @throws IOException when a file cannot be read
    public static CatalinaBase read(Path base, Map<String, String> environment) throws IOException {
        Path folder = base.toAbsolutePath().normalize();
        ElementAccount account = new ElementAccount();
        Map<String, String> options = SetEnv.read(folder, environment, account);
        CatalinaProperties properties = CatalinaProperties.read(folder, options, environment);
        XmlElement server = ServerXml.tree(folder.resolve(SERVER_XML), properties, account);
        Path common = folder.resolve(CONTEXT_XML);
        XmlElement context =
                Files.exists(common) ? ServerXml.tree(common, properties, account) : null;
        if (context != null) {
            HostRewriting.tellTls(List.of(context), account);
            HostReader.tellMisplaced(context, account);
            account.rest(context);
        }
        if (server != null) {
            contexts(server, folder, properties, account);
        }
        CommonWebXml.tell(
                folder.resolve(CommonWebXml.FILE), "every application", properties, account);
        BaseFiles.tell(folder, properties, account);
        LogPlan log = LoggingFile.read(folder, properties, account);
        TomcatPlan plan = ServerXml.plan(server, folder, properties, account);
        return new CatalinaBase(folder, properties, plan, server, context, log);
    }

    /// Tells of the descriptors of contexts.
    private static void contexts(
            XmlElement server, Path folder, CatalinaProperties properties, ElementAccount account)
            throws IOException {
        for (XmlElement service : server.all("Service")) {
            for (XmlElement engine : service.all("Engine")) {
                for (XmlElement host : engine.all("Host")) {
                    Path descriptors = ContextFiles.folder(folder, engine, host);
                    for (Path file : ContextFiles.list(descriptors)) {
                        told(file, properties, account);
                    }
                    Path byDefault = descriptors.resolve("context.xml.default");
                    if (Files.exists(byDefault)) {
                        told(byDefault, properties, account);
                    }
                    CommonWebXml.tell(
                            descriptors.resolve(CommonWebXml.OF_HOST),
                            "every application of the host",
                            properties,
                            account);
                }
            }
        }
    }

    private static void told(Path file, CatalinaProperties properties, ElementAccount account)
            throws IOException {
        XmlElement root = ServerXml.tree(file, properties, account);
        if (root != null) {
            ContextFiles.tell(root, account);
            HostRewriting.tellTls(List.of(root), account);
            HostReader.tellMisplaced(root, account);
            account.rest(root);
        }
    }

    /// Where a server of it keeps sessions, compiled pages and converted classes.
    public Path ownWork() {
        return folder.resolve("work/margay");
    }

    /// The folder itself.
    public Path folder() {
        return folder;
    }

    /// Connectors, hosts and numbers, with the account of every file.
    public TomcatPlan plan() {
        return plan;
    }

    /// The system properties that applications find.
    public Map<String, String> systemProperties() {
        return properties.all();
    }

    /// The levels of loggers, and the files that they write to.
    public LogPlan log() {
        return log;
    }

    /// The libraries that all applications see: those of `common.loader` and `shared.loader`.
    public List<Path> libraries() {
        return BaseFiles.libraries(folder, properties);
    }

    /// Those of `shared.loader`, whose web fragments and annotations count for all applications.
    public List<Path> declaringLibraries() {
        return BaseFiles.shared(folder, properties);
    }

    /// Whether the base is one of Tomcat 9 or before, by its `conf/web.xml`; null = it does not
    /// say.
    public @Nullable Boolean isJavax() throws IOException {
        return CommonWebXml.isJavax(folder);
    }

    /// Whether the base is one of Tomcat 10.1 or before, by its `conf/web.xml`; false = it does not
    /// say.
    public boolean isBefore11() throws IOException {
        return CommonWebXml.isBefore11(folder);
    }

    /// What holds for the applications of a host.
    ///
    /// @param name as the file has it, whatever its case
    public HostDefaults host(String name) throws IOException {
        List<XmlElement> around = new ArrayList<>();
        Map<String, XmlElement> own = new LinkedHashMap<>();
        List<Path> webXml = new ArrayList<>(List.of(folder.resolve(CommonWebXml.FILE)));
        List<XmlElement> realms = new ArrayList<>();
        boolean metaInf = true;
        int redirectPort = 0;
        XmlElement globals = null;
        if (context != null) {
            around.add(context);
        }
        if (server != null) {
            globals = server.child("GlobalNamingResources");
            for (XmlElement service : server.all("Service")) {
                for (XmlElement engine : service.all("Engine")) {
                    for (XmlElement host : engine.all("Host")) {
                        String named = host.attributes().getOrDefault("name", "localhost");
                        if (!named.toLowerCase(Locale.ROOT).equals(name)) {
                            continue;
                        }
                        realms.addAll(host.all("Realm"));
                        realms.addAll(engine.all("Realm"));
                        around.addFirst(host);
                        around.addFirst(engine);
                        metaInf =
                                !host.attributes()
                                        .getOrDefault("deployXML", "true")
                                        .equalsIgnoreCase("false");
                        redirectPort = ConnectorReader.redirectPortOf(service);
                        descriptors(engine, host, around, own);
                        webXml.add(
                                ContextFiles.folder(folder, engine, host)
                                        .resolve(CommonWebXml.OF_HOST));
                    }
                }
            }
        }
        return HostDefaultsBuilder.builder()
                .base(folder)
                .properties(properties)
                .globals(globals)
                .around(around)
                .own(own)
                .webXml(webXml)
                .realm(realms.isEmpty() ? null : realms.getFirst())
                .metaInf(metaInf)
                .redirectPort(redirectPort)
                .build();
    }

    /// What is asked before the applications of a host: health checks and rules by which requests
    /// are rewritten; null = there are none.
    ///
    /// @param name as the file has it, whatever its case
    public @Nullable RequestRewriting rewriting(String name) throws IOException {
        List<RequestRewriting> all = new ArrayList<>();
        if (server != null) {
            for (XmlElement service : server.all("Service")) {
                for (XmlElement engine : service.all("Engine")) {
                    for (XmlElement host : engine.all("Host")) {
                        String named = host.attributes().getOrDefault("name", "localhost");
                        if (all.isEmpty() && named.toLowerCase(Locale.ROOT).equals(name)) {
                            all.addAll(HostRewriting.of(folder, engine, host));
                        }
                    }
                }
            }
        }
        return RequestRewriting.all(all);
    }

    private void descriptors(
            XmlElement engine,
            XmlElement host,
            List<XmlElement> around,
            Map<String, XmlElement> own)
            throws IOException {
        Path descriptors = ContextFiles.folder(folder, engine, host);
        ElementAccount ignored = new ElementAccount();
        Path byDefault = descriptors.resolve("context.xml.default");
        if (Files.exists(byDefault)) {
            XmlElement root = ServerXml.tree(byDefault, properties, ignored);
            if (root != null) {
                around.add(root);
            }
        }
        for (Path file : ContextFiles.list(descriptors)) {
            XmlElement root = ServerXml.tree(file, properties, ignored);
            if (root != null) {
                own.put(ContextFiles.name(file), root);
            }
        }
        for (XmlElement one : host.all("Context")) {
            String path = one.attributes().getOrDefault("path", "");
            own.put(WebAppsFolder.baseName(path.equals("/") ? "" : path, ""), one);
        }
    }

    /// The descriptors of contexts beside server.xml.
    public static List<Path> descriptors(Path folder) {
        return BaseFiles.descriptors(folder);
    }

    /// The descriptor of an application beside server.xml; null = it has none.
    ///
    /// @param host its name, whatever its case
    /// @param application its name, as that of its WAR would be
    public static @Nullable Path descriptor(Path folder, String host, String application) {
        for (Path file : BaseFiles.descriptors(folder)) {
            if (file.getName(file.getNameCount() - 2).toString().equalsIgnoreCase(host)
                    && ContextFiles.name(file).equals(application)) {
                return file;
            }
        }
        return null;
    }

    /// What is to be read again when one of them has changed.
    public static List<Path> files(Path folder) {
        return BaseFiles.files(folder);
    }
}
