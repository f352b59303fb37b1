package io.margay.transport;

/// Certificate, key or trust files that cannot be used; the message names the file and the remedy.
public final class TlsSetupException extends RuntimeException {
    public TlsSetupException(String message) {
        super(message);
    }

    public TlsSetupException(String message, Throwable cause) {
        super(message, cause);
    }

    /// No engine knows a cipher suite by this name.
    public static TlsSetupException unknownSuite(String suite) {
        return new TlsSetupException(
                "unknown cipher suite '" + suite + "'; names are as in TLS_AES_128_GCM_SHA256");
    }
}
