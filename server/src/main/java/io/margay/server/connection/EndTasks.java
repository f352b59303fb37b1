package io.margay.server.connection;

import java.util.concurrent.atomic.AtomicReference;
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

    private final AtomicReference<@Nullable Runnable> tasks = new AtomicReference<>();

    /// Adds a task.
    ///
    /// @return false when the end has been, so that the caller is to run it
    boolean add(Runnable task) {
        Runnable before = tasks.get();
        while (!(before instanceof Taken)) {
            if (tasks.compareAndSet(before, before == null ? task : new InTurn(before, task))) {
                return true;
            }
            before = tasks.get();
        }
        return false;
    }

    /// Runs all, each in spite of the others' failures.
    void run(FailureLog log, long connectionId) {
        run(tasks.getAndSet(Taken.TAKEN), log, connectionId);
    }

    static void run(@Nullable Runnable task, FailureLog log, long connectionId) {
        switch (task) {
            case null -> {}
            case InTurn both -> {
                run(both.first, log, connectionId);
                run(both.second, log, connectionId);
            }
            default -> {
                try {
                    task.run();
                } catch (Throwable e) {
                    log.handlerFailed(connectionId, e);
                }
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
