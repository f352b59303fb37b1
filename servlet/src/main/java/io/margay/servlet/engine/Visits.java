package io.margay.servlet.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Counts the requests of other applications that are in this one by a dispatch, so that it is
/// stopped after the last of them. As a [Runnable] it is the end of one. Thread-safe.
final class Visits implements Runnable {
    private static final long POLL_NANOS = 20_000_000L;

    private final AtomicInteger running = new AtomicInteger();

    void begin() {
        running.incrementAndGet();
    }

    @Override
    public void run() {
        running.decrementAndGet();
    }

    /// Waits until there is none.
    ///
    /// @return whether that came before the deadline
    boolean awaitNone(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        while (running.get() > 0) {
            if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        return true;
    }
}
