package io.margay.app.it;

import io.margay.testkit.RedisCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three containers behind two gateways, with a cluster of six of the engine, by `make cluster`;
/// the report is `target/cluster.txt`. There are `-Dmargay.cluster.restarts` restarts of containers
/// one after the other, half as many kills, and `-Dmargay.cluster.failovers` of primaries of the
/// engine, with `-Dmargay.cluster.requests` requests between two of them.
final class ClusterFaultsSoak {
    private static final int CLIENTS = 8;
    private static final Path REPORT = Path.of("target", "cluster.txt");

    private final int restarts = Integer.getInteger("margay.cluster.restarts", 20);
    private final int failovers = Integer.getInteger("margay.cluster.failovers", 5);
    private final long requests = Long.getLong("margay.cluster.requests", 2000);

    @TempDir Path folder;

    @Test
    void containers_restartedAndKilled_loseNothing() throws Exception {
        try (RedisCluster engine = RedisCluster.start(true);
                ClusterFaults cluster = cluster(engine)) {
            cluster.begin(CLIENTS);
            for (int i = 0; i < restarts; i++) {
                cluster.answered(requests);
                cluster.restart();
                if (i % 2 == 0) {
                    cluster.answered(requests);
                    cluster.kill(requests);
                }
            }
            cluster.answered(requests);
            String what = "%d restarts, %d kills";
            tell(cluster.judge(what.formatted(restarts, (restarts + 1) / 2), true));
        }
    }

    /// Replicas of the engine follow their primaries with a delay, so sessions may be lost there.
    @Test
    void primariesOfTheEngine_killed_failNoIdempotentRequest() throws Exception {
        try (RedisCluster engine = RedisCluster.start(true);
                ClusterFaults cluster = cluster(engine)) {
            cluster.begin(CLIENTS);
            for (int i = 0; i < failovers; i++) {
                cluster.answered(requests);
                engine.failOver();
            }
            cluster.answered(requests);
            tell(cluster.judge(failovers + " failovers of the engine", false));
        }
    }

    private ClusterFaults cluster(RedisCluster engine) throws Exception {
        return new ClusterFaults(folder, "redis+cluster://" + engine.places(), 3, 2);
    }

    private static void tell(String line) throws Exception {
        Files.writeString(
                REPORT,
                String.format(Locale.ROOT, "%s%n", line),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
