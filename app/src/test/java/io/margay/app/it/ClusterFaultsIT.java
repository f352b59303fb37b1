package io.margay.app.it;

import io.margay.testkit.RedisProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A short form of [ClusterFaultsSoak]: one of two containers is killed, and cut off, under load.
final class ClusterFaultsIT {
    private static final int CLIENTS = 4;
    private static final long REQUESTS = 150;

    @TempDir Path folder;

    @Test
    void container_killedAndCutOffUnderLoad_losesNoSessionAndNoUpdate() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                ClusterFaults cluster =
                        ClusterFaults.margay(
                                folder,
                                "redis://127.0.0.1:" + redis.port(),
                                (_, _) -> "",
                                null,
                                2,
                                1)) {
            cluster.begin(CLIENTS);
            cluster.judge(cluster.suffer(ClusterFault.KILL, 1, Duration.ZERO, REQUESTS));
            cluster.judge(cluster.suffer(ClusterFault.RESET, 2, Duration.ZERO, REQUESTS));
            cluster.end();
        }
    }
}
