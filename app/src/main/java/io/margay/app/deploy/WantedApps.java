package io.margay.app.deploy;

import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.CatalinaHost;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.deploy.WebAppsFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The applications that a configuration names and its folders hold, as of now. Immutable.
///
/// @param keys by name, in the order of the configuration
/// @param failures what cannot be served, and why
/// @param skipped what of the folders is no application, a line each
public record WantedApps(
        Map<AppName, RunningApp.Key> keys, List<AppFailure> failures, List<String> skipped) {
    /// Looks at the folders.
    public static WantedApps of(MargayConfig config) {
        return found(new Search(config, true));
    }

    /// A look every other second, which leaves out the stamps of its keys: these cost several times
    /// as many system calls as all the rest.
    public static WantedApps withoutStamps(MargayConfig config) {
        return found(new Search(config, false));
    }

    private static WantedApps found(Search search) {
        search.config.hosts().forEach(search::host);
        return new WantedApps(search.keys, search.failures, search.skipped);
    }

    /// The folder whose applications are deployed by being there: that of the configuration, or one
    /// in the work folder for what the admin API deploys.
    public static Path folder(MargayConfig config, HostSettings host) {
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.Webapps(Path folder)) {
                return folder;
            }
        }
        return folders(config).resolve(name(host));
    }

    /// The folder of those folders.
    private static Path folders(MargayConfig config) {
        return config.work().resolve("webapps");
    }

    private static String name(HostSettings host) {
        String name = host.names().isEmpty() ? "any" : host.names().getFirst();
        return name.replace("*", "any");
    }

    /// One look at everything. Confined to a thread.
    private static final class Search {
        /// What serves a path that is no file.
        private static final Path NO_FILE = Path.of("");

        private final MargayConfig config;
        private final boolean stamped;
        private final Map<AppName, RunningApp.Key> keys = new LinkedHashMap<>();
        private final List<AppFailure> failures = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();

        /// Hosts that the admin API may have deployed something to, few of thousands; null = all.
        private final @Nullable Set<String> deployedTo;

        Search(MargayConfig config, boolean stamped) {
            this.config = config;
            this.stamped = stamped;
            deployedTo = names(folders(config));
        }

        private static @Nullable Set<String> names(Path folder) {
            try (Stream<Path> all = Files.list(folder)) {
                return all.map(one -> String.valueOf(one.getFileName()))
                        .collect(Collectors.toSet());
            } catch (NoSuchFileException e) {
                return Set.of();
            } catch (IOException | UncheckedIOException e) {
                return null; // Each is looked at.
            }
        }

        /// The applications of a host: those of its routes, then those of its folders at paths that
        /// no route has.
        void host(HostSettings host) {
            for (RouteSettings route : host.routes()) {
                if (route instanceof RouteSettings.App app) {
                    add(host, app.contextPath(), app.version(), app.app(), app.params());
                }
            }
            Set<Path> folders = looked(host);
            if (!folders.isEmpty()) { // Of thousands of hosts few have one.
                host(host, folders);
            }
        }

        /// The folders that are looked at for applications of a host.
        private Set<Path> looked(HostSettings host) {
            Set<Path> folders = Set.of();
            for (RouteSettings route : host.routes()) {
                if (route instanceof RouteSettings.Webapps(Path folder)) {
                    folders = folders.isEmpty() ? new HashSet<>() : folders;
                    folders.add(folder);
                }
            }
            if (deployedTo == null || deployedTo.contains(name(host))) {
                Path folder = folder(config, host);
                if (Files.isDirectory(folder)) {
                    folders = folders.isEmpty() ? new HashSet<>() : folders;
                    folders.add(folder);
                }
            }
            return folders;
        }

        private void host(HostSettings host, Set<Path> folders) {
            Map<String, Path> versions = new HashMap<>();
            Map<String, Path> paths = new HashMap<>();
            for (RouteSettings route : host.routes()) {
                switch (route) {
                    case RouteSettings.App app ->
                            versions.put(versioned(app.contextPath(), app.version()), app.app());
                    case RouteSettings.StaticFiles files ->
                            paths.put(files.prefix(), files.folder());
                    case RouteSettings.Gateway _, RouteSettings.Status _ ->
                            paths.put(route.prefix(), NO_FILE);
                    case RouteSettings.Webapps _ -> {}
                }
            }
            for (Path one : folders) {
                for (WebAppsFolder.Application app : read(one)) {
                    Path taken =
                            versions.getOrDefault(
                                    versioned(app.contextPath(), app.version()),
                                    paths.get(app.contextPath()));
                    if (app.file().equals(taken)) {
                        continue; // A route names the very application.
                    }
                    if (taken != null) {
                        failures.add(taken(app.file(), app.contextPath()));
                    } else {
                        add(host, app.contextPath(), app.version(), app.file(), Map.of());
                    }
                }
            }
        }

        private void add(
                HostSettings host,
                String path,
                String version,
                Path file,
                Map<String, String> params) {
            AppName name = new AppName(host.names(), path, version);
            RunningApp.Key key =
                    RunningAppKeyBuilder.builder()
                            .name(name)
                            .file(file)
                            .stamp(stamped ? stamp(host, versioned(path, version), file) : "")
                            .watched(RunningApp.watched(file))
                            .params(params)
                            .limits(config.limits().servlet())
                            .options(config.deploy().withAuto(AutoDeploySettings.none()))
                            .sessions(config.sessions())
                            .build();
            if (keys.putIfAbsent(name, key) != null) {
                failures.add(taken(file, path));
            }
        }

        private String stamp(HostSettings host, String versioned, Path file) {
            return Deployments.stamp(config, file) + descriptor(host, versioned);
        }

        private static String versioned(String path, String version) {
            return WebAppsFolder.baseName(path, version);
        }

        /// Tells whether the descriptor of an application beside Tomcat's server.xml has changed.
        private static String descriptor(HostSettings host, String versioned) {
            CatalinaHost catalina = host.catalina();
            Path file =
                    catalina == null
                            ? null
                            : CatalinaBase.descriptor(catalina.base(), catalina.name(), versioned);
            return file == null ? "" : " " + file + " " + RunningApp.stamp(file);
        }

        private static AppFailure taken(Path source, String path) {
            return new AppFailure(
                    null,
                    source + ": not served, because something else is served at " + path + "/");
        }

        private List<WebAppsFolder.Application> read(Path folder) {
            try {
                WebAppsFolder read = WebAppsFolder.read(folder);
                skipped.addAll(read.skipped());
                return read.applications();
            } catch (DeploymentException e) {
                failures.add(new AppFailure(null, String.valueOf(e.getMessage())));
                return List.of();
            }
        }
    }
}
