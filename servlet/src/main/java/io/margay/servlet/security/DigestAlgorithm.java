package io.margay.servlet.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A hash of DIGEST (RFC 7616 §6.1), the better one first.
public enum DigestAlgorithm {
    SHA_256("SHA-256"),
    /// For clients that know nothing else.
    MD5("MD5");

    private final String token;

    DigestAlgorithm(String token) {
        this.token = token;
    }

    /// As a field names it.
    String token() {
        return token;
    }

    /// Null = not known; a client that names none means MD5.
    static @Nullable DigestAlgorithm of(@Nullable String name) {
        if (name == null) {
            return MD5;
        }
        for (DigestAlgorithm algorithm : values()) {
            if (algorithm.token.equalsIgnoreCase(name)) {
                return algorithm;
            }
        }
        return null;
    }

    /// The hash of the parts with colons between them, in lower case hexadecimal.
    public String hash(String... parts) {
        byte[] bytes = String.join(":", parts).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(token).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java platform has no " + token, e);
        }
    }
}
