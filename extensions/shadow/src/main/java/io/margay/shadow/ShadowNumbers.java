package io.margay.shadow;

import io.margay.gateway.mirror.SeenAnswer;
import io.margay.server.meter.RecentDurations;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// How one server has answered. Thread-safe.
final class ShadowNumbers {
    private static final int FAILURE = 500;
    private static final double MILLIS = 1_000;

    private final RecentDurations durations = new RecentDurations();
    private final LongAdder failed = new LongAdder();
    private final LongAdder silent = new LongAdder();

    ShadowNumbers() {
        durations.watch(true);
    }

    void count(SeenAnswer answer) {
        if (answer.status() == 0) {
            silent.increment();
            return;
        }
        boolean _ = durations.count(answer.nanos());
        if (answer.status() >= FAILURE) {
            failed.increment();
        }
    }

    /// Answers with a status from 500 on.
    long failed() {
        return failed.sum();
    }

    /// Requests without an answer.
    long silent() {
        return silent.sum();
    }

    /// The time that a share of the answers took at most, milliseconds.
    double millis(double share) {
        long[] sums = new long[RecentDurations.STEPS];
        durations.read(sums, false);
        return RecentDurations.quantile(sums, share) * MILLIS;
    }

    /// Whether an answer took much longer than another: so much that nobody takes it for chance.
    static boolean isSlower(SeenAnswer one, SeenAnswer other) {
        return one.nanos() - other.nanos() > TimeUnit.MILLISECONDS.toNanos(10);
    }
}
