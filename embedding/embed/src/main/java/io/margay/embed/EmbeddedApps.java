package io.margay.embed;

import io.margay.server.exchange.Handler;
import io.margay.server.files.OwnerOnly;
import io.margay.server.host.Routes;
import io.margay.servlet.WebApp;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.deploy.Folders;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.settings.WebAppSettings;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The applications of an embedded server while they run, and the folder that they work in. Changed
/// under the server's lock, and read by any thread.
final class EmbeddedApps {
    private static final System.Logger LOG = System.getLogger(EmbeddedApps.class.getName());

    private final List<EmbeddedApp> running = new CopyOnWriteArrayList<>();
    private final Map<String, Handler> routes = new LinkedHashMap<>();
    private final Path work;
    private final boolean temporary;

    /// Null = there are no handlers.
    private @Nullable HandlerWatch watch;

    private EmbeddedApps(Path work, boolean temporary) {
        this.work = work;
        this.temporary = temporary;
    }

    /// Starts all contexts, but for their servlets that load on start-up, and all applications.
    ///
    /// @throws ServerStartException when one cannot be started; none is left running
    static EmbeddedApps start(ServerPlan plan) {
        EmbeddedApps apps = in(plan.work());
        try {
            apps.handlers(plan.handlers());
            int number = 0;
            for (WebContext context : plan.contexts()) {
                Path own = apps.work.resolve("context-" + number++);
                WebAppSettings settings = apps.settings(plan, WebAppSettings.at(context.path()));
                apps.add(DeclaredContext.start(context, settings, own));
            }
            apps.deploy(plan);
            return apps;
        } catch (IOException | WebAppException | DeploymentException | IllegalArgumentException e) {
            apps.stop();
            throw new ServerStartException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            apps.stop();
            throw e;
        }
    }

    private static EmbeddedApps in(@Nullable Path work) {
        try {
            return work == null
                    ? new EmbeddedApps(Files.createTempDirectory("margay-"), true)
                    : new EmbeddedApps(OwnerOnly.createFolders(work), false);
        } catch (IOException e) {
            throw new ServerStartException("there is no folder to work in: " + e.getMessage(), e);
        }
    }

    private void handlers(Map<String, Handler> handlers) {
        if (handlers.isEmpty()) {
            return;
        }
        HandlerWatch made = new HandlerWatch();
        handlers.forEach((pattern, one) -> routes.put(pattern, made.watched(pattern, one)));
        made.start();
        watch = made;
    }

    private void deploy(ServerPlan plan) {
        if (plan.wars().isEmpty()) {
            return;
        }
        Deployer deployer =
                new Deployer(
                        DeploySettings.in(work.resolve("apps"))
                                .withWebApp(settings -> settings(plan, settings)));
        for (ServerPlan.War war : plan.wars()) {
            Deployment deployment = deployer.deploy(war.file(), war.path());
            add(
                    new EmbeddedApp(
                            deployment.webApp(),
                            () -> {
                                List<String> _ = deployment.undeploy();
                                deployment.letGoOfFiles(false);
                            }));
        }
    }

    private WebAppSettings settings(ServerPlan plan, WebAppSettings settings) {
        int secure =
                plan.listeners().stream()
                        .filter(one -> one.socket().tls() != null)
                        .mapToInt(one -> EmbeddedServer.port(one.socket().address()))
                        .findFirst()
                        .orElse(0);
        return plan.settings()
                .apply(
                        settings.withMemory(plan.http().memory())
                                .withSecurePort(secure)
                                .withContexts(path -> other(settings.contextPath(), path)));
    }

    private @Nullable ServletContext other(String own, String path) {
        for (EmbeddedApp app : running) {
            String at = app.webApp().contextPath();
            if (at.equals(path) && !at.equals(own)) {
                return app.webApp().context();
            }
        }
        return null;
    }

    private void add(EmbeddedApp app) {
        running.add(app);
        String pattern = app.webApp().contextPath() + "/*";
        if (routes.putIfAbsent(pattern, app.webApp().handler()) != null) {
            throw new IllegalArgumentException("two applications for " + pattern);
        }
    }

    /// Makes the servlets that load on start-up.
    ///
    /// @throws WebAppException when one refuses
    void load() {
        running.forEach(app -> app.webApp().load());
    }

    /// Where requests go.
    Routes routes() {
        return Routes.of(routes);
    }

    List<ServletContext> contexts() {
        return webApps().stream().map(WebApp::context).toList();
    }

    List<WebApp> webApps() {
        return running.stream().map(EmbeddedApp::webApp).toList();
    }

    /// Stops them in the opposite order.
    void stop() {
        for (EmbeddedApp app : running.reversed()) {
            try {
                app.webApp().leave();
                app.end().run();
            } catch (RuntimeException | LinkageError e) {
                LOG.log(Level.WARNING, "stopping " + app.webApp().contextPath(), e);
            }
        }
        running.clear();
        if (watch != null) {
            watch.close();
        }
        if (temporary) {
            try {
                Folders.delete(work);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "{0} is left: {1}", work, e.toString());
            }
        }
    }
}
