package io.margay.server.compression;

/// A content coding (RFC 9110 §8.4.1).
public enum Coding {
    /// RFC 7932, where the system has libbrotlienc.
    BROTLI("br", 2 * 1024 * 1024),
    /// RFC 8878, where the system has libzstd.
    ZSTD("zstd", 2 * 1024 * 1024),
    /// RFC 1952.
    GZIP("gzip", 300 * 1024);

    private final String token;
    private final int encoderBytes;

    Coding(String token, int encoderBytes) {
        this.token = token;
        this.encoderBytes = encoderBytes;
    }

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    public String token() {
        return token;
    }

    /// What an encoder holds while it is at work, about.
    int encoderBytes() {
        return encoderBytes;
    }
}
