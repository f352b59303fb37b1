package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.rewrite.HealthCheck;
import io.margay.compat.tomcat.rewrite.RewriteConfig;
import io.margay.compat.tomcat.rewrite.RewriteRules;
import io.margay.servlet.deploy.VendorDescriptor;
import io.margay.servlet.deploy.VendorDescriptors;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.naming.NamingBuilder;
import io.margay.servlet.resource.Mount;
import io.margay.servlet.settings.ErrorReports;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.RequestRewriting;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import io.margay.servlet.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads what applications declare for Tomcat: `META-INF/context.xml`, and Tomcat's classes by name
/// in web.xml. Immutable.
public final class TomcatApplications implements VendorDescriptors {
    private static final String CONTEXT_XML = "META-INF/context.xml";

    /// Where the filters are that stand for Tomcat's, and what stands for removed methods.
    private static final List<String> PACKAGES =
            List.of(
                    "io.margay.compat.tomcat.client.",
                    "io.margay.compat.tomcat.filter.",
                    "io.margay.compat.tomcat.valve.",
                    "io.margay.compat.tomcat.removed.");

    private final @Nullable HostDefaults host;
    private final @Nullable ApplicationLogs logs;

    /// Of applications that stand for themselves.
    public TomcatApplications() {
        this(null, null);
    }

    /// Of the applications of a host of a `CATALINA_BASE`.
    ///
    /// @param host null = they stand for themselves
    /// @param logs reads what they say of their loggers; null = nothing does
    public TomcatApplications(@Nullable HostDefaults host, @Nullable ApplicationLogs logs) {
        this.host = host;
        this.logs = logs;
    }

    @Override
    public VendorDescriptor read(
            String contextPath, String version, Path folder, DescriptorLimits limits)
            throws IOException {
        Path file = folder.resolve(CONTEXT_XML);
        XmlElement declared =
                Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                        ? ContextXml.tree(CONTEXT_XML, Files.readAllBytes(file), limits)
                        : null;
        if (host != null) {
            ContextSettings settings =
                    ContextXml.settings(host.context(contextPath, version, declared));
            ApplicationLogs.Log log = log(folder, contextPath, version, host);
            return new Declared(
                    settings,
                    warnings(folder, settings, log),
                    log,
                    rewriting(folder, settings),
                    host.userDatabases(),
                    host.common(),
                    host.listings(),
                    host.errorFiles());
        }
        ContextSettings settings =
                declared == null ? ContextSettings.none() : ContextXml.settings(declared);
        return new Declared(
                settings,
                warnings(folder, settings, null),
                null,
                rewriting(folder, settings),
                Map.of(),
                List.of(),
                false,
                null);
    }

    private ApplicationLogs.@Nullable Log log(
            Path folder, String contextPath, String version, HostDefaults of) throws IOException {
        Path file = folder.resolve(ApplicationLogs.FILE);
        return logs == null || !Files.isRegularFile(file)
                ? null
                : logs.read(file, WebAppsFolder.baseName(contextPath, version), of);
    }

    /// What of the application's files is not honoured.
    ///
    /// @param log what it says of its loggers, if that is honoured
    private List<String> warnings(
            Path folder, ContextSettings settings, ApplicationLogs.@Nullable Log log) {
        List<String> all = new ArrayList<>(settings.warnings());
        if (log != null) {
            all.addAll(log.told());
        } else if (Files.exists(folder.resolve(ApplicationLogs.FILE))) {
            all.add(
                    ApplicationLogs.FILE
                            + ": is not read: "
                            + (host == null
                                    ? "the log goes to stderr, with the level of --log"
                                    : "its loggers have the levels and handlers of"
                                            + " conf/logging.properties"));
        }
        return all;
    }

    /// What is asked before the application: its `SSLValve`, its `HealthCheckValve` and the rules
    /// of its `RewriteValve`; null = there are none.
    ///
    /// @throws DescriptorException when one is not honoured: it may forbid something
    private @Nullable RequestRewriting rewriting(Path folder, ContextSettings settings)
            throws IOException {
        List<RequestRewriting> all = new ArrayList<>();
        if (settings.files().frontEnd() != null) {
            all.add(settings.files().frontEnd());
        }
        String health = settings.files().health();
        if (health != null) {
            all.add(new HealthCheck(health, true));
        }
        RewriteRules rules = rules(folder, settings.files().rewriting());
        if (rules != null) {
            all.add(rules);
        }
        return RequestRewriting.all(all);
    }

    /// The rules of a file in WEB-INF; null = there are none.
    private @Nullable RewriteRules rules(Path folder, @Nullable String name) throws IOException {
        Path file = name == null ? null : folder.resolve("WEB-INF").resolve(name).normalize();
        if (file == null || !file.startsWith(folder) || !Files.isRegularFile(file)) {
            return null;
        }
        RewriteConfig.Read read =
                RewriteConfig.of(
                        Files.readAllLines(file),
                        host == null ? folder.resolve("WEB-INF") : host.base(),
                        true);
        if (!read.problems().isEmpty()) {
            throw new DescriptorException(
                    read.problems().stream()
                            .map(one -> "WEB-INF/" + name + ":" + one.line() + ": " + one.text())
                            .toList());
        }
        return read.rules();
    }

    @Override
    public List<String> packages() {
        return PACKAGES;
    }

    /// What one application declares.
    ///
    /// @param warnings what is not honoured, each with its file
    /// @param log what it says of its loggers; null = those are the server's
    /// @param rewriting its rules for rewriting requests; null = it has none
    /// @param userDatabases files of the server's databases of users, by name
    /// @param common `conf/web.xml` and that of the host
    /// @param listings whether it has folders listed
    /// @param errorReports what is shown of errors that it has no page for; null = as elsewhere
    private record Declared(
            ContextSettings settings,
            List<String> warnings,
            ApplicationLogs.@Nullable Log log,
            @Nullable RequestRewriting rewriting,
            Map<String, Path> userDatabases,
            List<CommonDescriptor> common,
            boolean listings,
            @Nullable ErrorReports errorReports)
            implements VendorDescriptor {
        @Override
        public WebAppDescriptor applyTo(
                WebAppDescriptor descriptor, Predicate<String> brought, Consumer<String> warnings) {
            return settings.applyTo(TomcatClasses.replaced(descriptor, brought, warnings));
        }

        @Override
        public @Nullable AutoCloseable loggers(ClassLoader loader) {
            return log == null ? null : log.opening().apply(loader);
        }

        @Override
        public boolean crossContext() {
            return settings.crossContext();
        }

        @Override
        public boolean casualMultipart() {
            return settings.casualMultipart();
        }

        @Override
        public List<Mount> mounts() {
            return settings.files().mounts();
        }

        @Override
        public boolean containerFirst() {
            return settings.files().containerFirst();
        }

        @Override
        public @Nullable LibraryScan libraryScan() {
            return settings.files().libraries();
        }

        @Override
        public boolean listings(WebAppDescriptor declared, Predicate<String> brought) {
            Boolean own = FileServlet.listings(declared, brought);
            return own == null ? listings : own;
        }

        @Override
        public void addNames(
                NamingBuilder names, Predicate<String> brought, Consumer<String> warnings) {
            settings.name(names, brought, warnings);
        }

        @Override
        public @Nullable OwnRealm realm(RealmEnvironment environment, Consumer<String> warnings) {
            return settings.realm(environment, userDatabases, warnings);
        }
    }
}
