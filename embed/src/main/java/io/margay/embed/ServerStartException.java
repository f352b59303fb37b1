package io.margay.embed;

/// The server cannot start; the message says what is wrong.
public final class ServerStartException extends RuntimeException {
    ServerStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
