package io.margay.valkey.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngine.Lookup;
import io.margay.servlet.session.engine.SessionEngine.Saved;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.testkit.Eventually;
import io.margay.testkit.RedisCluster;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Several real servers: a primary that fails over, and a cluster.
@Tag("slow")
final class ValkeyTopologyTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] HEAD = {1, 2, 3};

    private static SessionEngine open(String url) {
        Duration timeout = Duration.ofSeconds(1);
        return new ValkeyProvider()
                .open(EngineSettings.at(url).withConnectTimeout(timeout).withTimeout(timeout));
    }

    private static SessionKey key(int number) {
        return new SessionKey("localhost/shop", "%032X".formatted(number));
    }

    private static SessionChange whole() {
        return new SessionChange(true, 600_000, HEAD, Map.of("a", HEAD), Set.of());
    }

    private static boolean isFound(SessionEngine engine, SessionKey key) {
        try {
            return engine.use(key, 0) instanceof Lookup.Found;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isWritten(SessionEngine engine, SessionKey key) {
        try {
            return engine.save(key, whole()) instanceof Saved.As;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean answers(RedisProcess server, String command, String text) {
        try {
            return server.command(command).contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void primaryThatDies_isFollowedByItsReplica() throws IOException {
        RedisProcess primary = RedisProcess.start();
        RedisProcess replica = RedisProcess.start("--replicaof", "127.0.0.1", port(primary));
        RedisProcess sentinel = RedisProcess.start("--sentinel");
        try (primary;
                replica;
                sentinel) {
            sentinel.command("SENTINEL MONITOR sessions 127.0.0.1 " + port(primary) + " 1");
            sentinel.command("SENTINEL SET sessions down-after-milliseconds 500");
            Eventually.holds(
                    "the sentinel knows the replica",
                    PATIENCE,
                    () -> answers(sentinel, "SENTINEL REPLICAS sessions", port(replica)));
            String url = "redis+sentinel://127.0.0.1:" + port(sentinel) + "/sessions";
            try (SessionEngine engine = open(url)) {
                assertInstanceOf(Saved.As.class, engine.save(key(1), whole()));
                Eventually.holds("replicated", PATIENCE, () -> answers(replica, "DBSIZE", ":2"));
                primary.stop();
                Eventually.holds("written", PATIENCE, () -> isWritten(engine, key(2)));
                assertTrue(isFound(engine, key(1)));
                assertTrue(answers(replica, "ROLE", "master"));
            }
        }
    }

    private static String port(RedisProcess server) {
        return String.valueOf(server.port());
    }

    @Test
    void cluster_hasEachSessionOnOneOfItsServers() throws IOException {
        try (RedisCluster cluster = RedisCluster.start(false)) {
            List<RedisProcess> servers = cluster.servers();
            String url = "redis+cluster://127.0.0.1:" + port(servers.get(1));
            try (SessionEngine engine = open(url)) {
                for (int i = 0; i < 60; i++) {
                    assertInstanceOf(Saved.As.class, engine.save(key(i), whole()));
                }
                for (int i = 0; i < 60; i++) {
                    assertTrue(isFound(engine, key(i)));
                }
                assertTrue(engine.remove(key(0)));
                assertInstanceOf(Lookup.Removed.class, engine.use(key(0), 0));
                SessionChange brief = new SessionChange(true, 1, HEAD, Map.of(), Set.of());
                engine.save(key(1), brief);
                List<Integer> taken = new ArrayList<>();
                Eventually.holds(
                        "taken",
                        PATIENCE,
                        () -> {
                            try {
                                taken.add(engine.takeExpired("localhost/shop", 10).size());
                                return taken.getLast() == 1;
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
                engine.check();
            }
            for (RedisProcess one : servers) {
                assertEquals(-1, one.command("DBSIZE").indexOf(":0"), "nothing on one of them");
            }
        }
    }
}
