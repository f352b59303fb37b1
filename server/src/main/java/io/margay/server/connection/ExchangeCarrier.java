package io.margay.server.connection;

import java.io.IOException;

/// The connection that carries exchanges, as one of them sees it, whatever protocol it speaks.
/// Owned as that connection is.
interface ExchangeCarrier extends ServedConnection {
    ConnectionFlow flow();

    /// The content of the response is complete in the output.
    void ended(Http1Exchange exchange) throws IOException;

    /// The connection is of no use any more: the exchange, if any, fails, and the peer sees a
    /// reset.
    void failed(IOException cause);
}
