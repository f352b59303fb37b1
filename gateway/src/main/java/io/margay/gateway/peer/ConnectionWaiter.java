package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;

/// A request that waits for a connection to a peer. Called on its loop, later; exactly one of
/// [#acquired] and [#unavailable], unless it does not wait any more.
public interface ConnectionWaiter {
    /// Whether a connection is still needed.
    boolean waits();

    /// Here is one. It is given back by the end of the exchange.
    void acquired(PeerExchange exchange);

    /// There is none; nothing was sent.
    ///
    /// @param why for the log
    void unavailable(Outcome outcome, String why);
}
