package io.margay.server.connection;

import java.io.IOException;

/// The client did not move bytes in time.
public final class StalledException extends IOException {
    private static final long serialVersionUID = 1L;

    public StalledException(String message) {
        super(message);
    }
}
