package io.margay.server.connection;

import io.margay.server.DialingExchange;
import io.margay.transport.Dialer;
import java.io.IOException;

/// The connection that carries exchanges, as one of them sees it, whatever protocol it speaks.
/// Owned as that connection is.
interface ExchangeCarrier extends ServedConnection, DialingExchange.Carrier {
    ConnectionFlow flow();

    @Override
    default Dialer dialer() {
        return flow().io.dialer();
    }

    @Override
    default boolean waits() {
        return flow().io.blocking();
    }

    @Override
    default boolean duplex() {
        return true;
    }

    /// The content of the response is complete in the output.
    void ended(Http1Exchange exchange) throws IOException;

    /// The connection is of no use any more: the exchange, if any, fails, and the peer sees a
    /// reset.
    void failed(IOException cause);
}
