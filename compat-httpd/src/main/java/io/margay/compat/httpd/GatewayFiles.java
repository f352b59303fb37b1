package io.margay.compat.httpd;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.GatewayPlan.WatchedFile;
import io.margay.gateway.config.UpstreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads `httpd.conf`, `workers.properties` and `uriworkermap.properties`, alone or together, into
/// a plan. Confined to one reading.
public final class GatewayFiles {
    /// What a file is.
    public enum Kind {
        HTTPD,
        WORKERS,
        URI_MAP
    }

    private final Account account = new Account();
    private final Map<String, String> environment;
    private final List<Path> httpd = new ArrayList<>();
    private final List<Path> workers = new ArrayList<>();
    private final List<Path> maps = new ArrayList<>();
    private final List<Path> mapsUsed = new ArrayList<>();
    private final List<WatchedFile> watched = new ArrayList<>();

    private GatewayFiles(Map<String, String> environment) {
        this.environment = environment;
    }

    /// What a file is, by its name and its first lines; empty for what is none of them.
    public static Optional<Kind> kind(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        boolean properties = name.endsWith(".properties");
        if (!properties && !name.endsWith(".conf")) {
            return Optional.empty();
        }
        try {
            if (!properties) {
                return Optional.of(Kind.HTTPD);
            }
            for (String line : TextFile.read(file, name).lines()) {
                String text = line.strip();
                if (text.startsWith("worker.")) {
                    return Optional.of(Kind.WORKERS);
                }
                if (text.matches("[/!*?-].*=.*")) {
                    return Optional.of(Kind.URI_MAP);
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.of(name.contains("map") ? Kind.URI_MAP : Kind.WORKERS);
    }

    /// Reads files.
    ///
    /// @param environment variables of the process
    /// @throws IllegalArgumentException when a file is of no known kind
    public static GatewayPlan read(List<Path> files, Map<String, String> environment) {
        GatewayFiles reading = new GatewayFiles(environment);
        for (Path file : files) {
            switch (kind(file)
                    .orElseThrow(() ->
                            new IllegalArgumentException(
                                    file
                                            + " is none of httpd.conf, workers.properties,"
                                            + " uriworkermap.properties"))) {
                case HTTPD -> reading.httpd.add(file);
                case WORKERS -> reading.workers.add(file);
                case URI_MAP -> reading.maps.add(file);
            }
        }
        return reading.read();
    }

    private GatewayPlan read() {
        WorkerProperties properties = new WorkerProperties(environment, account);
        Path folder = folder(httpd.isEmpty() ? null : httpd.getFirst());
        HttpdReader reader = new HttpdReader(account, properties, folder);
        HttpdParser parser = new HttpdParser(account, environment);
        for (Path file : httpd) {
            text(file)
                    .ifPresent(text -> {
                        List<HttpdNode> nodes = parser.parse(text, folder(file));
                        reader.serverRoot(parser.serverRoot());
                        reader.read(nodes);
                    });
        }
        parser.end();
        for (Path file : workers) {
            text(file).ifPresent(properties::read);
        }
        workersFiles(reader, properties);
        Workers jk =
                properties.workerProperties().isEmpty() && maps.isEmpty() && !isMounted(reader)
                        ? Workers.NONE
                        : new WorkersReader(
                                        properties,
                                        account,
                                        !HostRules.hasOption(reader, reader.main, "disablereuse"))
                                .read();
        Map<HttpdServer, List<MountRule>> mounts = mounts(reader, jk);
        HttpdHosts hosts = new HttpdHosts(reader);
        List<GatewayPlan.HostPlan> made = hosts.hosts(mounts, jk);
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        made.stream()
                .flatMap(host -> host.rules().stream())
                .map(rule -> rule.upstream())
                .filter(name -> name != null && jk.upstreams().containsKey(name))
                .distinct()
                .forEach(name -> upstreams.put(name, jk.upstreams().get(name)));
        reader.workers
                .build()
                .forEach((name, upstream) -> {
                    if (upstreams.put(name, upstream) != null) {
                        account.wrong(
                                new Place("", 0),
                                name,
                                "is the name of a worker of mod_jk and of a balancer; rename one");
                    }
                });
        return new GatewayPlan(
                hosts.listeners(),
                made,
                List.copyOf(upstreams.values()),
                jk.status(),
                watched,
                account.lines());
    }

    private static boolean isMounted(HttpdReader reader) {
        return reader.servers.stream()
                .anyMatch(server -> !server.mounts.isEmpty() || !server.mountFiles.isEmpty());
    }

    private static Path folder(@Nullable Path file) {
        Path parent = file == null ? null : file.toAbsolutePath().getParent();
        return parent == null ? Path.of("").toAbsolutePath() : parent;
    }

    private Optional<TextFile> text(Path file) {
        try {
            return Optional.of(TextFile.read(file, file.toString()));
        } catch (IOException e) {
            account.wrong(
                    new Place(file.toString(), 0), "the file", "cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    /// `JkWorkersFile`: the file that it names, or, where it is not on this machine, the one that
    /// was given with it.
    private void workersFiles(HttpdReader reader, WorkerProperties properties) {
        for (HttpdNode node : reader.workersFiles) {
            Path path = reader.path(node.argument(0));
            if (path != null && Files.isRegularFile(path)) {
                if (isGiven(path, workers)) {
                    reader.honoured(node);
                } else {
                    text(path).ifPresent(properties::read);
                    reader.honoured(node);
                }
            } else if (!workers.isEmpty()) {
                reader.noted(node, workers.getFirst() + " takes its place");
            } else {
                reader.wrong(
                        node,
                        node.argument(0)
                                + " is no file here; name workers.properties on the command line"
                                + " too");
            }
        }
    }

    private static boolean isGiven(Path path, List<Path> files) {
        return files.stream()
                .anyMatch(file ->
                        file.toAbsolutePath()
                                .normalize()
                                .equals(path.toAbsolutePath().normalize()));
    }

    /// The mounts of each server: its own, those of its files, those of workers, and the main
    /// server's where it copies them.
    private Map<HttpdServer, List<MountRule>> mounts(HttpdReader reader, Workers jk) {
        Map<HttpdServer, List<MountRule>> own = new LinkedHashMap<>();
        for (HttpdServer server : reader.servers) {
            List<MountRule> rules = new ArrayList<>(server.mounts);
            server.mountFiles.forEach(node -> rules.addAll(mountFile(node, reader)));
            own.put(server, rules);
        }
        for (Path file : maps) {
            if (!mapsUsed.contains(file)) {
                List<MountRule> rules = mountFile(file, reader);
                own.values().forEach(all -> all.addAll(rules));
            }
        }
        List<MountRule> ofMain = own.getOrDefault(reader.main, List.of());
        ofMain.addAll(jk.mounts());
        own.forEach((server, rules) -> {
            if (server != reader.main && (server.mountCopy || reader.main.mountCopyAll)) {
                rules.addAll(ofMain);
            }
        });
        return own;
    }

    private List<MountRule> mountFile(HttpdNode node, HttpdReader reader) {
        Path path = reader.path(node.argument(0));
        if (path == null || !Files.isRegularFile(path)) {
            String name = node.argument(0).replaceFirst(".*[/\\\\]", "");
            Path given =
                    maps.stream()
                            .filter(file ->
                                    maps.size() == 1
                                            || String.valueOf(file.getFileName()).equals(name))
                            .findFirst()
                            .orElse(null);
            if (given == null) {
                reader.wrong(
                        node,
                        node.argument(0)
                                + " is no file here; name it on the command"
                                + " line too");
                return List.of();
            }
            reader.noted(node, given + " takes its place");
            mapsUsed.add(given);
            return mountFile(given, reader);
        }
        for (Path file : maps) {
            if (isGiven(path, List.of(file))) {
                mapsUsed.add(file);
            }
        }
        reader.honoured(node);
        return mountFile(path, reader);
    }

    private List<MountRule> mountFile(Path path, HttpdReader reader) {
        if (!reader.mountReload.isZero()) {
            WatchedFile file = new WatchedFile(path, reader.mountReload);
            if (!watched.contains(file)) {
                watched.add(file);
            }
        }
        return text(path).map(text -> MountRule.read(text, account)).orElse(List.of());
    }
}
