package io.margay.protocol.quic;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The versions of QUIC that are spoken, and how they differ (RFC 9000, RFC 9001, RFC 9369).
public enum QuicVersion {
    V1(
            0x0000_0001,
            "quic",
            0,
            "38762cf7f55934b34d179ae6a4c80cadccbb7f0a",
            "be0c690b9f66575a1d766b54e368c84e",
            "461599d35d632bf2239825bb"),
    V2(
            0x6b33_43cf,
            "quicv2",
            1,
            "0dede3def700a6db819381be6e269dcbf9bd2ed9",
            "8fb4b01b56ac48e260fbcbcead7ccc92",
            "d86969bc2d7c6d9990efb04a");

    /// The version of a Version Negotiation packet.
    public static final int NEGOTIATION = 0;

    private final int number;
    private final String labelPrefix;
    private final int typeShift;
    private final String initialSalt;
    private final String retryKey;
    private final String retryNonce;

    QuicVersion(int number, String prefix, int typeShift, String salt, String key, String nonce) {
        this.number = number;
        this.labelPrefix = prefix;
        this.typeShift = typeShift;
        initialSalt = salt;
        retryKey = key;
        retryNonce = nonce;
    }

    /// The version of that number, or null when it is not spoken.
    public static @Nullable QuicVersion of(int number) {
        return number == V1.number ? V1 : number == V2.number ? V2 : null;
    }

    /// The number on the wire.
    public int number() {
        return number;
    }

    /// A label of HKDF, such as `quic key` or `quicv2 key`.
    public String label(String name) {
        return labelPrefix + " " + name;
    }

    /// The two bits on the wire for a type of long header that version 1 numbers so, 0 to 3.
    public int typeBits(int type) {
        return (type + typeShift) & 3;
    }

    /// The type that version 1 gives this number to: the inverse of [#typeBits].
    public int typeOf(int bits) {
        return (bits - typeShift) & 3;
    }

    /// The salt of the secret for Initial packets.
    public byte[] initialSalt() {
        return HexFormat.of().parseHex(initialSalt);
    }

    /// The key of the tag of Retry packets.
    public byte[] retryKey() {
        return HexFormat.of().parseHex(retryKey);
    }

    /// The nonce of the tag of Retry packets.
    public byte[] retryNonce() {
        return HexFormat.of().parseHex(retryNonce);
    }
}
