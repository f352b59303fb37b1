package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Limits that two gateways count together, in virtual time; the engine is told when the test says.
final class SharedCountersTest {
    private static final long MILLI = 1_000_000L;
    private static final long INTERVAL = 10 * MILLI;
    private static final int BURST = 10;
    private static final long KEY = 7;

    private long now = 5_000 * MILLI;
    private final Engine engine = new Engine();
    private final Gateway left = new Gateway("left");
    private final Gateway right = new Gateway("right");

    /// What Valkey does, by the clock of the test. Thread-safe.
    private final class Engine implements SharedStore {
        private final Map<String, Long> fullNanos = new HashMap<>();
        private final Map<String, Map<String, Long>> used = new HashMap<>();
        private final Set<String> servers = new HashSet<>();
        private boolean away;

        private void answer() throws IOException {
            if (away) {
                throw new IOException("away");
            }
        }

        @Override
        public synchronized List<String> present(String server, Duration time, int most)
                throws IOException {
            answer();
            servers.add(server);
            return List.copyOf(servers);
        }

        @Override
        public synchronized long[] take(String table, long intervalNanos, List<Count> taken)
                throws IOException {
            answer();
            return taken.stream()
                    .mapToLong(each -> {
                        String bucket = table + each.key();
                        long full = Math.max(now, fullNanos.getOrDefault(bucket, now));
                        fullNanos.put(bucket, full + each.number() * intervalNanos);
                        return fullNanos.get(bucket) - now;
                    })
                    .toArray();
        }

        @Override
        public synchronized long[] use(
                String table, String server, Duration time, List<Count> counts) throws IOException {
            answer();
            return counts.stream()
                    .mapToLong(each -> {
                        Map<String, Long> all =
                                used.computeIfAbsent(table + each.key(), _ -> new HashMap<>());
                        all.put(server, each.number());
                        long sum = all.values().stream().mapToLong(Long::longValue).sum();
                        return sum - each.number();
                    })
                    .toArray();
        }

        @Override
        public Document read(String name, long known) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean write(String name, long known, long version, byte[] content) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean lease(String name, String holder, Duration time) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void absent(String server) {}

        @Override
        public void close() {}
    }

    /// One gateway.
    private final class Gateway {
        private final SharedGroup group;
        private final BucketTable own = new BucketTable(INTERVAL, BURST, 64);
        private final SharedBuckets buckets;
        private final SharedUse use;
        private final List<Long> freed = new ArrayList<>();

        Gateway(String node) {
            group =
                    new SharedGroup(
                            engine,
                            "what the gateways share and nobody else knows",
                            "shop",
                            node,
                            SharedLimits.defaults(),
                            new SecureRandom(),
                            () -> now);
            RequestLimit limit =
                    new RequestLimit(
                            "all",
                            PathMatch.ANY,
                            List.of(),
                            List.of(),
                            new LimitKey.Everybody(),
                            null,
                            BURST,
                            Duration.ZERO,
                            false,
                            false);
            SharedCounters.Limit shared =
                    new SharedCounters(group, SharedCounterLimits.defaults()).of("shop", limit);
            buckets = shared.rate(own, INTERVAL, () -> now);
            use = shared.use(BURST, freed::add, () -> now);
        }

        private int takes(int most) {
            int count = 0;
            while (count < most && own.take(KEY, now, 0) == 0) {
                buckets.taken(KEY, now);
                count++;
            }
            return count;
        }

        private void settle() throws IOException {
            boolean _ = buckets.settle();
            boolean _ = use.settle();
        }

        private void meetsNoEngine() {
            while (!group.isAway()) {
                assertThrows(
                        IOException.class,
                        () -> {
                            takes(1);
                            use.changed(KEY, 1);
                            settle();
                        });
            }
        }
    }

    @BeforeEach
    void start() {
        left.group.start();
        right.group.start();
        left.group.wake();
        Eventually.holds("both are there", () -> left.group.size() == 2);
    }

    @AfterEach
    void stop() {
        left.group.close();
        right.group.close();
    }

    @Test
    void rate_ofBoth_isThatOfOne_butForABurstOfEach() throws IOException {
        assertEquals(BURST, left.takes(100));
        assertEquals(BURST, right.takes(100));
        left.settle();
        right.settle();
        int more = 0;
        int millis = 2_000;
        for (int i = 1; i <= millis; i++) {
            now += MILLI;
            more += left.takes(100) + right.takes(100);
            if (i % 20 == 0) {
                left.settle();
                right.settle();
            }
        }
        int most = (int) (millis * MILLI / INTERVAL);
        // What each lets through between two calls, beside the rate; the burst is counted before.
        int between = (int) (2 * 20 * MILLI / INTERVAL) * 2;
        int total = more;
        assertTrue(total <= most + between, () -> total + " > " + most + " + " + between);
        assertTrue(total >= most - 2 * BURST - between, () -> total + " of " + most);
    }

    @Test
    void rate_withoutTheEngine_isDividedAmongTheGateways() {
        engine.away = true;
        left.meetsNoEngine();
        right.meetsNoEngine();
        now += 10_000 * MILLI;
        int first = left.takes(100) + right.takes(100);
        assertEquals(BURST, first);
        int more = 0;
        for (int i = 0; i < 1_000; i++) {
            now += MILLI;
            more += left.takes(100) + right.takes(100);
        }
        int total = more;
        assertTrue(total <= 102 && total >= 96, () -> "" + total);
    }

    @Test
    void use_ofBoth_countsAtEach_andWhatOthersGiveBackIsTold() throws IOException {
        assertEquals(BURST, left.use.room(KEY));
        left.use.changed(KEY, 6);
        left.settle();
        assertEquals(BURST, right.use.room(KEY));
        right.settle();
        assertEquals(4, right.use.room(KEY));
        left.use.changed(KEY, 1);
        left.settle();
        right.use.waiting(KEY, 0);
        right.settle();
        assertEquals(List.of(KEY), right.freed);
        assertEquals(9, right.use.room(KEY));
    }

    @Test
    void use_ofOneThatSaysNothingMore_isForgotten_andWithoutTheEngineItIsDivided()
            throws IOException {
        left.use.changed(KEY, 6);
        left.settle();
        right.use.room(KEY);
        right.settle();
        assertEquals(4, right.use.room(KEY));
        now += SharedCounterLimits.defaults().lease().toNanos() + 1;
        assertEquals(BURST, right.use.room(KEY));
        engine.away = true;
        right.meetsNoEngine();
        assertEquals(BURST / 2, right.use.room(KEY));
    }

    @Test
    void keys_areBounded() throws IOException {
        int most = SharedCounterLimits.defaults().keysMax();
        for (int i = 0; i < 2 * most; i++) {
            left.buckets.taken(i, now);
            left.use.changed(i, 1);
        }
        left.settle();
        assertTrue(engine.fullNanos.size() == most && engine.used.size() == most);
    }
}
