package io.margay.server.connection;

import io.margay.server.exchange.ExchangeObserver;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/// What runs, or is told, once at the end of an exchange: tasks and observers. Thread-safe.
final class EndTasks {
    /// In the place of tasks when these have been taken: it is never run.
    private enum Taken {
        TAKEN
    }

    private static final AtomicReferenceFieldUpdater<EndTasks, @Nullable Object> TASKS =
            AtomicReferenceFieldUpdater.newUpdater(EndTasks.class, Object.class, "tasks");

    /// A [Runnable], an [ExchangeObserver], or two of them.
    private volatile @Nullable Object tasks;

    /// Adds a task or an observer.
    ///
    /// @return false when the end has been, so that the caller is to run it
    boolean add(Object task) {
        Object before = tasks;
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
    void run(ServedExchange exchange) {
        run(TASKS.getAndSet(this, Taken.TAKEN), exchange);
    }

    /// Without a pattern switch, which would make its code in the first request of the process.
    static void run(@Nullable Object task, ServedExchange exchange) {
        if (task instanceof InTurn both) {
            run(both.first, exchange);
            run(both.second, exchange);
            return;
        }
        try {
            if (task instanceof ExchangeObserver observer) {
                observer.ended(exchange);
            } else if (task instanceof Runnable toRun) {
                toRun.run();
            }
        } catch (Throwable e) {
            exchange.context.log.handlerFailed(exchange.io.id(), e);
        }
    }

    private record InTurn(Object first, Object second) {}
}
