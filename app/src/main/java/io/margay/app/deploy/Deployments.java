package io.margay.app.deploy;

import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.logging.TomcatLogs;
import io.margay.compat.tomcat.application.HostDefaults;
import io.margay.compat.tomcat.application.TomcatApplications;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.realm.CombinedRealm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.UsersFile;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
public final class Deployments {
    private static final System.Logger LOG = System.getLogger(Deployments.class.getName());

    private Deployments() {}

    /// What came of deploying.
    ///
    /// @param apps those that run
    /// @param failures those that do not, and those that run as they were, and why
    public record Outcome(List<RunningApp> apps, List<AppFailure> failures) {}

    /// Deploys what is to run and does not run yet as it should. Where that fails and the
    /// application runs as it was before, it goes on running as it was.
    ///
    /// @param stopped what is not to run, though the configuration names it
    public static Outcome deploy(
            MargayConfig config,
            SharedResources shared,
            ServedApps before,
            AppChange change,
            Set<AppName> stopped,
            SiteContext site,
            DeployProgress progress) {
        WantedApps wanted = WantedApps.of(config);
        List<RunningApp> apps = new ArrayList<>();
        List<AppFailure> failures = new ArrayList<>();
        List<RunningApp.Key> todo = new ArrayList<>();
        switch (change) {
            case AppChange.ToConfiguration _ -> {
                wanted.skipped().forEach(line -> LOG.log(Level.INFO, line));
                failures.addAll(wanted.failures());
                for (RunningApp.Key key : wanted.keys().values()) {
                    RunningApp running = before.app(key.name());
                    if (running != null && running.key().equals(key)) {
                        apps.add(running);
                    } else if (!stopped.contains(key.name())) {
                        todo.add(key);
                    }
                }
            }
            case AppChange.Of(Set<AppName> names) -> {
                for (RunningApp app : before.apps()) {
                    if (!names.contains(app.name())) {
                        apps.add(app);
                    }
                }
                for (AppFailure failure : before.failures()) {
                    if (failure.key() == null || !names.contains(failure.key().name())) {
                        failures.add(failure);
                    }
                }
                for (AppName name : names) {
                    RunningApp.Key key = wanted.keys().get(name);
                    if (key != null && !stopped.contains(name)) {
                        todo.add(key);
                    }
                }
            }
        }
        if (!todo.isEmpty()) { // Otherwise nothing of the container is loaded.
            Map<List<String>, Deployer> deployers = deployers(config, todo, shared, site);
            deploy(deployers, todo, before, progress, apps, failures);
        }
        return new Outcome(apps, failures);
    }

    private static void deploy(
            Map<List<String>, Deployer> deployers,
            List<RunningApp.Key> todo,
            ServedApps before,
            DeployProgress progress,
            List<RunningApp> apps,
            List<AppFailure> failures) {
        AtomicInteger done = new AtomicInteger();
        List<Object> results =
                parallel(
                        todo,
                        key -> {
                            Deployer deployer =
                                    Objects.requireNonNull(deployers.get(key.name().host()));
                            Object result = deploy(deployer, key);
                            progress.deployed(done.incrementAndGet(), todo.size(), key.toString());
                            return result;
                        });
        for (Object result : results) {
            if (result instanceof RunningApp app) {
                apps.add(app);
            } else if (result instanceof AppFailure failure) {
                failures.add(failure);
                RunningApp.Key key = Objects.requireNonNull(failure.key());
                RunningApp running = before.app(key.name());
                if (running != null) {
                    apps.add(running);
                }
            }
        }
    }

    private static Map<List<String>, Deployer> deployers(
            MargayConfig config,
            List<RunningApp.Key> todo,
            SharedResources shared,
            SiteContext site) {
        Set<List<String>> wanted = new HashSet<>();
        todo.forEach(key -> wanted.add(key.name().host()));
        Map<List<String>, Deployer> deployers = new HashMap<>();
        Realm realm = realm(config, shared, site.lockOuts());
        for (HostSettings host : config.hosts()) {
            if (!wanted.contains(host.names())) {
                continue;
            }
            deployers.put(host.names(), new Deployer(settings(config, host, realm, shared, site)));
        }
        return deployers;
    }

