package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;

/// A request in want of a connection to a peer. Called on its loop, at once or later; exactly one
/// of [#acquired] and [#unavailable], unless it is not [#wanted] any more.
public interface Acquirer {
    /// Whether a connection is still of use.
    boolean wanted();

    /// Here is one. It is given back by the end of the exchange.
    void acquired(PeerExchange exchange);

    /// There is none; nothing was sent.
    ///
    /// @param why for the log
    void unavailable(Outcome outcome, String why);
}
