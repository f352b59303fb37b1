package io.margay.transport.tls;

/// The connections of this process whose TLS is OpenSSL's, handshakes included.
public final class OpenSslConnections {
    private OpenSslConnections() {}

    public static long live() {
        return OpenSslEngine.live();
    }
}
