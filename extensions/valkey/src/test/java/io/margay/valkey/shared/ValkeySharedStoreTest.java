package io.margay.valkey.shared;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import io.margay.server.shared.SharedStore.Count;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is shared, in a real `redis-server`.
final class ValkeySharedStoreTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final long SECOND = 1_000_000_000L;

    private static RedisProcess redis;
    private SharedStore store;

    @BeforeAll
    static void run() throws IOException {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void end() {
        redis.close();
    }

    @BeforeEach
    void open() throws IOException {
        redis.command("FLUSHALL");
        store = open(redis.port(), "shop");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static SharedStore open(int port, String group) {
        return new ValkeySharedProvider()
                .open("redis://127.0.0.1:" + port, group, SharedLimits.defaults());
    }

    private static void eventually(String what, Step step) {
        Eventually.holds(
                what,
                () -> {
                    try {
                        return step.holds();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    private interface Step {
        boolean holds() throws IOException;
    }

    @Test
    void document_isReplaced_byWhoKnowsItsVersion() throws IOException {
        assertEquals(0, store.read("a", 0).version());
        assertTrue(store.write("a", 0, 1, new byte[] {0, 1, -1}));
        assertFalse(store.write("a", 0, 1, new byte[] {2}));
        assertArrayEquals(new byte[] {0, 1, -1}, store.read("a", 0).content());
        assertEquals(0, store.read("a", 1).content().length);
        assertTrue(store.write("a", 1, 9, new byte[] {3}));
        assertEquals(9, store.read("a", 1).version());
        try (SharedStore other = open(redis.port(), "other")) {
            assertEquals(0, other.read("a", 7).version());
        }
    }

    @Test
    void lease_hasOneHolder_untilItEnds() throws IOException {
        assertTrue(store.lease("keys", "left", SHORT));
        assertFalse(store.lease("keys", "right", LONG));
        eventually("the lease ends", () -> store.lease("keys", "right", LONG));
        assertFalse(store.lease("keys", "left", LONG));
        assertTrue(store.lease("keys", "right", LONG));
    }

    @Test
    void servers_areThere_untilTheirTimeEnds() throws IOException {
        store.present("left", LONG, 10);
        assertEquals(Set.of("left", "right"), Set.copyOf(store.present("right", SHORT, 10)));
        eventually("right is gone", () -> store.present("left", LONG, 10).size() == 1);
        store.absent("left");
        assertEquals(List.of("right"), store.present("right", LONG, 10));
    }

    @Test
    void buckets_fillByThemselves_andAreForgottenThen() throws IOException {
        List<Count> taken = List.of(new Count(1, 3), new Count(-2, 1));
        long[] full = store.take("limit", SECOND / 100, taken);
        assertTrue(full[0] > 3 * SECOND / 100 - SECOND / 1_000, () -> "" + full[0]);
        assertTrue(full[0] <= 3 * SECOND / 100 && full[1] <= SECOND / 100, () -> "" + full[1]);
        eventually("all are full", () -> redis.command("DBSIZE").strip().equals(":0"));
        assertEquals(SECOND, store.take("limit", SECOND, List.of(new Count(1, 1)))[0]);
        long more = store.take("limit", SECOND, List.of(new Count(1, 2)))[0];
        assertTrue(more > 2 * SECOND && more <= 3 * SECOND, () -> "" + more);
    }

    @Test
    void use_isThatOfOthers_untilItsTimeEnds() throws IOException {
        List<Count> five = List.of(new Count(7, 5));
        assertArrayEquals(new long[] {0}, store.use("limit", "left", LONG, five));
        assertArrayEquals(new long[] {5}, store.use("limit", "right", LONG, five));
        assertArrayEquals(
                new long[] {10}, store.use("limit", "third", LONG, List.of(new Count(7, 0))));
        store.use("limit", "right", LONG, List.of(new Count(7, 0)));
        store.use("limit", "left", SHORT, five);
        eventually(
                "what left uses is forgotten",
                () -> store.use("limit", "right", LONG, List.of(new Count(7, 0)))[0] == 0);
        assertEquals(":0", redis.command("DBSIZE").strip());
    }

    @Test
    void engineThatIsAway_isAnException() throws IOException {
        try (SharedStore nobody = open(FreePort.next(), "shop")) {
            assertThrows(IOException.class, () -> nobody.read("a", 0));
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> new ValkeySharedProvider().open("x", "shop", SharedLimits.defaults()));
    }
}
