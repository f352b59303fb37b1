package io.margay.protocol.quic;

/// The levels at which packets are protected, in the order in which their keys are had (RFC 9001
/// §2.1).
public enum Level {
    INITIAL,
    ZERO_RTT,
    HANDSHAKE,
    ONE_RTT;

    /// Spaces of packet numbers that there are.
    public static final int SPACES = 3;

    /// The space of its packet numbers: 0-RTT and 1-RTT packets share one (RFC 9000 §12.3).
    public int space() {
        return switch (this) {
            case INITIAL -> 0;
            case HANDSHAKE -> 1;
            case ZERO_RTT, ONE_RTT -> 2;
        };
    }

    /// The level at which packets of a space are sent by a server, which sends no 0-RTT packets.
    public static Level ofSpace(int space) {
        return switch (space) {
            case 0 -> INITIAL;
            case 1 -> HANDSHAKE;
            default -> ONE_RTT;
        };
    }
}
