package io.margay.server.meter;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// Requests in flight: those that have begun and not ended, so that what they use can be stopped
/// after the last. As a [Runnable] it is the end of one, so that no object is made per request.
/// Thread-safe.
public final class InFlight implements Runnable {
    private static final long POLL_NANOS = 20_000_000L;

    private final LongSupplier nanos;
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    public InFlight() {
        this(System::nanoTime);
    }

    InFlight(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// A request begins.
    public void begin() {
        begun.increment();
    }

    /// A request ends.
    public void end() {
        ended.increment();
    }

    @Override
    public void run() {
        end();
    }

    /// Requests that have begun, ended ones included.
    public long begun() {
        return begun.sum();
    }

    /// Requests that have begun and not ended. Ends are read first, so that a request that begins
    /// and ends meanwhile cannot hide one that runs.
    public long running() {
        long before = ended.sum();
        return begun.sum() - before;
    }

    /// Waits until none runs.
    ///
    /// @return whether that came before the deadline
    public boolean awaitNone(Duration deadline) {
        long end = nanos.getAsLong() + deadline.toNanos();
        while (running() > 0) {
            if (nanos.getAsLong() - end >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        return true;
    }
}
