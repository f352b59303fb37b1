package io.margay.transport.loop;

/// What gets events from a [Poller]; on the loop's thread.
public interface Pollable {
    /// The peer has ended its output, or the socket has failed: no further event will come.
    int ENDED = 4;

    /// Something can be done, or has happened.
    ///
    /// @param operations [io.margay.transport.Connection#READ],
    ///   [io.margay.transport.Connection#WRITE] and [#ENDED]
    void ready(int operations);
}
