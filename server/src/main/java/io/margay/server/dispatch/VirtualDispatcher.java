package io.margay.server.dispatch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// The `virtual` policy: a new virtual thread for each task, at most so many at a time.
/// Thread-safe.
public final class VirtualDispatcher implements Dispatcher {
    private final int tasksMax;
    private final AtomicInteger running = new AtomicInteger();
    private final Function<Runnable, Thread> starter;
    private volatile boolean closed;

    /// @param tasksMax tasks at a time, at least 1; further ones are refused
    public VirtualDispatcher(int tasksMax) {
        this(tasksMax, Thread.ofVirtual().name("margay-virtual")::start);
    }

    /// @param starter starts a thread, or throws an `OutOfMemoryError`
    VirtualDispatcher(int tasksMax, Function<Runnable, Thread> starter) {
        if (tasksMax < 1) {
            throw new IllegalArgumentException("tasksMax must be at least 1");
        }
        this.tasksMax = tasksMax;
        this.starter = starter;
    }

    @Override
    public boolean submit(Runnable task) {
        if (closed) {
            return false;
        }
        if (running.incrementAndGet() > tasksMax) {
            running.decrementAndGet();
            return false;
        }
        try {
            Thread _ = starter.apply(() -> run(task));
            return true;
        } catch (OutOfMemoryError e) {
            // There is no thread to carry it, and the system starts none.
            running.decrementAndGet();
            return false;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } finally {
            running.decrementAndGet();
        }
    }

    @Override
    public int active() {
        return running.get();
    }

    @Override
    public int queued() {
        return 0;
    }

    @Override
    public void close() {
        closed = true;
    }
}
