package io.margay.server.exchange;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Which threads work on an exchange, and how it ends before its time. Thread-safe.
public interface ExchangeScheduling {
    /// Gives up: the connection (or HTTP/2 stream) is closed so that the client sees a failure.
    void abort();

    /// Runs `task` on a thread that may wait, by the server's dispatch policy: after the handler or
    /// the event that is under way, and after the tasks that were dispatched before. Tasks never
    /// overlap. They run after the end of the exchange, too, so that nobody waits for them in vain;
    /// only what was dispatched first is dropped where no thread can be had, or the client has gone
    /// already. What leaves the task as an exception is answered with 500 or aborts.
    void dispatch(Runnable task);

    /// Runs `task` on the loop thread.
    void execute(Runnable task);

    /// Whether a task of this exchange runs, waits for its turn or for an event. Without one it is
    /// for a thread of the program's own to end the exchange.
    default boolean isScheduled() {
        return true;
    }

    /// Runs `task` once after the end, in success or failure, on any thread: access log, release of
    /// resources. May be called several times.
    void onEnd(Runnable task);

    /// Why the exchange failed, or null: the client left, broke the protocol, or stalled.
    @Nullable IOException failure();
}
