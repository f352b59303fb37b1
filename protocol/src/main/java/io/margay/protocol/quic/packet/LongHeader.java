package io.margay.protocol.quic.packet;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.VarInt;

/// Writes headers (RFC 9000 §17.2, §17.3). What is protected is protected later.
public final class LongHeader {
    /// Octets in which the length of a packet is written, so that it can be known late.
    private static final int LENGTH_BYTES = 2;

    /// The largest length that [#LENGTH_BYTES] hold.
    public static final int LENGTH_MAX = (1 << 14) - 1;

    private static final byte[] NO_TOKEN = {};

    private LongHeader() {}

    /// Octets of a long header up to its packet number.
    public static int size(PacketType type, byte[] to, byte[] from, byte[] token) {
        int tokenBytes = type == PacketType.INITIAL ? VarInt.size(token.length) + token.length : 0;
        return 7 + to.length + from.length + tokenBytes + LENGTH_BYTES;
    }

    /// Begins an Initial, 0-RTT or Handshake packet. Its length is written by [#setLength].
    ///
    /// @param token of Initial packets of clients; else empty
    /// @return where the packet number is to be written
    public static int put(
            byte[] target,
            int at,
            QuicVersion version,
            PacketType type,
            byte[] to,
            byte[] from,
            byte[] token) {
        int kind =
                switch (type) {
                    case INITIAL -> 0;
                    case ZERO_RTT -> 1;
                    case HANDSHAKE -> 2;
                    case RETRY -> 3;
                    case ONE_RTT, VERSION_NEGOTIATION, UNKNOWN_VERSION, MALFORMED ->
                            throw new IllegalArgumentException(type + " has another header");
                };
        int first = PacketHeader.FORM_LONG | PacketHeader.FIXED_BIT;
        target[at] = (byte) (first | (version.typeBits(kind) << 4));
        int next = putIds(target, at + 1, version.number(), to, from);
        if (type == PacketType.RETRY) {
            return next;
        }
        if (type == PacketType.INITIAL) {
            next = VarInt.put(target, next, token.length);
            System.arraycopy(token, 0, target, next, token.length);
            next += token.length;
        }
        return next + LENGTH_BYTES;
    }

    /// The same without a token.
    public static int put(
            byte[] target, int at, QuicVersion version, PacketType type, byte[] to, byte[] from) {
        return put(target, at, version, type, to, from, NO_TOKEN);
    }

    private static int putIds(byte[] target, int at, int version, byte[] to, byte[] from) {
        int next = at;
        for (int shift = 24; shift >= 0; shift -= 8) {
            target[next++] = (byte) (version >> shift);
        }
        target[next++] = (byte) to.length;
        System.arraycopy(to, 0, target, next, to.length);
        next += to.length;
        target[next++] = (byte) from.length;
        System.arraycopy(from, 0, target, next, from.length);
        return next + from.length;
    }

    /// Says how long a packet is.
    ///
    /// @param numberAt what [#put] gave
    /// @param length octets of packet number, payload and tag, at most [#LENGTH_MAX]
    public static void setLength(byte[] target, int numberAt, int length) {
        VarInt.put(target, numberAt - LENGTH_BYTES, length, LENGTH_BYTES);
    }

    /// Begins a packet with a short header.
    ///
    /// @return where the packet number is to be written
    public static int putShort(byte[] target, int at, byte[] to, boolean spin, boolean phase) {
        int flags = (spin ? 0x20 : 0) | (phase ? 0x04 : 0);
        target[at] = (byte) (PacketHeader.FIXED_BIT | flags);
        System.arraycopy(to, 0, target, at + 1, to.length);
        return at + 1 + to.length;
    }

    /// Makes a Version Negotiation packet that answers another (RFC 9000 §17.2.1).
    ///
    /// @param to the source connection id of that packet
    /// @param from its destination connection id
    /// @param chance any octet
    /// @param greased a version that nobody speaks, 0x?a?a?a?a
    public static byte[] versionNegotiation(byte[] to, byte[] from, byte chance, int greased) {
        QuicVersion[] spoken = QuicVersion.values();
        byte[] packet = new byte[7 + to.length + from.length + 4 * (spoken.length + 1)];
        packet[0] = (byte) (PacketHeader.FORM_LONG | PacketHeader.FIXED_BIT | (chance & 0x3f));
        int at = putIds(packet, 1, QuicVersion.NEGOTIATION, to, from);
        at = putVersion(packet, at, (greased & 0xf0f0_f0f0) | 0x0a0a_0a0a);
        for (QuicVersion version : spoken) {
            at = putVersion(packet, at, version.number());
        }
        return packet;
    }

    private static int putVersion(byte[] target, int at, int number) {
        for (int i = 0; i < 4; i++) {
            target[at + i] = (byte) (number >> (8 * (3 - i)));
        }
        return at + 4;
    }
}
