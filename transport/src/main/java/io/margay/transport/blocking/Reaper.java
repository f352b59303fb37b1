package io.margay.transport.blocking;

import io.margay.transport.loop.DeadlineWheel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// The one thread that looks after the deadlines of all connections of a blocking transport.
///
/// The wheel is guarded by `lock`; the actions run under it and only set a flag and start or wake a
/// virtual thread. With no deadline pending the thread sleeps.
final class Reaper {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final DeadlineWheel wheel = new DeadlineWheel(System.nanoTime());
    private final Thread thread = new Thread(this::run, "margay-deadlines");
    private final Consumer<Throwable> onDeath;
    private boolean idle;
    private boolean stopped;

    /// @param onDeath told why the thread has died, by that thread
    Reaper(Consumer<Throwable> onDeath) {
        this.onDeath = onDeath;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void schedule(DeadlineWheel.Entry entry) {
        lock.lock();
        try {
            wheel.schedule(entry, System.nanoTime());
            if (idle) {
                idle = false;
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void cancel(DeadlineWheel.Entry entry) {
        lock.lock();
        try {
            wheel.cancel(entry);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            work();
        } catch (Throwable e) {
            onDeath.accept(e);
        }
    }

    private void work() {
        lock.lock();
        try {
            while (!stopped) {
                long delay = wheel.delayNanos(System.nanoTime());
                idle = delay < 0;
                // A busy wheel is looked at each 50 ms, so that schedule() need not wake it.
                long wait = idle ? Long.MAX_VALUE : Math.min(delay, MILLIS_50);
                changed.awaitNanos(wait);
                idle = false;
                wheel.expire(System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private static final long MILLIS_50 = TimeUnit.MILLISECONDS.toNanos(50);
}
