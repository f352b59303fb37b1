package io.margay.server.multiplex;

import io.margay.server.connection.ExchangeTasks;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// How many exchanges of one connection have their tasks run at a time: so many, and others wait,
/// so that one client does not have all the workers. Guarded by this object, which is never locked
/// while tasks are handed over.
final class StreamExecutions {
    private final int most;
    private final ArrayDeque<ExchangeTasks> waiting = new ArrayDeque<>();
    private int running;

    /// @param most exchanges of one connection that may be worked on at a time
    StreamExecutions(int most) {
        this.most = most;
    }

    /// Whether these tasks may run now; if not, they are started when others have run.
    synchronized boolean admits(ExchangeTasks tasks) {
        if (running >= most) {
            waiting.add(tasks);
            return false;
        }
        running++;
        return true;
    }

    /// Tasks have run: those that wait are next.
    void ended() {
        ExchangeTasks next = next();
        if (next != null) {
            next.start();
        }
    }

    private synchronized @Nullable ExchangeTasks next() {
        ExchangeTasks next = waiting.poll();
        if (next == null) {
            running--;
        }
        return next;
    }
}