    /// Other users are another deployment, so that nobody stays logged in who is gone; so are other
    /// shared libraries, and another port of HTTPS.
    static String stamp(MargayConfig config, Path file) {
        Path users = config.deploy().users();
        String stamp =
                String.join(
                        " ",
                        RunningApp.stamp(file),
                        String.valueOf(securePort(config)),
                        SharedResources.stamp(config));
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

    /// The users of the file, then those of the other realms; null = nobody can log in.
    public static @Nullable Realm realm(
            MargayConfig config, SharedResources shared, LockOuts lockOuts) {
        List<Realm> realms = new ArrayList<>();
        Path users = config.deploy().users();
        if (users != null) {
            realms.add(users(users));
        }
        realms.addAll(shared.realms());
        if (realms.isEmpty()) {
            return null;
        }
        return lockOuts.ofServer(
                realms.size() == 1 ? realms.getFirst() : new CombinedRealm(realms),
                config.deploy().lockOut());
    }

    /// The users of a host's applications, which are looked at alone; null = nobody can log in.
    public static @Nullable Realm users(
            MargayConfig config, HostSettings host, SharedResources shared) {
        HostDefaults tomcat = shared.defaults(host);
        return tomcat == null ? realm(config, shared, new LockOuts()) : shared.realm(tomcat);
    }

    /// The users of a file.
    static Realm users(Path file) {
        try {
            return UsersFile.read(file.toString(), Files.readAllBytes(file));
        } catch (WebAppException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new StartException(
                    "the users cannot be read from " + file + ": " + e.getMessage(), e);
        }
    }

    private static DeploySettings settings(
            MargayConfig config,
            HostSettings host,
            @Nullable Realm realm,
            SharedResources shared,
            SiteContext site) {
        String name = host.names().isEmpty() ? "localhost" : host.names().getFirst();
        HostDefaults tomcat = shared.defaults(host);
        Realm users = tomcat == null ? realm : shared.realm(tomcat);
        int securePort = tomcat == null ? securePort(config) : tomcat.redirectPort();
        DeploySettings settings = DeploySettings.in(config.work());
        // Pages of a base were written for Tomcat, which begins with the specification's encoding.
        return settings.withEncoding(tomcat == null ? settings.encoding() : null)
                .withJsp(config.deploy().pages())
                .withWarLimits(config.deploy().war())
                .withLibraryScan(config.deploy().libraryScan())
                .withContainer(shared.container())
                .withResources(shared.resources())
                .withVendor(new TomcatApplications(tomcat, new TomcatLogs()))
                .withConversion(config.deploy().javax().conversion(shared.isJavax()))
                .withWebApp(app ->
                        app.withHostName(name)
                                .withContexts(path -> context(site, host, app.contextPath(), path))
                                .withRealm(users)
                                .withSingleSignOn(shared.signOn(host))
                                .withMemory(site.memory())
                                .withSecurePort(securePort)
                                .withLimits(config.limits().servlet())
                                .withFirstParameters(tomcat != null && shared.isBefore11())
                                .withErrorDetails(config.deploy().errorDetails())
                                .withTrace(config.deploy().trace())
                                .withSessions(
                                        app.sessions()
                                                .withStores(shared.sessions())
                                                .withFile(
                                                        sessionFile(
                                                                config,
                                                                host,
                                                                app.sessions().file()))
                                                .withRoute(config.sessions().route())
                                                .withDrainDisabled(
                                                        config.sessions().drainDisabled())));
    }

    /// The other application of a host that serves a path; null = none other does.
    private static @Nullable ServletContext context(
            SiteContext site, HostSettings host, String own, String path) {
        RunningApp found = site.inForce().get().find(host.names(), path);
        return found == null || found.name().contextPath().equals(own)
                ? null
                : found.deployment().webApp().context();
    }

    /// Where an application's sessions are kept: in the folder of the configuration, if it names
    /// one; in a file of the host's own, for several hosts may serve the same application.
    private static @Nullable Path sessionFile(
            MargayConfig config, HostSettings host, @Nullable Path byDefault) {
        if (byDefault == null) {
            return null;
        }
        String first = host.names().isEmpty() ? "" : host.names().getFirst() + "-";
        String name = first.replaceAll("[^A-Za-z0-9_.-]", "_") + byDefault.getFileName();
        Path folder = config.sessions().folder();
        if (folder == null) {
            return byDefault.resolveSibling(name);
        }
        try {
            return Files.createDirectories(folder).resolve(name);
        } catch (IOException e) {
            throw new StartException(
                    "sessions cannot be kept in " + folder + ": " + e.getMessage(), e);
        }
    }

    /// A [RunningApp], or the [AppFailure] that says why not: whatever is wrong with an
    /// application, the server goes on.
    private static Object deploy(Deployer deployer, RunningApp.Key key) {
        long begin = System.nanoTime();
        try {
            Deployment deployment =
                    deployer.deploy(
                            new WebAppsFolder.Application(
                                    key.file(), key.name().contextPath(), key.name().version()),
                            key.params());
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            return new RunningApp(key, deployment, took);
        } catch (DeploymentException e) {
            LOG.log(Level.DEBUG, "not deployed: " + key, e);
            return new AppFailure(key, String.valueOf(e.getMessage()));
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.log(Level.DEBUG, "not deployed: " + key, e);
            return new AppFailure(key, key.file() + ": cannot be deployed: " + e);
        }
    }

    /// Ends what clients would keep up for as long as they like.
    public static void leave(List<RunningApp> apps) {
        for (RunningApp app : apps) {
            try {
                app.deployment().webApp().leave();
            } catch (RuntimeException | LinkageError e) {
                LOG.log(Level.WARNING, "telling clients of " + app.key(), e);
            }
        }
    }

    /// An application that has been stopped.
    ///
    /// @param left what it leaves behind in the JVM, a line each
    public record Stopped(RunningApp app, List<String> left) {}

    /// Stops applications, which keeps their sessions.
    ///
    /// @param undeployment how; tells what is left behind
    public static List<Stopped> stop(
            List<RunningApp> apps, Function<Deployment, List<String>> undeployment) {
        return parallel(
                apps,
                app -> {
                    try {
                        return new Stopped(app, undeployment.apply(app.deployment()));
                    } catch (RuntimeException | LinkageError e) {
                        LOG.log(Level.WARNING, "stopping " + app.key(), e);
                        return new Stopped(app, List.of());
                    }
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
