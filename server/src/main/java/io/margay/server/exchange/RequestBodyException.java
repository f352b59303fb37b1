package io.margay.server.exchange;

import io.margay.protocol.http.ProtocolError;
import java.io.IOException;

/// The content of a request could not be read: the client broke its framing, exceeded a limit,
/// stalled, or left.
public final class RequestBodyException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient ProtocolError error;

    public RequestBodyException(ProtocolError error) {
        super(error.text() + " (" + error.section() + ")");
        this.error = error;
    }

    /// What the client did, with the status to answer (400, 408, 413).
    public ProtocolError error() {
        return error;
    }
}
