package io.margay.protocol.quic.packet;

/// What a packet is, by its header (RFC 9000 §17).
public enum PacketType {
    INITIAL,
    ZERO_RTT,
    HANDSHAKE,
    RETRY,
    /// The only one with a short header.
    ONE_RTT,
    VERSION_NEGOTIATION,
    /// A long header of a version that is not spoken here; its connection ids are known.
    UNKNOWN_VERSION,
    /// Not a packet of QUIC, or a truncated one.
    MALFORMED;

    private static final PacketType[] LONG = {INITIAL, ZERO_RTT, HANDSHAKE, RETRY};

    /// The type that version 1 gives this number to.
    static PacketType ofLong(int type) {
        return LONG[type];
    }
}
