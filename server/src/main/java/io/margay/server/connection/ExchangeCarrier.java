package io.margay.server.connection;

import io.margay.transport.Connection;
import java.io.IOException;

/// The connection that carries exchanges, as one of them sees it, whatever protocol it speaks.
/// Owned as that connection is.
interface ExchangeCarrier {
    Connection io();

    Http1Input input();

    Http1Output output();

    /// The content of the response is complete in the output.
    void ended(Http1Exchange exchange) throws IOException;

    /// The connection is of no use any more: the exchange, if any, fails, and the peer sees a
    /// reset.
    void failed(IOException cause);

    /// Makes events come for what the exchange waits for.
    void interest(int operations);

    /// Adds to the events that come.
    void moreInterest(int operations);

    void deadline(long nanosFromNow);

    /// Whether the response under way must be the last one.
    boolean isLastRequest();

    /// How many requests have begun on this connection.
    int requests();

    /// Bytes that were received and used since the last call.
    long takeReceived();

    /// Closes now. From any thread.
    void closeNow();

    /// Closes if idle. From any thread.
    void drain();
}
