package io.margay.servlet.realm;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Says when a line that clients can provoke may be logged where an operator sees it: once in ten
/// seconds. Thread-safe.
final class Seldom {
    private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanoClock;
    private final AtomicLong next;

    Seldom(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        next = new AtomicLong(nanoClock.getAsLong());
    }

    boolean due() {
        long now = nanoClock.getAsLong();
        long at = next.get();
        return now - at >= 0 && next.compareAndSet(at, now + PAUSE_NANOS);
    }
}
