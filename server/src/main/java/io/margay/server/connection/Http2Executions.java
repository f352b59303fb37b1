package io.margay.server.connection;

import io.margay.protocol.http2.Http2Limits;
import io.margay.server.dispatch.Dispatcher;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// How many dispatched tasks of one connection run at a time: so many, and others wait their turn,
/// so that one client does not have all the workers. Guarded by this object, which is never locked
/// while a task is handed over.
final class Http2Executions {
    private final Dispatcher dispatcher;
    private final int most;
    private final ArrayDeque<Http2Turns> waiting = new ArrayDeque<>();
    private int running;

    Http2Executions(Dispatcher dispatcher, Http2Limits limits) {
        this.dispatcher = dispatcher;
        most = limits.executionsMax();
    }

    /// Has a task run as soon as it may.
    void submit(Http2Turns turns) {
        synchronized (this) {
            if (running >= most) {
                waiting.add(turns);
                return;
            }
            running++;
        }
        start(turns);
    }

    private void start(Http2Turns turns) {
        if (!dispatcher.submit(turns)) {
            turns.refused();
            ended();
        }
    }

    /// A task has run: the next one may.
    void ended() {
        Http2Turns next = next();
        if (next != null) {
            start(next);
        }
    }

    private synchronized @Nullable Http2Turns next() {
        Http2Turns next = waiting.poll();
        if (next == null) {
            running--;
        }
        return next;
    }
}
