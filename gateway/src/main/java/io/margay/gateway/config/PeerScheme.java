package io.margay.gateway.config;

/// What a peer speaks.
public enum PeerScheme {
    /// HTTP/1.1.
    HTTP("http", 80),

    /// HTTP/1.1 in TLS.
    HTTPS("https", 443),

    /// AJP13.
    AJP("ajp", 8009),

    /// FastCGI.
    FCGI("fcgi", 8000);

    private final String word;
    private final int port;

    PeerScheme(String word, int port) {
        this.word = word;
        this.port = port;
    }

    /// The word before `://`.
    public String word() {
        return word;
    }

    /// The port where none is said.
    public int defaultPort() {
        return port;
    }
}
