package io.margay.app.config;

import org.jspecify.annotations.Nullable;

/// The server cannot start, or cannot take a new configuration; the message tells the operator what
/// is wrong and what helps. The family of unchecked exceptions for start-up and configuration.
public class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartException(String message) {
        super(message);
    }

    public StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
