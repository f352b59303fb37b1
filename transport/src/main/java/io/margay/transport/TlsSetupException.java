package io.margay.transport;

/// Certificate, key or trust files that cannot be used; the message names the file and the remedy.
public final class TlsSetupException extends RuntimeException {
    public TlsSetupException(String message) {
        super(message);
    }

    public TlsSetupException(String message, Throwable cause) {
        super(message, cause);
    }
}
