package io.margay.transport.loop;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Waits for events of the sockets of one [EventLoop], and keeps those of the last wait in places
/// that the loop reads. Confined to the loop's thread, but for [#wake].
public interface Poller {
    /// Waits for events.
    ///
    /// @param timeoutNanos how long to wait: 0 = not, negative = until an event or [#wake]
    /// @return how many came; their places begin at 0 and hold until the next call
    int poll(long timeoutNanos) throws IOException;

    /// Who gets the event at this place; null when it has left the poller since the wait.
    @Nullable Pollable target(int place);

    /// What the event says: [io.margay.transport.Connection#READ],
    /// [io.margay.transport.Connection#WRITE] and [Pollable#ENDED].
    int operations(int place);

    /// What sends to several sockets of this poller by one system call; always the same.
    ///
    /// @return null when there is none, or none any more
    default @Nullable BatchSender batchSender() {
        return null;
    }

    /// What the system says of the threads that work on the loop.
    ///
    /// @return null when that is not known
    default @Nullable ThreadTimes threadTimes() {
        return null;
    }

    /// Ends the wait in [#poll], or the next one. Any thread.
    void wake();

    /// Frees what the poller holds. Called once.
    void close();
}
