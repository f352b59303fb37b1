package io.margay.app.slow;

import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Supplier;

/// How long all threads were stopped for garbage collections, of late. Confined to one thread.
final class CollectionTimes {
    private static final int KEPT = 2_048;

    private final Supplier<Reading> source;

    /// The last ones, in a ring.
    private final Reading[] kept = new Reading[KEPT];

    private long readings;

    /// What collectors have told.
    ///
    /// @param atNanos when
    /// @param millis that their collections have taken together
    /// @param endNanos when the last of them ended
    record Reading(long atNanos, long millis, long endNanos) {}

    CollectionTimes() {
        this(new Collectors());
    }

    CollectionTimes(Supplier<Reading> source) {
        this.source = source;
    }

    /// Those of the JVM, but for what is about work beside the application.
    private static final class Collectors implements Supplier<Reading> {
        private final List<GarbageCollectorMXBean> stopping =
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .filter(each -> !each.getName().matches(".*(Concurrent|Cycles).*"))
                        .toList();

        /// When the JVM started, of which its collectors count milliseconds.
        private final long startNanos =
                System.nanoTime() - 1_000_000 * ManagementFactory.getRuntimeMXBean().getUptime();

        private long millis;
        private long endNanos;

        @Override
        public Reading get() {
            long now = stopping.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
            if (now != millis) {
                millis = now;
                endNanos = startNanos + 1_000_000 * endMillis();
            }
            return new Reading(System.nanoTime(), millis, endNanos);
        }

        private long endMillis() {
            long last = 0;
            for (GarbageCollectorMXBean each : stopping) {
                if (each instanceof com.sun.management.GarbageCollectorMXBean told) {
                    GcInfo info = told.getLastGcInfo();
                    last = Math.max(last, info == null ? 0 : info.getEndTime());
                }
            }
            return last;
        }
    }

    /// Reads once more. Without a collection since the last reading, this one replaces it.
    void tick() {
        Reading now = source.get();
        boolean quiet = readings > 0 && kept[(int) ((readings - 1) % KEPT)].millis == now.millis;
        readings += quiet ? 0 : 1;
        kept[(int) ((readings - 1) % KEPT)] = now;
    }

    /// How long between two moments. Collections of which it is not known whether they were before
    /// them count as far as there was time for them.
    long micros(long fromNanos, long toNanos) {
        long nanos = 0;
        for (long i = Math.max(1, readings - KEPT + 1); i < readings; i++) {
            Reading before = kept[(int) ((i - 1) % KEPT)];
            Reading reading = kept[(int) (i % KEPT)];
            long stopped = 1_000_000 * (reading.millis - before.millis);
            long from = Math.max(before.atNanos, fromNanos);
            long to = Math.min(Math.min(reading.atNanos, reading.endNanos), toNanos);
            nanos += Math.max(0, Math.min(stopped, to - from));
        }
        return nanos / 1_000;
    }
}
