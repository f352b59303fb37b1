package io.margay.protocol.quic.packet;

/// How packet numbers are shortened and restored (RFC 9000 §17.1, Appendix A.2 and A.3).
public final class PacketNumbers {
    /// The largest packet number; a connection that reaches it ends.
    public static final long MAX = (1L << 62) - 1;

    private PacketNumbers() {}

    /// Octets that a number needs, 1 to 4, so that a peer restores it who has acknowledged up to
    /// `acknowledged`, or nothing when that is -1.
    ///
    /// @throws IllegalStateException when more packets are in flight than four octets can tell
    ///   apart
    public static int size(long number, long acknowledged) {
        long range = 2 * (number - acknowledged);
        if (range >= 1L << 32) {
            throw new IllegalStateException("too many packets in flight");
        }
        if (range < 1 << 8) {
            return 1;
        }
        if (range < 1 << 16) {
            return 2;
        }
        return range < 1 << 24 ? 3 : 4;
    }

    /// Writes the low octets of a number.
    public static void put(byte[] target, int at, long number, int size) {
        for (int i = 0; i < size; i++) {
            target[at + i] = (byte) (number >>> (8 * (size - 1 - i)));
        }
    }

    /// Restores a number from its low octets.
    ///
    /// @param largest the largest number that was received so far, or -1
    public static long restore(long low, int size, long largest) {
        long expected = largest + 1;
        long window = 1L << (8 * size);
        long half = window / 2;
        long candidate = (expected & -window) | low;
        if (candidate <= expected - half && candidate < (1L << 62) - window) {
            return candidate + window;
        }
        if (candidate > expected + half && candidate >= window) {
            return candidate - window;
        }
        return candidate;
    }
}
