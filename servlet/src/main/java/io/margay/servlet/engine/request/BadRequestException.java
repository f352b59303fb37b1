package io.margay.servlet.engine.request;

import io.margay.protocol.http.ProtocolError;

/// The client sent what the container cannot make sense of. An application that does not catch it
/// lets it become the status that it carries.
public final class BadRequestException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final int status;

    BadRequestException(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    BadRequestException(ProtocolError error) {
        super(error.text());
        this.status = error.status();
    }

    public int status() {
        return status;
    }
}
