package io.margay.compat.tomcat.client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/// How often each client came within the present stretch of time. Thread-safe without locks.
///
/// Clients beyond a limit are counted together, so that no number of them fills the memory.
final class RequestCounts {
    private final long stretchNanos;
    private final int clientsMax;
    private final LongSupplier nanoClock;
    private final long start;
    private final AtomicReference<Stretch> current = new AtomicReference<>(new Stretch(0));

    RequestCounts(long stretchNanos, int clientsMax, LongSupplier nanoClock) {
        this.stretchNanos = stretchNanos;
        this.clientsMax = clientsMax;
        this.nanoClock = nanoClock;
        this.start = nanoClock.getAsLong();
    }

    /// Counts one request.
    ///
    /// @return the client's requests in this stretch, this one included
    int add(String client) {
        Stretch stretch = present();
        AtomicInteger count = stretch.counts.get(client);
        if (count == null) {
            count =
                    stretch.counts.size() < clientsMax
                            ? stretch.counts.computeIfAbsent(client, key -> new AtomicInteger())
                            : stretch.rest;
        }
        return count.updateAndGet(n -> n == Integer.MAX_VALUE ? n : n + 1);
    }

    /// Nanoseconds until the present stretch ends.
    long remainingNanos() {
        return stretchNanos - (nanoClock.getAsLong() - start) % stretchNanos;
    }

    private Stretch present() {
        long number = (nanoClock.getAsLong() - start) / stretchNanos;
        while (true) {
            Stretch seen = current.get();
            if (seen.number >= number) {
                return seen;
            }
            Stretch next = new Stretch(number);
            if (current.compareAndSet(seen, next)) {
                return next;
            }
        }
    }

    private static final class Stretch {
        final long number;
        final ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();
        final AtomicInteger rest = new AtomicInteger();

        Stretch(long number) {
            this.number = number;
        }
    }
}
