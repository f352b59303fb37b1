package io.margay.server.connection;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/// What runs once at the end of an exchange. Thread-safe.
final class EndTasks {
    /// In the place of tasks when these have been taken: it is never run.
    private enum Taken implements Runnable {
        TAKEN;

        @Override
        public void run() {
            throw new IllegalStateException("no task");
        }
    }

    private static final AtomicReferenceFieldUpdater<EndTasks, @Nullable Runnable> TASKS =
            AtomicReferenceFieldUpdater.newUpdater(EndTasks.class, Runnable.class, "tasks");

    private volatile @Nullable Runnable tasks;

    /// Adds a task.
    ///
    /// @return false when the end has been, so that the caller is to run it
    boolean add(Runnable task) {
        Runnable before = tasks;
        while (!(before instanceof Taken)) {
            if (TASKS.compareAndSet(
                    this, before, before == null ? task : new InTurn(before, task))) {
                return true;
            }
            before = tasks;
        }
        return false;
    }

    /// Runs all, each in spite of the others' failures.
    void run(FailureLog log, long connectionId) {
        run(TASKS.getAndSet(this, Taken.TAKEN), log, connectionId);
    }

    /// Without a pattern switch, which would make its code in the first request of the process.
    static void run(@Nullable Runnable task, FailureLog log, long connectionId) {
        if (task instanceof InTurn both) {
            run(both.first, log, connectionId);
            run(both.second, log, connectionId);
        } else if (task != null) {
            try {
                task.run();
            } catch (Throwable e) {
                log.handlerFailed(connectionId, e);
            }
        }
    }

    private record InTurn(Runnable first, Runnable second) implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("each runs by itself");
        }
    }
}
