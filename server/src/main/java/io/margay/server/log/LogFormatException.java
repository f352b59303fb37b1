package io.margay.server.log;

/// A format of the access log that cannot be understood.
public final class LogFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int position;

    LogFormatException(String message, int position) {
        super(message + " (at character " + (position + 1) + ")");
        this.position = position;
    }

    /// Where in the format, from 0.
    public int position() {
        return position;
    }
}
