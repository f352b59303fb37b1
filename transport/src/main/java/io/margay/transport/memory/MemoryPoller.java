package io.margay.transport.memory;

import io.margay.transport.loop.Pollable;
import io.margay.transport.loop.Poller;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A poller without sockets: all events of its loop are tasks. Thread-safe.
final class MemoryPoller implements Poller {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean wakeUp;

    @Override
    public int poll(long timeoutNanos) {
        lock.lock();
        try {
            long left = timeoutNanos < 0 ? TimeUnit.DAYS.toNanos(1) : timeoutNanos;
            while (!wakeUp && left > 0) {
                left = woken.awaitNanos(left);
            }
            wakeUp = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return 0;
    }

    @Override
    public @Nullable Pollable target(int place) {
        return null;
    }

    @Override
    public int operations(int place) {
        return 0;
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            wakeUp = true;
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {}
}
