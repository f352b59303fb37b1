package io.margay.embed;

import java.util.OptionalInt;

/// The server cannot start; the message says what is wrong.
public final class ServerStartException extends RuntimeException {
    private final int port;

    ServerStartException(String message, Throwable cause) {
        this(message, cause, -1);
    }

    /// @param port that cannot be listened at; negative = it is something else
    ServerStartException(String message, Throwable cause, int port) {
        super(message, cause);
        this.port = port;
    }

    /// The port that cannot be listened at, where that is the reason.
    public OptionalInt port() {
        return port < 0 ? OptionalInt.empty() : OptionalInt.of(port);
    }
}
