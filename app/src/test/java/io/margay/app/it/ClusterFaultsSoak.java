package io.margay.app.it;

import io.margay.testkit.RedisCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three containers under load, with all that can be done to them, by `make cluster`: Margay behind
/// two gateways with a cluster of six of the engine, and what others use, which
/// `-Dmargay.cluster.systems` names. There are `-Dmargay.cluster.restarts` restarts of containers,
/// `-Dmargay.cluster.faults` of each other fault, and `-Dmargay.cluster.requests` GET and PUT
/// requests at least.
///
/// The result is `target/cluster.json`, and the tables of `docs/measurements/cluster.md`: of each
/// system that has been through all of it.
final class ClusterFaultsSoak {
    private static final int CLIENTS = 8;
    private static final int CONTAINERS = 3;
    private static final int GATEWAYS = 2;
    private static final long STEP = 300;
    private static final Path JSON = Path.of("target", "cluster.json");
    private static final Path PAGE =
            ServerProcess.checkout().resolve("docs/measurements/cluster.md");

    private final int restarts = Integer.getInteger("margay.cluster.restarts", 20);
    private final int faults = Integer.getInteger("margay.cluster.faults", 3);
    private final long requests = Long.getLong("margay.cluster.requests", 100_000);
    private final List<ClusterRow> rows = new ArrayList<>();

    @TempDir Path folder;

    @Test
    void clusters_withFaults_underLoad() throws Exception {
        try {
            for (String system :
                    System.getProperty("margay.cluster.systems", "margay").split(",")) {
                Path own = Files.createDirectory(folder.resolve(system));
                int before = rows.size();
                switch (system) {
                    case "margay" -> margay(own);
                    case "nginx-delta" -> {
                        try (ClusterFaults cluster =
                                ClusterFaults.nginxAndDelta(tomcat(), own, CONTAINERS)) {
                            suffer(cluster);
                        }
                    }
                    case "haproxy-persistent" -> {
                        try (H2Server database =
                                        new H2Server(
                                                own.resolve("database"), TomcatContainer.TABLE);
                                ClusterFaults cluster =
                                        ClusterFaults.haproxyAndPersistent(
                                                tomcat(), own, database, CONTAINERS)) {
                            suffer(cluster);
                        }
                    }
                    default -> throw new IllegalArgumentException("no system " + system);
                }
                writePage(system, rows.subList(before, rows.size()));
            }
        } finally {
            writeJson();
        }
    }

    private void margay(Path own) throws Exception {
        try (RedisCluster redis = RedisCluster.start(true)) {
            ClusterFaults.Engine engine =
                    new ClusterFaults.Engine() {
                        @Override
                        public void failOver() throws IOException {
                            redis.failOver();
                        }

                        @Override
                        public void restart() throws IOException {
                            redis.restart();
                        }
                    };
            try (ClusterFaults cluster =
                    ClusterFaults.margay(
                            own,
                            "redis+cluster://" + redis.places(),
                            engine,
                            CONTAINERS,
                            GATEWAYS)) {
                suffer(cluster);
            }
        }
    }

    private static Path tomcat() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("target", "tomcat"))) {
            return all.findFirst().orElseThrow().toAbsolutePath();
        }
    }

    private void suffer(ClusterFaults cluster) throws IOException, InterruptedException {
        cluster.begin(CLIENTS);
        for (ClusterFault fault : ClusterFault.values()) {
            if (cluster.canSuffer(fault)) {
                int times = fault == ClusterFault.RESTART ? restarts : faults;
                add(cluster, cluster.suffer(fault, times, STEP));
            }
        }
        long left = requests - cluster.answered();
        if (left > 0) {
            add(cluster, cluster.suffer(ClusterFault.NOTHING, 0, left));
        }
        cluster.end();
    }

    private void add(ClusterFaults cluster, ClusterRow row) {
        rows.add(row);
        System.getLogger("cluster").log(System.Logger.Level.INFO, row.json());
        cluster.judge(row);
    }

    private void writeJson() throws IOException {
        Files.writeString(
                JSON,
                rows.stream().map(ClusterRow::json).collect(Collectors.joining(",\n", "[", "]\n")));
    }

    /// Puts the table of a system that has been through all of it between its marks.
    ///
    /// @param word what `-Dmargay.cluster.systems` calls it
    private void writePage(String word, List<ClusterRow> own) throws IOException {
        long all = own.stream().mapToLong(it -> it.seen().idempotent()).sum();
        long posts = own.stream().mapToLong(it -> it.seen().posts()).sum();
        long seconds = own.stream().mapToLong(ClusterRow::seconds).sum();
        StringBuilder table = new StringBuilder();
        table.append(
                "%d GET and PUT requests and %d POST requests were answered in %d s.\n\n"
                        .formatted(all, posts, seconds));
        table.append(ClusterRow.HEAD);
        own.forEach(row -> table.append(row.markdown()));
        String begin = "<!-- generated: " + word + " -->\n";
        String page = Files.readString(PAGE);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf("<!-- end -->", from);
        Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
    }
}
