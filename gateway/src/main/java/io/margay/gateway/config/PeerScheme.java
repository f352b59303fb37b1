package io.margay.gateway.config;

/// What a peer speaks.
public enum PeerScheme {
    /// HTTP/1.1.
    HTTP("http", 80),

    /// HTTP/1.1 in TLS.
    HTTPS("https", 443),

    /// HTTP/2 in TLS, agreed on by ALPN.
    H2("h2", 443),

    /// HTTP/2 in clear text, without asking before ("prior knowledge").
    H2C("h2c", 80),

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

    /// Whether it is HTTP, of whichever version.
    public boolean isHttp() {
        return switch (this) {
            case HTTP, HTTPS, H2, H2C -> true;
            case AJP, FCGI -> false;
        };
    }

    /// Whether it is HTTP/2.
    public boolean isHttp2() {
        return this == H2 || this == H2C;
    }

    /// Whether connections are encrypted.
    public boolean isSecure() {
        return this == HTTPS || this == H2;
    }

    /// The scheme of URLs that the peer itself makes.
    public String urlScheme() {
        return switch (this) {
            case H2 -> "https";
            case H2C -> "http";
            case HTTP, HTTPS, AJP, FCGI -> word;
        };
    }
}
