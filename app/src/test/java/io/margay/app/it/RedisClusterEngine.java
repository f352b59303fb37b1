package io.margay.app.it;

import io.margay.testkit.RedisCluster;
import io.margay.testkit.fault.FaultyLink;
import java.io.IOException;
import java.nio.file.Path;

/// Six `redis-server`, three of them replicas, and the network to them. Used by one thread.
final class RedisClusterEngine implements ClusterEngine {
    private final RedisCluster redis;
    private final EngineNetwork network;

    RedisClusterEngine(int containers) throws IOException {
        redis = RedisCluster.startNamed(EngineNetwork.HOST);
        boolean made = false;
        try {
            network = new EngineNetwork(redis.ports(), containers);
            made = true;
        } finally {
            if (!made) {
                redis.close();
            }
        }
    }

    String url() {
        return network.url();
    }

    /// What the JVM of a container is told.
    String options(int container, Path folder) throws IOException {
        return network.options(container, folder);
    }

    @Override
    public boolean canSuffer(ClusterFault fault) {
        return true;
    }

    @Override
    public void suffer(ClusterFault fault, int container, Meanwhile meanwhile)
            throws IOException, InterruptedException {
        switch (fault) {
            case FAILOVER -> redis.failOver(meanwhile::over);
            case ENGINE -> redis.restart();
            case ENGINE_CUT_OFF -> {
                network.ofContainer(container, FaultyLink.Fault.DROP);
                meanwhile.pass();
                network.ofContainer(container, FaultyLink.Fault.NONE);
            }
            case PRIMARY_CUT_OFF -> {
                int primary = redis.primary();
                network.ofServer(primary, FaultyLink.Fault.STALL);
                meanwhile.pass();
                network.ofServer(primary, FaultyLink.Fault.NONE);
            }
            case ENGINE_DELAY -> ofAll(FaultyLink.Fault.DELAY, meanwhile);
            case ENGINE_LOSS -> ofAll(FaultyLink.Fault.LOSS, meanwhile);
            case ENGINE_ONE_WAY -> {
                network.ofContainer(container, FaultyLink.Fault.ONE_WAY);
                meanwhile.pass();
                network.ofContainer(container, FaultyLink.Fault.NONE);
            }
            default -> throw new IllegalArgumentException(fault.words());
        }
    }

    private void ofAll(FaultyLink.Fault fault, Meanwhile meanwhile)
            throws IOException, InterruptedException {
        for (int i = 0; i < redis.ports().size(); i++) {
            network.ofServer(i, fault);
        }
        meanwhile.pass();
        for (int i = 0; i < redis.ports().size(); i++) {
            network.ofServer(i, FaultyLink.Fault.NONE);
        }
    }

    @Override
    public void close() throws IOException {
        network.close();
        redis.close();
    }
}
