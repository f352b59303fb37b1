package io.margay.transport.memory;

import io.margay.transport.loop.EventLoop;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// A loop without sockets: all its events are tasks. Run by its own thread, or by calls of [#pump].
final class MemoryLoop extends EventLoop {
    private static final int TURNS_MAX = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean wakeUp;

    private final MemoryDialer dialer;

    MemoryLoop(LongSupplier clock, TlsLayer tls) {
        super(clock);
        dialer = new MemoryDialer(this, tls);
    }

    @Override
    public MemoryDialer dialer() {
        return dialer;
    }

    /// Runs on the calling thread until nothing is left to do.
    void pump() throws IOException {
        adoptThread(Thread.currentThread());
        try {
            int turns = 0;
            do {
                turn(false);
                if (++turns > TURNS_MAX) {
                    throw new IllegalStateException("events without end");
                }
            } while (hasTasks());
        } finally {
            adoptThread(null);
        }
    }

    /// Ends a loop without a thread.
    void endPumped() {
        adoptThread(Thread.currentThread());
        end();
        adoptThread(null);
    }

    @Override
    protected void poll(long timeoutNanos) {
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
        awake();
    }

    @Override
    protected void interruptPoll() {
        lock.lock();
        try {
            wakeUp = true;
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void dispose() {}
}
