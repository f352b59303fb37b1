package io.margay.protocol.quic;

/// Integers of one, two, four or eight octets, whose first two bits say how many (RFC 9000 §16).
public final class VarInt {
    /// The largest value, 2^62 - 1.
    public static final long MAX = (1L << 62) - 1;

    /// What [#get] says when the octets end too early.
    public static final long TRUNCATED = -1;

    private static final int BYTES_MAX = 8;

    private VarInt() {}

    /// Octets that a value takes, 1, 2, 4 or 8.
    ///
    /// @throws IllegalArgumentException when it is negative or larger than [#MAX]
    public static int size(long value) {
        if (value < 0 || value > MAX) {
            throw new IllegalArgumentException("no variable-length integer: " + value);
        }
        if (value < 1 << 6) {
            return 1;
        }
        if (value < 1 << 14) {
            return 2;
        }
        return value < 1 << 30 ? 4 : BYTES_MAX;
    }

    /// Octets of the integer that begins with this one.
    public static int sizeFrom(byte first) {
        return 1 << ((first & 0xff) >> 6);
    }

    /// Writes a value in as few octets as possible.
    ///
    /// @return where it ends
    public static int put(byte[] target, int at, long value) {
        return put(target, at, value, size(value));
    }

    /// Writes a value in so many octets, 1, 2, 4 or 8, which must be enough.
    ///
    /// @return where it ends
    public static int put(byte[] target, int at, long value, int size) {
        if (size < size(value)) {
            throw new IllegalArgumentException(value + " takes more than " + size + " octets");
        }
        long rest = value;
        for (int i = size - 1; i >= 0; i--) {
            target[at + i] = (byte) rest;
            rest >>>= 8;
        }
        target[at] |= (byte) (Integer.numberOfTrailingZeros(size) << 6);
        return at + size;
    }

    /// The value that begins at `at`, or [#TRUNCATED] when it goes beyond `end`.
    public static long get(byte[] source, int at, int end) {
        if (at >= end) {
            return TRUNCATED;
        }
        int size = sizeFrom(source[at]);
        if (size > end - at) {
            return TRUNCATED;
        }
        long value = source[at] & 0x3f;
        for (int i = 1; i < size; i++) {
            value = (value << 8) | (source[at + i] & 0xff);
        }
        return value;
    }
}
