package io.margay.app.slow;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/// How long all threads were stopped for garbage collections, of late. Confined to one thread.
final class CollectionTimes {
    private static final int KEPT = 2_048;

    /// Without those that are about work beside the application.
    private final List<GarbageCollectorMXBean> stopping =
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(each -> !each.getName().matches(".*(Concurrent|Cycles).*"))
                    .toList();

    /// When it was read, and what had come together until then: the last ones, in a ring.
    private final long[] atNanos = new long[KEPT];

    private final long[] millis = new long[KEPT];
    private long readings;

    /// Reads once more.
    void tick() {
        int place = (int) (readings++ % KEPT);
        atNanos[place] = System.nanoTime();
        millis[place] =
                stopping.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
    }

    /// How long between two moments, as far as they were read: up to one reading more.
    long micros(long fromNanos, long toNanos) {
        long first = -1;
        long last = -1;
        for (long i = Math.max(0, readings - KEPT); i < readings; i++) {
            int place = (int) (i % KEPT);
            if (atNanos[place] - fromNanos <= 0 || first < 0) {
                first = millis[place];
            }
            last = millis[place];
            if (atNanos[place] - toNanos >= 0) {
                break;
            }
        }
        return first < 0 ? 0 : 1_000 * Math.max(0, last - first);
    }
}
