package io.margay.server;

import io.margay.server.exchange.Exchange;
import io.margay.transport.Dialer;

/// An exchange whose handler can open connections on the loop that carries it, so that what it
/// relays needs no change of threads.
public interface DialingExchange extends Exchange {
    /// Opens connections on this exchange's loop. Where [#waits], that loop is another one beside
    /// the thread of the connection.
    Dialer dialer();

    /// Whether this exchange's connection is a blocking one: [#offer] then waits for the client.
    boolean waits();
}
