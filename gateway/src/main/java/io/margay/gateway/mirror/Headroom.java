package io.margay.gateway.mirror;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/// Whether the processors have time for requests that are compared. Above a load one request is
/// compared at a time, and nothing for nine times as long as that took: a tenth of the time is
/// used. Thread-safe.
final class Headroom {
    private static final double PERCENT = 100;
    private static final int REST = 9;
    private static final long REST_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    private static final long READ_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final double most;
    private final DoubleSupplier load;
    private final LongSupplier nanos;
    private final AtomicLong readAt;
    private volatile boolean busy;
    private volatile long begun;
    private volatile long restUntil;
    private final AtomicInteger active = new AtomicInteger();

    /// @param most load above which the processors are busy, as a percentage
    /// @param load of the processors, from 0 to 1; negative = not known
    Headroom(double most, DoubleSupplier load, LongSupplier nanos) {
        this.most = most;
        this.load = load;
        this.nanos = nanos;
        long now = nanos.getAsLong();
        readAt = new AtomicLong(now - READ_NANOS);
        restUntil = now;
    }

    /// Whether one more may be compared.
    boolean isThere() {
        long now = nanos.getAsLong();
        long at = readAt.get();
        if (now - at >= READ_NANOS && readAt.compareAndSet(at, now)) {
            busy = load.getAsDouble() * PERCENT > most;
        }
        return !busy || (active.get() == 0 && now - restUntil >= 0);
    }

    /// Begins with one, if there still is room.
    boolean begin() {
        if (active.getAndIncrement() > 0 && busy) {
            active.decrementAndGet();
            return false;
        }
        begun = nanos.getAsLong();
        return true;
    }

    /// One has ended.
    void ended() {
        active.decrementAndGet();
        if (busy) {
            long now = nanos.getAsLong();
            restUntil = now + Math.min(REST * (now - begun), REST_NANOS_MAX);
        }
    }
}
