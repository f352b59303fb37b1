package io.margay.valkey.members;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberRegistry;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Registrations in a real `redis-server`.
final class ValkeyRegistryTest {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private RedisProcess redis;
    private MemberRegistry registry;

    @BeforeEach
    void start() throws IOException {
        redis = RedisProcess.start();
        registry = open();
    }

    @AfterEach
    void stop() {
        registry.close();
        redis.close();
    }

    private MemberRegistry open() {
        return new ValkeyRegistryProvider()
                .open("redis://127.0.0.1:" + redis.port(), DiscoveryLimits.defaults());
    }

    private Map<String, String> read() {
        try {
            return registry.read("shop");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void member_isSeenByOthers_untilItLeaves() throws IOException {
        registry.put("shop", "a", "s http://10.0.0.1 weight=1", LEASE);
        registry.put("shop", "b", "s http://10.0.0.2", LEASE);
        registry.put("other", "c", "s http://10.0.0.3", LEASE);
        try (MemberRegistry second = open()) {
            assertEquals(
                    Map.of("a", "s http://10.0.0.1 weight=1", "b", "s http://10.0.0.2"),
                    second.read("shop"));
        }
        registry.put("shop", "a", "t http://10.0.0.1 weight=2", LEASE);
        registry.remove("shop", "b");
        assertEquals(Map.of("a", "t http://10.0.0.1 weight=2"), read());
    }

    @Test
    void member_whoseLeaseEnds_isGone_andLeavesNothing() throws IOException {
        registry.put("shop", "a", "s http://10.0.0.1", Duration.ofMillis(150));
        registry.put("shop", "b", "s http://10.0.0.2", LEASE);
        Eventually.holds("b alone", () -> read().keySet().equals(Set.of("b")));
        registry.put("shop", "a", "s http://10.0.0.9", Duration.ofMillis(50));
        Eventually.holds("b alone", () -> read().keySet().equals(Set.of("b")));
        registry.put("shop", "b", "s http://10.0.0.2", LEASE);
        assertEquals(":1", redis.command("HLEN margay:members:{shop}").strip());
    }

    @Test
    void nameOfAnother_isTaken() throws IOException {
        registry.put("shop", "a", "s http://10.0.0.1", LEASE);
        IOException taken =
                assertThrows(
                        IOException.class,
                        () -> registry.put("shop", "a", "s http://10.0.0.2", LEASE));
        assertEquals("another member is registered as a", taken.getMessage());
    }

    @Test
    void members_areBounded() throws IOException {
        int most = DiscoveryLimits.defaults().membersMax();
        for (int i = 0; i < most; i++) {
            registry.put("shop", "m" + i, "s http://10.0.0.1", LEASE);
        }
        IOException full =
                assertThrows(
                        IOException.class,
                        () -> registry.put("shop", "n", "s http://10.0.0.1", LEASE));
        assertEquals("too many members are registered", full.getMessage());
        registry.put("shop", "m1", "s http://10.0.0.1", LEASE);
        assertEquals(most, read().size());
        StringBuilder long1 = new StringBuilder("s http://10.0.0.1 ");
        registry.remove("shop", "m1");
        registry.put("shop", "long", long1 + "x".repeat(2_000), LEASE);
        assertEquals(most - 1, read().size());
    }

    @Test
    void engineThatIsAway_isAnException() throws IOException {
        try (MemberRegistry nobody =
                new ValkeyRegistryProvider()
                        .open("redis://127.0.0.1:" + FreePort.next(), DiscoveryLimits.defaults())) {
            assertThrows(IOException.class, () -> nobody.read("shop"));
            assertThrows(IOException.class, () -> nobody.put("shop", "a", "s http://x", LEASE));
        }
        IllegalArgumentException wrong =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                new ValkeyRegistryProvider()
                                        .open("secret", DiscoveryLimits.defaults()));
        assertTrue(!wrong.getMessage().contains("secret"), wrong.getMessage());
    }
}
