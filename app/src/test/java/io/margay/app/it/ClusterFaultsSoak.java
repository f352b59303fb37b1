package io.margay.app.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three containers under load, with all that can be done to them, by `make cluster`: Margay behind
/// two gateways with a cluster of six of the engine, and what others use, which
/// `-Dmargay.cluster.systems` names. `-Dmargay.cluster.clients` ask them. There are
/// `-Dmargay.cluster.restarts` restarts of containers, `-Dmargay.cluster.faults` of each other
/// fault, `-Dmargay.cluster.held` of those that last for ten seconds, and
/// `-Dmargay.cluster.requests` GET and PUT requests at least; fewer of the restarts and requests,
/// which come last, if `-Dmargay.cluster.minutes` end before.
///
/// The result is `target/cluster.json`, and the tables of `docs/measurements/cluster-data.txt` with
/// their sums in `cluster.md`: of each system that has been through all of it, in a run with no
/// fewer requests than the published one.
final class ClusterFaultsSoak {
    private static final int CONTAINERS = 3;
    private static final int GATEWAYS = 2;
    private static final long STEP = 300;
    private static final Duration HELD = Duration.ofSeconds(10);
    private static final Path JSON = Path.of("target", "cluster.json");

    private final int clients = Integer.getInteger("margay.cluster.clients", 8);
    private final int restarts = Integer.getInteger("margay.cluster.restarts", 20);
    private final int faults = Integer.getInteger("margay.cluster.faults", 3);
    private final int held = Integer.getInteger("margay.cluster.held", 2);
    private final long minutes = Long.getLong("margay.cluster.minutes", 24 * 60);
    private final long requests = Long.getLong("margay.cluster.requests", 100_000);
    private final List<ClusterRow> rows = new ArrayList<>();

    @TempDir Path folder;

    @Test
    void clusters_withFaults_underLoad() throws Exception {
        try {
            for (String system :
                    System.getProperty("margay.cluster.systems", "margay").split(",")) {
                Path own = Files.createDirectory(folder.resolve(system));
                switch (system) {
                    case "margay", "margay-valkey" -> margay(system, own);
                    case "margay-dns", "margay-etcd", "margay-kubernetes" -> named(system, own);
                    case "margay-sentinel" -> sentinel(system, own);
                    case "margay-postgresql" -> database(system, own, DatabaseEngine.postgreSql());
                    case "margay-mariadb" -> database(system, own, DatabaseEngine.mariaDb());
                    case "nginx-delta" -> {
                        try (ClusterFaults cluster =
                                ClusterFaults.nginxAndDelta(tomcat(), own, CONTAINERS)) {
                            suffer(system, cluster);
                        }
                    }
                    case "haproxy-persistent" -> {
                        try (H2Server database =
                                new H2Server(own.resolve("database"), TomcatSessions.TABLE)) {
                            haproxy(system, own, TomcatSessions.persistent(database), database);
                        }
                    }
                    case "haproxy-redisson" -> {
                        try (SentinelEngine redis = new SentinelEngine()) {
                            haproxy(
                                    system,
                                    own,
                                    TomcatSessions.redisson(jars(system), redis),
                                    redis);
                        }
                    }
                    case "haproxy-spring" -> {
                        try (SentinelEngine redis = new SentinelEngine()) {
                            haproxy(system, own, TomcatSessions.spring(jars(system), redis), redis);
                        }
                    }
                    default -> throw new IllegalArgumentException("no system " + system);
                }
            }
        } finally {
            writeJson();
        }
    }

    private void margay(String system, Path own) throws Exception {
        try (RedisClusterEngine redis = new RedisClusterEngine(CONTAINERS);
                ClusterFaults cluster =
                        ClusterFaults.margay(
                                own, redis.url(), redis::options, redis, CONTAINERS, GATEWAYS)) {
            suffer(system, cluster);
        }
    }

    /// With gateways that learn of the containers by their names.
    private void named(String system, Path own) throws Exception {
        String word = system.substring(system.indexOf('-') + 1);
        try (RedisClusterEngine redis = new RedisClusterEngine(CONTAINERS);
                ClusterMembers source = ClusterMembers.of(word, own);
                ClusterFaults cluster =
                        ClusterFaults.margay(
                                own,
                                redis.url(),
                                redis::options,
                                redis,
                                source,
                                ClusterFaults.Shape.of(CONTAINERS, GATEWAYS))) {
            suffer(system, cluster);
        }
    }

    private void sentinel(String system, Path own) throws Exception {
        try (SentinelEngine redis = new SentinelEngine();
                ClusterFaults cluster =
                        ClusterFaults.margay(
                                own, redis.url(), (_, _) -> "", redis, CONTAINERS, GATEWAYS)) {
            suffer(system, cluster);
        }
    }

    private void database(String system, Path own, DatabaseEngine opened) throws Exception {
        try (DatabaseEngine engine = opened;
                ClusterFaults cluster =
                        ClusterFaults.margay(
                                own,
                                engine.url(),
                                engine.options(own),
                                engine,
                                CONTAINERS,
                                GATEWAYS)) {
            suffer(system, cluster);
        }
    }

    private void haproxy(String system, Path own, TomcatSessions sessions, ClusterEngine engine)
            throws Exception {
        try (ClusterFaults cluster =
                ClusterFaults.haproxy(system, tomcat(), own, sessions, engine, CONTAINERS)) {
            suffer(system, cluster);
        }
    }

    /// What `make cluster` has fetched for it.
    private static Path jars(String system) {
        return Path.of("target", "peers", system).toAbsolutePath();
    }

    private static Path tomcat() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("target", "tomcat"))) {
            return all.findFirst().orElseThrow().toAbsolutePath();
        }
    }

    /// Has a system go through all of it.
    ///
    /// @param system what `-Dmargay.cluster.systems` calls it
    private void suffer(String system, ClusterFaults cluster)
            throws IOException, InterruptedException {
        int before = rows.size();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        cluster.endBy(() -> System.nanoTime() - end >= 0);
        cluster.begin(clients);
        for (ClusterFault fault : ClusterFault.values()) {
            if (fault == ClusterFault.RESTART || fault.isApart() || !cluster.canSuffer(fault)) {
                continue;
            }
            add(cluster, fault, faults, Duration.ZERO, STEP);
            if (fault.canBeHeld() && held > 0) {
                add(cluster, fault, held, HELD, STEP);
            }
        }
        add(cluster, ClusterFault.RESTART, restarts, Duration.ZERO, STEP);
        long left = requests - cluster.answered();
        if (left > 0) {
            add(cluster, ClusterFault.NOTHING, 0, Duration.ZERO, left);
        }
        cluster.end();
        ClusterPages.PUBLISHED.write(system, rows.subList(before, rows.size()));
        rows.subList(before, rows.size()).forEach(cluster::judge);
    }

    private void add(
            ClusterFaults cluster, ClusterFault fault, int times, Duration lasting, long step)
            throws IOException, InterruptedException {
        ClusterRow row = cluster.suffer(fault, times, lasting, step);
        rows.add(row);
        System.getLogger("cluster")
                .log(System.Logger.Level.INFO, row.json() + "\n" + cluster.failures());
        writeJson();
    }

    private void writeJson() throws IOException {
        Files.writeString(
                JSON,
                rows.stream().map(ClusterRow::json).collect(Collectors.joining(",\n", "[", "]\n")));
    }
}
