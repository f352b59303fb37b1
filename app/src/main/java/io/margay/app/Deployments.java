package io.margay.app;

import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.UsersFile;
import io.margay.servlet.settings.WebAppException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Deploys and stops applications side by side. Stateless.
final class Deployments {
    private static final System.Logger LOG = System.getLogger(Deployments.class.getName());

    private Deployments() {}

    /// Deploys what a configuration names and `running` does not have yet.
    ///
    /// @param failures receives a line for each application that could not be deployed
    /// @return those that run, in the order of the configuration
    static List<RunningApp> deploy(
            MargayConfig config,
            List<RunningApp> running,
            DeployProgress progress,
            List<String> failures) {
        List<RunningApp.Key> wanted = new ArrayList<>();
        for (HostSettings host : config.hosts()) {
            wanted.addAll(expand(config, host, failures));
        }
        if (wanted.isEmpty()) {
            return List.of(); // Nothing of the container is loaded.
        }
        Map<RunningApp.Key, RunningApp> known = new HashMap<>();
        running.forEach(app -> known.put(app.key(), app));
        Map<List<String>, Deployer> deployers = new HashMap<>();
        Realm realm = realm(config);
        for (HostSettings host : config.hosts()) {
            deployers.put(host.names(), new Deployer(settings(config, host, realm)));
        }
        AtomicInteger done = new AtomicInteger();
        List<Object> results =
                parallel(
                        wanted,
                        key -> {
                            RunningApp before = known.get(key);
                            Object result =
                                    before != null
                                            ? before
                                            : deploy(
                                                    Objects.requireNonNull(
                                                            deployers.get(key.host())),
                                                    key);
                            progress.deployed(
                                    done.incrementAndGet(), wanted.size(), key.toString());
                            return result;
                        });
        List<RunningApp> apps = new ArrayList<>();
        for (Object result : results) {
            if (result instanceof RunningApp app) {
                apps.add(app);
            } else {
                failures.add(result.toString());
            }
        }
        return apps;
    }

