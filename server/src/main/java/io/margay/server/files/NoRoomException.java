package io.margay.server.files;

import java.io.IOException;

/// A request needs a file for which the disk has no room; it has a status that says so, and can be
/// tried again.
public final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    /// @param status 503, or 507 (RFC 4918 §11.5) for content that cannot be stored
    public NoRoomException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
