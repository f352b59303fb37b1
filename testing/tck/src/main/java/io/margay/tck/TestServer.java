package io.margay.tck;

import io.margay.compat.tomcat.application.TomcatApplications;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.InlineDispatcher;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Handler;
import io.margay.server.host.Routes;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.UsersFile;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import jakarta.servlet.ServletContext;
import jakarta.servlet.SessionTrackingMode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jspecify.annotations.Nullable;

/// A server whose applications come and go. Its methods are for one thread; applications find each
/// other from any.
final class TestServer implements AutoCloseable {
    private static final String TRANSPORT = System.getProperty("margay.tck.transport", "nio");

    /// `loop` has every servlet begin on the loop of its connection, `pool` none.
    private static final String DISPATCH = System.getProperty("margay.tck.dispatch", "pool");

    /// Where an application says that it wants to see others.
    private static final String CONTEXT_XML = "META-INF/context.xml";

    private final Path folder;
    private final Transport transport;
    private final Dispatcher workers;
    private final HttpServer server;
    private final int port;
    private final Deployer deployer;
    private final Realm users;
    private final Map<String, Deployment> deployments = new ConcurrentHashMap<>();
    private volatile Routes routes = Routes.of(Map.of());

    private TestServer(boolean secure) throws IOException {
        folder = Files.createTempDirectory("margay-tck");
        users = users();
        deployer =
                new Deployer(
                        DeploySettings.in(folder.resolve("work"))
                                .withEncoding(null)
                                .withVendor(new TomcatApplications())
                                .withWebApp(app -> with(app).withTrace(true)));
        transport = Transports.open(TRANSPORT, TransportConfig.defaults());
        WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
        workers = DISPATCH.equals("loop") ? new InlineDispatcher(pool, 0, 0) : pool;
        server = new HttpServer(exchange -> routes.handle(exchange), workers);
        ListenerConfig listener = ListenerConfig.of(new InetSocketAddress("localhost", 0));
        if (secure) {
            listener = listener.withTls(TestCertificates.in(folder));
        }
        var bound = server.listen(transport, listener).socket().address();
        port = ((InetSocketAddress) bound).getPort();
        // Some suites do not ask Arquillian.
        System.setProperty("webServerHost", "localhost");
        System.setProperty("webServerPort", Integer.toString(port));
    }

    private static Realm users() throws IOException {
        String name = "tomcat-users.xml";
        try (InputStream file = TestServer.class.getResourceAsStream(name)) {
            return UsersFile.read(name, Objects.requireNonNull(file).readAllBytes());
        }
    }

    /// Starts with nothing deployed.
    ///
    /// @param secure whether it speaks TLS and asks for a client certificate
    static TestServer start(boolean secure) throws IOException {
        return new TestServer(secure);
    }

    /// What the suite asserts and an application cannot ask for itself.
    private WebAppSettings with(WebAppSettings app) {
        return app.withAbsoluteRedirects(true)
                .withSessionFile(null)
                .withSessionTracking(
                        Set.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL))
                .withLocaleEncodings(Map.of("ja", "Shift_JIS"))
                .withRealm(users)
                .withContexts(path -> context(path));
    }

    int port() {
        return port;
    }

    /// The archive's name without `.war`; empty for ROOT.
    static String contextPath(Archive<?> archive) {
        String name = archive.getName().replaceFirst("\\.war$", "");
        return name.equals("ROOT") ? "" : "/" + name;
    }

    void deploy(Archive<?> archive) throws IOException {
        if (!archive.contains(CONTEXT_XML)) {
            archive.add(new StringAsset("<Context crossContext=\"true\"/>"), CONTEXT_XML);
        }
        Path war = folder.resolve(archive.getName());
        archive.as(ZipExporter.class).exportTo(war.toFile(), true);
        String path = contextPath(archive);
        deployments.put(path, deployer.deploy(war, path));
        route();
    }

    void undeploy(Archive<?> archive) {
        Deployment gone = deployments.remove(contextPath(archive));
        route();
        if (gone != null) {
            gone.undeploy();
        }
    }

    private void route() {
        Map<String, Handler> table = new HashMap<>();
        deployments.forEach((path, app) -> table.put(path + "/*", app.webApp().handler()));
        routes = Routes.of(table);
    }

    /// The application with the longest context path that a path begins with.
    private @Nullable ServletContext context(String uriPath) {
        String candidate = uriPath;
        while (true) {
            Deployment found = deployments.get(candidate.equals("/") ? "" : candidate);
            if (found != null) {
                return found.webApp().context();
            }
            int slash = candidate.lastIndexOf('/');
            if (slash < 0) {
                return null;
            }
            candidate = candidate.substring(0, slash);
        }
    }

    @Override
    public void close() {
        server.close();
        deployments.values().forEach(Deployment::undeploy);
        deployments.clear();
        workers.close();
        transport.close();
    }
}
