package io.margay.protocol.quic.connection;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A network in virtual time between two addresses: it delays, loses, repeats and turns around, has
/// a rate and a queue before it. The same seed does the same.
final class SimulatedNetwork {
    /// @param delay one way, nanoseconds
    /// @param jitter what is added to it at most, so that datagrams overtake each other
    /// @param lossPercent of the datagrams
    /// @param repeatPercent of the datagrams
    /// @param rate octets in a second, or 0 for any
    /// @param queue octets that wait for the rate; what is more is lost
    record Profile(
            String name,
            long delay,
            long jitter,
            int lossPercent,
            int repeatPercent,
            long rate,
            long queue) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// What becomes of the n-th datagram besides.
    interface Fate {
        /// The datagram, changed perhaps; null when it is lost.
        byte @Nullable [] of(int number, byte[] datagram);
    }

    static final long MS = 1_000_000;
    static final Profile IDEAL = new Profile("ideal", 10 * MS, 0, 0, 0, 0, 0);

    record Delivery(
            long time,
            long order,
            InetSocketAddress from,
            InetSocketAddress to,
            byte[] datagram,
            int ecn) {}

    private final Profile profile;
    private final Random random;
    private final PriorityQueue<Delivery> waiting =
            new PriorityQueue<>(
                    Comparator.comparingLong(Delivery::time).thenComparingLong(Delivery::order));
    private final long[] busyUntil = new long[2];
    private long order;
    private int number;
    long octets;
    Fate fate = (n, datagram) -> datagram;

    /// A datagram that comes much later than those after it.
    int delayed = -1;

    int repeated = -1;

    SimulatedNetwork(Profile profile, long seed) {
        this.profile = profile;
        random = new Random(seed);
    }

    int datagrams() {
        return number;
    }

    void send(
            byte[] bytes,
            int size,
            InetSocketAddress from,
            InetSocketAddress to,
            int ecn,
            boolean toServer,
            long now) {
        int n = number++;
        octets += size;
        byte[] datagram = fate.of(n, Arrays.copyOf(bytes, size));
        if (datagram == null || random.nextInt(100) < profile.lossPercent) {
            return;
        }
        long leaves = now;
        if (profile.rate > 0) {
            int direction = toServer ? 0 : 1;
            long start = Math.max(now, busyUntil[direction]);
            if ((start - now) * profile.rate / 1_000_000_000 > profile.queue) {
                return;
            }
            leaves = start + size * 1_000_000_000L / profile.rate;
            busyUntil[direction] = leaves;
        }
        int copies = 1 + (n == repeated || random.nextInt(100) < profile.repeatPercent ? 1 : 0);
        for (int i = 0; i < copies; i++) {
            long jitter = profile.jitter == 0 ? 0 : (long) (random.nextDouble() * profile.jitter);
            long late = n == delayed ? 35 * MS : 0;
            long time = leaves + profile.delay + jitter + late;
            waiting.add(new Delivery(time, order++, from, to, datagram.clone(), ecn));
        }
    }

    long next() {
        Delivery first = waiting.peek();
        return first == null ? Long.MAX_VALUE : first.time;
    }

    @Nullable Delivery deliver(long now) {
        Delivery first = waiting.peek();
        return first != null && first.time <= now ? waiting.poll() : null;
    }
}
