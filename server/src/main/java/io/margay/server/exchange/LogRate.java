package io.margay.server.exchange;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Limits how often a line that clients can provoke is logged where an operator sees it: once in an
/// interval. Thread-safe.
public final class LogRate {
    /// The answer of [#take] when the line is not to be logged.
    public static final long SUPPRESSED = -1;

    private final long intervalNanos;
    private final LongSupplier nanoClock;
    private final AtomicLong nextNanos;
    private final AtomicLong suppressed = new AtomicLong();

    public LogRate(Duration interval, LongSupplier nanoClock) {
        intervalNanos = interval.toNanos();
        this.nanoClock = nanoClock;
        nextNanos = new AtomicLong(nanoClock.getAsLong());
    }

    /// Asks to log a line now: answers how many were suppressed since the latest that was not, or
    /// [#SUPPRESSED].
    public long take() {
        long now = nanoClock.getAsLong();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + intervalNanos)) {
            suppressed.incrementAndGet();
            return SUPPRESSED;
        }
        return suppressed.getAndSet(0);
    }

    /// The same for those who do not tell how many.
    public boolean isDue() {
        return take() != SUPPRESSED;
    }
}
