package io.margay.server.compression;

import java.util.Arrays;
import java.util.List;

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

    /// The tokens of all, those first that are chosen first.
    public static List<String> tokens() {
        return Arrays.stream(values()).map(Coding::token).toList();
    }

    /// The coding of a token.
    ///
    /// @throws IllegalArgumentException when there is none
    public static Coding of(String token) {
        return Arrays.stream(values())
                .filter(coding -> coding.token.equals(token))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown coding " + token));
    }
}
