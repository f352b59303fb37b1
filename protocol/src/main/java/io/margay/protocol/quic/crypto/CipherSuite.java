package io.margay.protocol.quic.crypto;

import org.jspecify.annotations.Nullable;

/// The cipher suites of TLS 1.3 that QUIC is used with here (RFC 9001 §5.3, §6.6).
public enum CipherSuite {
    AES_128_GCM_SHA256(0x1301, "SHA256", 32, 16, 1L << 23, 1L << 52),
    AES_256_GCM_SHA384(0x1302, "SHA384", 48, 32, 1L << 23, 1L << 52),
    CHACHA20_POLY1305_SHA256(0x1303, "SHA256", 32, 32, Long.MAX_VALUE, 1L << 36);

    private final int number;
    private final String hash;
    private final int secretBytes;
    private final int keyBytes;
    private final long sealsMax;
    private final long failuresMax;

    CipherSuite(
            int number,
            String hash,
            int secretBytes,
            int keyBytes,
            long sealsMax,
            long failuresMax) {
        this.number = number;
        this.hash = hash;
        this.secretBytes = secretBytes;
        this.keyBytes = keyBytes;
        this.sealsMax = sealsMax;
        this.failuresMax = failuresMax;
    }

    /// The suite of that number in TLS, or null.
    public static @Nullable CipherSuite of(int number) {
        for (CipherSuite suite : values()) {
            if (suite.number == number) {
                return suite;
            }
        }
        return null;
    }

    /// Its number in TLS.
    int number() {
        return number;
    }

    /// Octets of a traffic secret.
    public int secretBytes() {
        return secretBytes;
    }

    /// Packets that may be protected with one key.
    public long sealsMax() {
        return sealsMax;
    }

    /// Packets that a connection may receive which no key opens, with all keys together.
    public long failuresMax() {
        return failuresMax;
    }

    /// The hash of HKDF, as the JDK names it.
    String hkdf() {
        return "HKDF-" + hash;
    }

    int keyBytes() {
        return keyBytes;
    }

    boolean isAes() {
        return this != CHACHA20_POLY1305_SHA256;
    }
}
