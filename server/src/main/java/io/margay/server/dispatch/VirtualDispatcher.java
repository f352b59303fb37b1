package io.margay.server.dispatch;

import java.util.concurrent.atomic.AtomicInteger;

/// The `virtual` policy: a new virtual thread for each task, at most so many at a time.
/// Thread-safe.
public final class VirtualDispatcher implements Dispatcher {
    private final int tasksMax;
    private final AtomicInteger running = new AtomicInteger();
    private final Thread.Builder.OfVirtual threads = Thread.ofVirtual().name("margay-virtual");
    private volatile boolean closed;

    /// @param tasksMax tasks at a time, at least 1; further ones are refused
    public VirtualDispatcher(int tasksMax) {
        if (tasksMax < 1) {
            throw new IllegalArgumentException("tasksMax must be at least 1");
        }
        this.tasksMax = tasksMax;
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
        Thread _ = threads.start(() -> run(task));
        return true;
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
