package io.margay.app;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// Counts requests that have begun and ended, so that what they use can be stopped after the last.
/// As a [Runnable] it is the end of one, so that no object is made per request. Thread-safe.
final class RequestCount implements Runnable {
    private static final long POLL_NANOS = 20_000_000L;

    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    void begin() {
        begun.increment();
    }

    void end() {
        ended.increment();
    }

    @Override
    public void run() {
        end();
    }

    /// Requests that have begun, ended ones included.
    long begun() {
        return begun.sum();
    }

    /// Requests that have begun and not ended. Ends are read first, so that a request that begins
    /// and ends meanwhile cannot hide one that runs.
    long running() {
        long before = ended.sum();
        return begun.sum() - before;
    }

    /// Waits until none runs.
    ///
    /// @return whether that came before the deadline
    boolean awaitNone(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        while (running() > 0) {
            if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        return true;
    }
}
