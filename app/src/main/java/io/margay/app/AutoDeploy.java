package io.margay.app;

import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.StartException;
import io.margay.app.deploy.AppFailure;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.AppVersions;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.WantedApps;
import io.margay.app.site.Site;
import io.margay.gateway.canary.CanaryReading;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Looks at the files of the applications again and again, and has the server deploy what has
/// changed: as Tomcat's `autoDeploy`. Confined to its thread, `margay-auto-deploy`, but for
/// `stopping`.
///
/// A file counts as changed when two looks in a row have found the same change, and its time is not
/// of this moment, so that what is still being copied is left alone. What is nevertheless deployed
/// too early fails, the version before stays in service, and the next change is another try.
final class AutoDeploy implements Runnable, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AutoDeploy.class.getName());

    /// How long nothing may have been written.
    private static final long QUIET_MILLIS = 1_000;

    /// Files looked at in a folder before it is taken for quiet.
    private static final int TREE_FILES_MAX = 10_000;

    private final MargayServer server;
    private final Thread thread;
    private Map<AppName, String> seen = new HashMap<>();
    private volatile boolean stopping;

    AutoDeploy(MargayServer server) {
        this.server = server;
        thread = Thread.ofPlatform().name("margay-auto-deploy").daemon().unstarted(this);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!stopping) {
            // Here, so that a start waits for no MBean server, and pools show once they are made.
            server.jmx().follow(server.config().jmx());
            AutoDeploySettings settings = server.config().deploy().auto();
            Duration every = settings.isOff() ? AutoDeploySettings.EVERY_DEFAULT : settings.every();
            LockSupport.parkNanos(this, every.toNanos());
            if (!stopping && !settings.isOff()) {
                look(settings);
            }
        }
    }

    private void look(AutoDeploySettings settings) {
        try {
            changes();
            if (settings.undeployOldVersions()) {
                oldVersions();
            }
        } catch (StartException e) {
            LOG.log(
                    stopping ? Level.DEBUG : Level.ERROR,
                    "nothing was deployed: {0}",
                    e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "looking for changed applications failed", e);
        }
    }

    /// Deploys what this look and the one before have found changed alike.
    private void changes() {
        Map<AppName, String> found = new HashMap<>();
        changed()
                .forEach((name, file) -> {
                    String state = state(file);
                    if (state != null) {
                        found.put(name, state);
                    }
                });
        Set<AppName> alike = new HashSet<>();
        found.forEach((name, state) -> {
            if (state.equals(seen.get(name))) {
                alike.add(name);
            }
        });
        seen = found;
        if (!alike.isEmpty()) {
            deploy(alike);
        }
    }

    /// Files that are not those of the applications that run, by the names of these.
    private Map<AppName, Path> changed() {
        Map<AppName, RunningApp.Key> wanted = WantedApps.withoutStamps(server.config()).keys();
        Site site = server.site();
        Map<AppName, Path> changed = new HashMap<>();
        wanted.forEach((name, key) -> {
            if (isChanged(site, key) && !server.isStopped(name)) {
                changed.put(name, key.file());
            }
        });
        for (RunningApp app : site.apps()) {
            if (!wanted.containsKey(app.name()) && isGone(app.key().file())) {
                changed.put(app.name(), app.key().file());
            }
        }
        return changed;
    }

    /// A folder that has gone as a whole, as by being unmounted, says nothing about its files.
    private static boolean isGone(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return Files.notExists(file) && folder != null && Files.isDirectory(folder);
    }

    private static boolean isChanged(Site site, RunningApp.Key key) {
        AppFailure failure = site.failure(key.name());
        RunningApp running = site.app(key.name());
        RunningApp.Key last =
                failure != null ? failure.key() : running != null ? running.key() : null;
        return last == null
                || !last.file().equals(key.file())
                || !last.watched().equals(key.watched());
    }

    /// Deploys what is still due when nobody else deploys: while the API deploys an application,
    /// its file is already there and it does not run yet.
    private void deploy(Set<AppName> alike) {
        server.lock();
        try {
            Set<AppName> due = changed().keySet();
            due.retainAll(alike);
            if (!due.isEmpty()) {
                change(due);
            }
        } finally {
            server.unlock();
        }
    }

    private void change(Set<AppName> due) {
        Site before = server.site();
        List<AppFailure> failures = server.change(due, ChangeCause.WATCHED);
        for (AppFailure failure : failures) {
            AppName name = Objects.requireNonNull(failure.key()).name();
            LOG.log(
                    Level.ERROR,
                    "{0}{1}",
                    failure.text(),
                    before.app(name) == null ? "" : " (" + name + " continues unchanged)");
        }
    }

    /// What tells whether a WAR or folder is still being written; null when it is for certain.
    private static @Nullable String state(Path file) {
        try {
            Tree tree = new Tree();
            Files.walkFileTree(file, tree);
            long age = System.currentTimeMillis() - tree.newestMillis;
            return age >= 0 && age < QUIET_MILLIS
                    ? null
                    : tree.files + " " + tree.bytes + " " + tree.newestMillis;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "looking at {0}: {1}", file, e.toString());
            return Files.exists(file) ? null : "absent";
        }
    }

    /// Counts what is in a folder. Confined to a look.
    private static final class Tree extends SimpleFileVisitor<Path> {
        private int files;
        private long bytes;
        private long newestMillis;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files++;
            bytes += attributes.size();
            newestMillis = Math.max(newestMillis, attributes.lastModifiedTime().toMillis());
            return files < TREE_FILES_MAX ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }
    }

    /// Whether the newest of several versions does not get all clients yet.
    private boolean isTried(Set<RunningApp> several) {
        RunningApp newest = AppVersions.newestFirst(List.copyOf(several)).getFirst();
        String path = newest.name().contextPath();
        String at = AppControl.hostOf(newest.name()) + (path.isEmpty() ? "/" : path);
        CanaryReading tried = server.site().newVersions().get(at);
        return tried != null && tried.share() < 1;
    }

    /// Undeploys versions that nobody uses any more.
    private void oldVersions() {
        Map<String, Set<RunningApp>> versions = new HashMap<>();
        for (RunningApp app : server.site().apps()) {
            String at = app.name().host() + " " + app.name().contextPath();
            versions.computeIfAbsent(at, _ -> new HashSet<>()).add(app);
        }
        for (Set<RunningApp> several : versions.values()) {
            for (RunningApp old :
                    AppVersions.newestFirst(List.copyOf(several)).stream().skip(1).toList()) {
                boolean unused =
                        !isTried(several)
                                && old.deployment().webApp().sessions() == 0
                                && old.requests().running() == 0;
                if (unused) {
                    Undeployment.remove(server, old.name(), ChangeCause.UNUSED);
                }
            }
        }
    }
}
