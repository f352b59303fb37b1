package io.margay.app.it;

import io.margay.testkit.RedisProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A short form of [ClusterFaultsSoak]: one of two containers is killed under load.
final class ClusterFaultsIT {
    private static final int CLIENTS = 4;

    @TempDir Path folder;

    @Test
    void container_killedUnderLoad_losesNoSessionAndNoUpdate() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                ClusterFaults cluster =
                        new ClusterFaults(folder, "redis://127.0.0.1:" + redis.port(), 2, 1)) {
            cluster.begin(CLIENTS);
            cluster.answered(300);
            cluster.kill(300);
            cluster.answered(300);
            String _ = cluster.judge("one kill", true);
        }
    }
}
