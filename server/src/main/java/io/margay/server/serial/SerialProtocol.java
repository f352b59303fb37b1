package io.margay.server.serial;

import io.margay.server.config.RequestProtocol;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What a [SerialConnection] speaks: HTTP/1.1 or AJP13. It finds heads in the input, says what
/// becomes of content that nobody read, and when the connection can be used again. Owned as its
/// connection is.
public interface SerialProtocol {
    /// Looks at what is buffered.
    ///
    /// @return the exchange that begins; null when the connection has been told what is next
    @Nullable SerialExchange decode() throws IOException;

    /// What the client speaks with a request.
    RequestProtocol spoken(SerialExchange exchange);

    /// A head did not arrive in time.
    ///
    /// @return what answers that, or null to close
    @Nullable SerialExchange headTimedOut();

    /// There is no memory for a head that has begun to come.
    ///
    /// @return what answers that, or null to close
    @Nullable SerialExchange noRoomForHead();

    /// The content of the response is complete in the output.
    void ended(SerialExchange exchange) throws IOException;

    /// The response has been taken to its end.
    void answered(SerialExchange exchange) throws IOException;

    /// Input has come of content that nobody reads.
    void skip(SerialExchange exchange) throws IOException;

    /// It did not come in time.
    void skippingTimedOut(SerialExchange exchange) throws IOException;

    /// See [io.margay.server.exchange.DialingExchange.Carrier#duplex].
    boolean duplex();
}
