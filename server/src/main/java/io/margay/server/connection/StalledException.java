package io.margay.server.connection;

import java.io.IOException;

/// The client did not move bytes in time.
final class StalledException extends IOException {
    private static final long serialVersionUID = 1L;

    StalledException(String message) {
        super(message);
    }
}
