package io.margay.app.cli;

/// The command line is wrong; the message says how and what would be right.
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
