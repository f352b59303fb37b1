package io.margay.compat.httpd.site;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.account.ToldAccount;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.jk.MountRule;
import io.margay.compat.httpd.jk.WorkerProperties;
import io.margay.compat.httpd.jk.Workers;
import io.margay.compat.httpd.jk.WorkersReader;
import io.margay.compat.httpd.plan.ClientLimits;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.httpd.plan.GatewayPlan.WatchedFile;
import io.margay.compat.httpd.syntax.HttpdMeeting;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.HttpdParser;
import io.margay.compat.httpd.syntax.TextFile;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.plan.ListenerPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the files of httpd and mod_jk, alone or together, into a plan. Confined to one reading.
public final class PlanReader {
    private final Account account = new Account();
    private final Map<String, String> environment;
    private final List<Path> httpd = new ArrayList<>();
    private final List<Path> workers = new ArrayList<>();
    private final List<Path> maps = new ArrayList<>();
    private final List<Path> mapsUsed = new ArrayList<>();
    private final List<WatchedFile> watched = new ArrayList<>();

    /// @param environment variables of the process
    public PlanReader(Map<String, String> environment) {
        this.environment = environment;
    }

    /// Takes an `httpd.conf`.
    public void httpd(Path file) {
        httpd.add(file);
    }

    /// Takes a `workers.properties`.
    public void workers(Path file) {
        workers.add(file);
    }

    /// Takes a `uriworkermap.properties`.
    public void map(Path file) {
        maps.add(file);
    }

    /// Reads the files that were taken.
    public GatewayPlan read() {
        WorkerProperties properties = new WorkerProperties(environment, account);
        Path folder = folder(httpd.isEmpty() ? null : httpd.getFirst());
        HttpdConfig config = new HttpdConfig(new ReadingContext(account, folder), properties);
        return config.context.expressions().during(() -> read(config, properties));
    }

    private GatewayPlan read(HttpdConfig config, WorkerProperties properties) {
        HttpdReader reader = new HttpdReader(config);
        HttpdParser parser = new HttpdParser(account, environment);
        List<HttpdNode> nodes = new ArrayList<>();
        for (Path file : httpd) {
            text(file)
                    .ifPresent(text -> {
                        List<HttpdNode> own = parser.parse(text, folder(file));
                        config.context.serverRoot(parser.serverRoot());
                        nodes.addAll(own);
                        reader.read(own);
                    });
        }
        parser.end();
        for (Path file : workers) {
            text(file).ifPresent(properties::read);
        }
        workersFiles(config, properties);
        Workers jk =
                properties.workerProperties().isEmpty() && maps.isEmpty() && !isMounted(config)
                        ? Workers.NONE
                        : new WorkersReader(
                                        properties,
                                        account,
                                        !HostRules.hasOption(config, config.main, "disablereuse"))
                                .read();
        Map<HttpdServer, List<MountRule>> mounts = mounts(config, jk);
        HttpdHosts hosts = new HttpdHosts(config);
        List<HostPlan> made = hosts.hosts(mounts, jk);
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        made.stream()
                .flatMap(host -> host.rules().stream())
                .map(rule -> rule.upstream())
                .filter(name -> name != null && jk.upstreams().containsKey(name))
                .distinct()
                .forEach(name -> upstreams.put(name, jk.upstreams().get(name)));
        config.workers
                .build()
                .forEach((name, upstream) -> {
                    if (upstreams.put(name, upstream) != null) {
                        account.wrong(
                                new Place("", 0),
                                name,
                                "is the name of a worker of mod_jk and of a balancer; rename one");
                    }
                });
        ClientLimits clients = config.clients.build(config);
        List<ListenerPlan> listeners = hosts.listeners();
        return new GatewayPlan(
                listeners,
                made,
                List.copyOf(upstreams.values()),
                watched,
                config.domains.config(),
                clients,
                new ToldAccount(account.lines(), new HttpdMeeting(nodes)));
    }

    private static boolean isMounted(HttpdConfig config) {
        return config.servers.stream()
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
    private void workersFiles(HttpdConfig config, WorkerProperties properties) {
        for (HttpdNode node : config.workersFiles) {
            Path path = config.context.path(node.argument(0));
            if (path != null && Files.isRegularFile(path)) {
                if (isGiven(path, workers)) {
                    config.context.honoured(node);
                } else {
                    text(path).ifPresent(properties::read);
                    config.context.honoured(node);
                }
            } else if (!workers.isEmpty()) {
                config.context.noted(node, workers.getFirst() + " takes its place");
            } else {
                config.context.wrong(
                        node,
                        node.argument(0)
                                + " is not a file on this machine; name workers.properties on the"
                                + " command line"
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
    private Map<HttpdServer, List<MountRule>> mounts(HttpdConfig config, Workers jk) {
        Map<HttpdServer, List<MountRule>> own = new LinkedHashMap<>();
        for (HttpdServer server : config.servers) {
            List<MountRule> rules = new ArrayList<>(server.mounts);
            server.mountFiles.forEach(node -> rules.addAll(mountFile(node, config)));
            own.put(server, rules);
        }
        for (Path file : maps) {
            if (!mapsUsed.contains(file)) {
                List<MountRule> rules = mountFile(file, config);
                own.values().forEach(all -> all.addAll(rules));
            }
        }
        List<MountRule> ofMain = own.getOrDefault(config.main, List.of());
        ofMain.addAll(jk.mounts());
        own.forEach((server, rules) -> {
            if (server != config.main && (server.mountCopy || config.main.mountCopyAll)) {
                rules.addAll(ofMain);
            }
        });
        return own;
    }

    private List<MountRule> mountFile(HttpdNode node, HttpdConfig config) {
        Path path = config.context.path(node.argument(0));
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
                config.context.wrong(
                        node,
                        node.argument(0)
                                + " is not a file on this machine; name it on the command"
                                + " line too");
                return List.of();
            }
            config.context.noted(node, given + " takes its place");
            mapsUsed.add(given);
            return mountFile(given, config);
        }
        for (Path file : maps) {
            if (isGiven(path, List.of(file))) {
                mapsUsed.add(file);
            }
        }
        config.context.honoured(node);
        return mountFile(path, config);
    }

    private List<MountRule> mountFile(Path path, HttpdConfig config) {
        if (!config.mountReload.isZero()) {
            WatchedFile file = new WatchedFile(path, config.mountReload);
            if (!watched.contains(file)) {
                watched.add(file);
            }
        }
        return text(path).map(text -> MountRule.read(text, account)).orElse(List.of());
    }
}
