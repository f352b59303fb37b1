package io.margay.app.upgrade;

/// No other process takes over, and why; this one serves on.
public final class UpgradeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UpgradeException(String message) {
        super(message);
    }

    UpgradeException(String message, Throwable cause) {
        super(message, cause);
    }
}
