package io.margay.server.connection;

import io.margay.protocol.http2.Http2Limits;
import io.margay.server.dispatch.Dispatcher;
import io.margay.transport.Connection;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// How many dispatched tasks of one connection run at a time: so many, and others wait their turn,
/// so that one client does not have all the workers. Guarded by this object, which is never locked
/// while a task is handed over.
final class Http2Executions {
    private final Connection io;
    private final Dispatcher dispatcher;
    private final int most;
    private final ArrayDeque<Http2Turns> waiting = new ArrayDeque<>();
    private int running;

    Http2Executions(Connection io, Dispatcher dispatcher, Http2Limits limits) {
        this.io = io;
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
        if (!hand(turns)) {
            turns.refused();
            ended();
        }
    }

    private boolean hand(Http2Turns turns) {
        if (turns.mayStall()) {
            return dispatcher.submitStalling(turns);
        }
        return (dispatcher.lends(turns.path()) && io.lend(turns)) || dispatcher.submit(turns);
    }

    /// See [Dispatcher#overran].
    void overran(String path) {
        dispatcher.overran(path);
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