    /// The applications of a host: those of its routes, then those of its folders.
    private static List<RunningApp.Key> expand(
            MargayConfig config, HostSettings host, List<String> failures) {
        List<RunningApp.Key> keys = new ArrayList<>();
        Set<String> paths = new HashSet<>();
        for (RouteSettings route : host.routes()) {
            switch (route) {
                case RouteSettings.App app -> {
                    if (taken(paths, app.contextPath(), app.app(), failures)) {
                        keys.add(key(config, host, app.contextPath(), app.app(), app.params()));
                    }
                }
                case RouteSettings.StaticFiles files -> paths.add(files.prefix());
                case RouteSettings.Gateway gateway -> paths.add(gateway.prefix());
                case RouteSettings.Status page -> paths.add(page.prefix());
                case RouteSettings.Webapps _ -> {
                    // After the routes that name their paths.
                }
            }
        }
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.Webapps(Path folder)) {
                for (WebAppsFolder.Application app : read(folder, failures)) {
                    if (taken(paths, app.contextPath(), app.file(), failures)) {
                        keys.add(key(config, host, app.contextPath(), app.file(), Map.of()));
                    }
                }
            }
        }
        return keys;
    }

    private static boolean taken(
            Set<String> paths, String path, Path source, List<String> failures) {
        if (!paths.add(path)) {
            failures.add(
                    source + ": not served, because something else is served at " + path + "/");
            return false;
        }
        return true;
    }

    private static List<WebAppsFolder.Application> read(Path folder, List<String> failures) {
        try {
            WebAppsFolder read = WebAppsFolder.read(folder);
            read.skipped().forEach(line -> LOG.log(Level.INFO, line));
            return read.applications();
        } catch (DeploymentException e) {
            failures.add(String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private static RunningApp.Key key(
            MargayConfig config,
            HostSettings host,
            String path,
            Path file,
            Map<String, String> params) {
        return new RunningApp.Key(
                host.names(),
                path,
                file,
                stamp(config, file),
                params,
                config.limits().servlet(),
                config.deploy());
    }

    /// Other users are another deployment, so that nobody stays logged in who is gone; so is
    /// another port of HTTPS.
    private static String stamp(MargayConfig config, Path file) {
        Path users = config.deploy().users();
        String stamp = RunningApp.stamp(file) + " " + securePort(config);
        return users == null ? stamp : stamp + " " + RunningApp.stamp(users);
    }

    /// Port of the first HTTPS listener; 0 = there is none, or the system chooses its port.
    private static int securePort(MargayConfig config) {
        return config.listeners().stream()
                .filter(listener -> listener.tls() != null)
                .mapToInt(listener -> listener.endpoint().port())
                .findFirst()
                .orElse(0);
    }

    private static @Nullable Realm realm(MargayConfig config) {
        Path users = config.deploy().users();
        if (users == null) {
            return null;
        }
        try {
            return UsersFile.read(users.toString(), Files.readAllBytes(users));
        } catch (WebAppException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new StartException(
                    "the users cannot be read from " + users + ": " + e.getMessage(), e);
        }
    }

    private static DeploySettings settings(
            MargayConfig config, HostSettings host, @Nullable Realm realm) {
        String name = host.names().isEmpty() ? "localhost" : host.names().getFirst();
        return DeploySettings.in(config.work())
                .withJsp(config.deploy().pages())
                .withWarLimits(config.deploy().war())
                .withWebApp(app ->
                        app.withHostName(name)
                                .withRealm(realm)
                                .withSecurePort(securePort(config))
                                .withLimits(config.limits().servlet())
                                .withErrorDetails(config.deploy().errorDetails())
                                .withSessionFile(sessionFile(config, app.sessionFile())));
    }

    /// Where an application's sessions are kept: in the folder of the configuration, if it names
    /// one.
    private static @Nullable Path sessionFile(MargayConfig config, @Nullable Path byDefault) {
        Path folder = config.sessions().folder();
        if (folder == null || byDefault == null) {
            return byDefault;
        }
        try {
            return Files.createDirectories(folder).resolve(byDefault.getFileName());
        } catch (IOException e) {
            throw new StartException(
                    "sessions cannot be kept in " + folder + ": " + e.getMessage(), e);
        }
    }

    /// A [RunningApp], or the line that says why not: whatever is wrong with an application, the
    /// server goes on.
    private static Object deploy(Deployer deployer, RunningApp.Key key) {
        long begin = System.nanoTime();
        try {
            Deployment deployment = deployer.deploy(key.file(), key.contextPath(), key.params());
            LOG.log(
                    Level.DEBUG,
                    "deployed {0} in {1} ms",
                    key,
                    (System.nanoTime() - begin) / 1_000_000);
            return new RunningApp(key, deployment);
        } catch (DeploymentException e) {
            LOG.log(Level.DEBUG, "not deployed: " + key, e);
            return String.valueOf(e.getMessage());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.log(Level.DEBUG, "not deployed: " + key, e);
            return key.file() + ": cannot be deployed: " + e;
        }
    }

    /// Stops applications, which keeps their sessions.
    static void stop(List<RunningApp> apps) {
        parallel(
                apps,
                app -> {
                    try {
                        app.deployment().undeploy();
                    } catch (RuntimeException | LinkageError e) {
                        LOG.log(Level.WARNING, "stopping " + app.key(), e);
                    }
                    return app;
                });
    }

    /// Applies `work` to all items, each on one of as many threads as there are processors; one
    /// item is worked on by the caller.
    private static <T, R> List<R> parallel(List<T> items, Function<T, R> work) {
        if (items.size() < 2) {
            return items.stream().map(work).toList();
        }
        int threads = Math.min(items.size(), Runtime.getRuntime().availableProcessors());
        AtomicInteger number = new AtomicInteger();
        try (ExecutorService executor =
                Executors.newFixedThreadPool(
                        threads,
                        task ->
                                Thread.ofPlatform()
                                        .name("margay-deploy-" + number.incrementAndGet())
                                        .unstarted(task))) {
            List<Future<R>> futures = new ArrayList<>();
            for (T item : items) {
                futures.add(executor.submit(() -> work.apply(item)));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted", e);
        } catch (ExecutionException e) {
            throw new StartException("deployment failed: " + e.getCause(), e.getCause());
        }
    }
}
