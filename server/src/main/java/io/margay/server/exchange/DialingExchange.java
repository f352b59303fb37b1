package io.margay.server.exchange;

import io.margay.transport.Dialer;

/// An exchange whose handler can open connections on the loop that carries it, so that what it
/// relays needs no change of threads.
public interface DialingExchange extends Exchange {
    /// What carries it.
    Carrier carrier();

    /// What a handler may know of the connection below an exchange. Thread-safe.
    interface Carrier {
        /// Opens connections on the exchange's loop; where [#waits], on another loop beside the
        /// thread of the connection.
        Dialer dialer();

        /// Whether the connection is a blocking one, so that [Exchange#offer] waits for the client.
        boolean waits();

        /// Whether one thread may read content while another writes the response.
        boolean duplex();
    }
}
