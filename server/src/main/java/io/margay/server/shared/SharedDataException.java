package io.margay.server.shared;

import java.io.IOException;

/// What the engine has cannot be used, though it answers: it was written with another key, say, or
/// is too large. The message is for people, and shows nothing secret.
public final class SharedDataException extends IOException {
    private static final long serialVersionUID = 1L;

    public SharedDataException(String message) {
        super(message);
    }

    public SharedDataException(String message, Throwable cause) {
        super(message, cause);
    }
}
