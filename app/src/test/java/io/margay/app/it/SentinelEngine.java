package io.margay.app.it;

import io.margay.testkit.Eventually;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Two `redis-server`, one the other's replica, and three that watch over them. Used by one thread.
final class SentinelEngine implements ClusterEngine {
    /// What the sentinels call it.
    static final String NAME = "sessions";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SENTINELS = 3;

    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<RedisProcess> sentinels = new ArrayList<>();

    SentinelEngine() throws IOException {
        boolean made = false;
        try {
            RedisProcess primary = RedisProcess.startThatRewrites();
            servers.add(primary);
            RedisProcess replica = RedisProcess.startThatRewrites();
            servers.add(replica);
            replica.command("REPLICAOF 127.0.0.1 " + primary.port());
            replica.command("CONFIG REWRITE");
            for (int i = 0; i < SENTINELS; i++) {
                RedisProcess sentinel = RedisProcess.start("--sentinel");
                sentinels.add(sentinel);
                watch(sentinel, primary);
            }
            awaitWhole();
            made = true;
        } finally {
            if (!made) {
                close();
            }
        }
    }

    private static void watch(RedisProcess sentinel, RedisProcess primary) throws IOException {
        sentinel.command("SENTINEL MONITOR " + NAME + " 127.0.0.1 " + primary.port() + " 2");
        sentinel.command("SENTINEL SET " + NAME + " down-after-milliseconds 1000");
        sentinel.command("SENTINEL SET " + NAME + " failover-timeout 5000");
    }

    List<Integer> sentinelPorts() {
        return sentinels.stream().map(RedisProcess::port).toList();
    }

    String url() {
        return sentinels.stream()
                .map(each -> "127.0.0.1:" + each.port())
                .collect(Collectors.joining(",", "redis+sentinel://", "/" + NAME));
    }

    @Override
    public boolean canSuffer(ClusterFault fault) {
        return fault == ClusterFault.FAILOVER || fault == ClusterFault.ENGINE;
    }

    @Override
    public void suffer(ClusterFault fault, int container, Meanwhile meanwhile) throws IOException {
        RedisProcess primary = primary();
        if (fault == ClusterFault.FAILOVER) {
            primary.stop();
            Eventually.holds(
                    "the replica has taken over", PATIENCE, () -> !primary().equals(primary));
            meanwhile.over();
            primary.run();
        } else {
            servers.forEach(RedisProcess::stop);
            primary.run();
            for (RedisProcess each : servers) {
                if (!each.equals(primary)) {
                    each.run();
                }
            }
        }
        awaitWhole();
    }

    /// The one that the first sentinel calls the primary.
    private RedisProcess primary() {
        for (RedisProcess each : servers) {
            if (answers(
                    sentinels.getFirst(),
                    "SENTINEL GET-MASTER-ADDR-BY-NAME " + NAME,
                    "\n" + each.port())) {
                return each;
            }
        }
        throw new AssertionError("the sentinel knows no primary");
    }

    /// Waits until there is a primary that has a replica, and each sentinel knows that and others.
    private void awaitWhole() {
        Eventually.holds(
                "a primary has its replica",
                PATIENCE,
                () -> {
                    RedisProcess primary = primary();
                    RedisProcess replica = servers.get(servers.getFirst().equals(primary) ? 1 : 0);
                    return answers(primary, "ROLE", "master")
                            && answers(replica, "INFO replication", "master_link_status:up");
                });
        for (RedisProcess each : sentinels) {
            Eventually.holds(
                    "the sentinels agree",
                    PATIENCE,
                    () -> answers(each, "SENTINEL CKQUORUM " + NAME, "+OK " + SENTINELS));
        }
    }

    private static boolean answers(RedisProcess server, String command, String text) {
        try {
            return server.command(command).replace("\r", "").contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        sentinels.forEach(RedisProcess::close);
        servers.forEach(RedisProcess::close);
    }
}
