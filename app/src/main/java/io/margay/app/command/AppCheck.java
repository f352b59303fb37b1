package io.margay.app.command;

import io.margay.app.acme.OwnCertificates;
import io.margay.app.config.AdminSettings;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.StartException;
import io.margay.app.config.TransportChoice;
import io.margay.app.deploy.Deployments;
import io.margay.app.deploy.SharedResources;
import io.margay.app.deploy.UnpackedCopy;
import io.margay.app.logging.TomcatLogs;
import io.margay.app.shared.SharedState;
import io.margay.compat.tomcat.application.TomcatApplications;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.security.Realm;
import io.margay.servlet.xml.DescriptorException;
import io.margay.transport.TlsConfig;
import io.margay.transport.factory.TlsFiles;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks applications without starting them: archives are unpacked into a folder that is deleted
/// afterwards, and declarations are read. Immutable.
///
/// @param pages whether pages are compiled
/// @param notes takes what is no fault and yet to be known, a line each
record AppCheck(boolean pages, Consumer<String> notes) {
    /// What is wrong with a WAR or exploded folder, a line each.
    ///
    /// @param options of whose libraries applications may have classes
    List<String> app(Path app, DeployOptions options) {
        return all(config(new RouteSettings.App("", app, Map.of()), options));
    }

    /// What is wrong with the applications of a folder.
    List<String> folder(Path folder, DeployOptions options) {
        return all(config(new RouteSettings.Webapps(folder), options));
    }

    private static MargayConfig config(RouteSettings route, DeployOptions options) {
        return MargayConfig.defaults()
                .withDeploy(options)
                .withHosts(List.of(HostSettings.any(List.of(route))));
    }

    /// What is wrong with the applications of a configuration.
    List<String> all(MargayConfig config) {
        return all(config, true);
    }

    /// @param served whether the configuration could be served if its applications could
    List<String> all(MargayConfig config, boolean served) {
        List<String> problems = new ArrayList<>();
        listeners(config, problems);
        try {
            Path work = Files.createTempDirectory("margay-check-");
            try {
                SharedResources shared = SharedResources.checked(config, work, served);
                applications(config, work, shared, problems);
            } finally {
                delete(work);
            }
        } catch (IOException e) {
            throw new StartException("no temporary folder can be used: " + e.getMessage(), e);
        }
        return problems;
    }

    private static void listeners(MargayConfig config, List<String> problems) {
        problems.addAll(OwnCertificates.problems(config.acme()));
        Set<Path> own = config.acme().files();
        Map<Endpoint, @Nullable TlsConfig> all = new LinkedHashMap<>();
        config.listeners().forEach(one -> all.put(one.endpoint(), one.tls()));
        AdminSettings admin = config.admin();
        if (admin != null) {
            all.put(admin.endpoint(), admin.tls());
        }
        all.forEach((endpoint, tls) -> {
            Path socket = endpoint.socket();
            Path folder = socket == null ? null : socket.getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                problems.add("unix:" + socket + ": there is no folder " + folder);
            }
            if (tls != null) {
                problems.addAll(TlsFiles.problems(tls, one -> !own.contains(one.cert())));
            }
        });
    }

    private void applications(
            MargayConfig config, Path work, SharedResources shared, List<String> problems) {
        try {
            String conversion = shared.conversion();
            if (conversion != null) {
                notes.accept("libraries of all applications: " + conversion);
            }
            String unreachable = shared.unreachableSessions();
            if (unreachable != null) {
                // No error: a server starts all the same.
                notes.accept("sessions: " + unreachable);
            }
            String alone =
                    config.shared() == null ? null : SharedState.unreachable(config.shared());
            if (alone != null) {
                notes.accept("shared: " + alone);
            }
            if (config.shared() != null && config.shared().tickets()) {
                config.listeners().forEach(this::noteTickets);
            }
            for (HostSettings host : config.hosts()) {
                Realm users = Deployments.users(config, host, shared);
                Deployer deployer =
                        new Deployer(
                                DeploySettings.in(work)
                                        .withWarLimits(config.deploy().war())
                                        .withLibraryScan(config.deploy().libraryScan())
                                        .withContainer(shared.container())
                                        .withResources(shared.resources())
                                        .withWebApp(app -> app.withRealm(users))
                                        .withVendor(
                                                new TomcatApplications(
                                                        shared.defaults(host), new TomcatLogs()))
                                        .withConversion(
                                                config.deploy()
                                                        .javax()
                                                        .conversion(shared.isJavax())));
                host.routes().forEach(route -> check(route, deployer, problems));
            }
        } finally {
            shared.close();
        }
    }

    private void noteTickets(ListenerSettings listener) {
        TlsConfig tls = listener.tls();
        if (tls != null
                && (tls.provider() == TlsConfig.Provider.JSSE
                        || tls.clients().asksResponders()
                        || (listener.accepting().transport() == TransportChoice.BLOCKING
                                && tls.provider() == TlsConfig.Provider.AUTO))) {
            notes.accept(
                    "shared: sessions of TLS of "
                            + listener.scheme()
                            + " "
                            + listener.endpoint()
                            + " do not resume at other servers: its TLS is the JDK's");
        }
    }

    private void check(RouteSettings route, Deployer deployer, List<String> problems) {
        switch (route) {
            case RouteSettings.App app when Files.exists(app.app()) ->
                    check(
                            deployer,
                            new WebAppsFolder.Application(
                                    app.app(), app.contextPath(), app.version()),
                            problems);
            case RouteSettings.Webapps webapps when Files.isDirectory(webapps.folder()) -> {
                try {
                    WebAppsFolder.read(webapps.folder())
                            .applications()
                            .forEach(one -> check(deployer, one, problems));
                } catch (DeploymentException e) {
                    problems.addAll(lines(webapps.folder(), e));
                }
            }
            case RouteSettings.App _,
                    RouteSettings.Webapps _,
                    RouteSettings.StaticFiles _,
                    RouteSettings.Gateway _,
                    RouteSettings.Status _ -> {
                // Nothing of an application is there.
            }
        }
    }

    private void check(Deployer deployer, WebAppsFolder.Application of, List<String> problems) {
        Path app = of.file();
        String edited = UnpackedCopy.edited(app);
        if (edited != null) {
            problems.add(edited);
        }
        try {
            Deployer.Checked checked = deployer.check(of, pages);
            checked.notes().forEach(line -> notes.accept(app + ": " + line));
            if (checked.conversion() != null) {
                notes.accept(app + ": " + checked.conversion());
            }
            if (checked.pagesLeftOut() > 0) {
                notes.accept(
                        app
                                + ": "
                                + checked.pagesLeftOut()
                                + (checked.pagesLeftOut() == 1 ? " page is" : " pages are")
                                + " not compiled");
            }
        } catch (DeploymentException e) {
            problems.addAll(lines(app, e));
        }
    }

    /// One line per declaration that is wrong, or the one reason.
    private static List<String> lines(Path app, DeploymentException e) {
        return e.getCause() instanceof DescriptorException wrong
                ? String.valueOf(wrong.getMessage()).lines().map(line -> app + ": " + line).toList()
                : List.of(String.valueOf(e.getMessage()).replace('\n', ' '));
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
