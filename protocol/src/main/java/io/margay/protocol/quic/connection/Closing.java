package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.recovery.Times;

/// How a connection ends (RFC 9000 §10). Confined to the connection's owner.
///
/// ```
/// OPEN ── we close ─────► CLOSING ── three PTO, or the peer closes ─► …
///   ├─ the peer closes ─► DRAINING ── three PTO ─► CLOSED
///   └─ idle, reset ────────────────────────────► CLOSED
/// ```
final class Closing {
    enum Phase {
        OPEN,
        CLOSING,
        DRAINING,
        CLOSED
    }

    /// Beyond which the end is not waited for, whatever the peer makes of the round trip: a peer
    /// that delays its acknowledgements keeps no connection for minutes.
    static final long PTO_MAX = 3_000 * Times.MILLISECOND;

    private Phase phase = Phase.OPEN;
    private long deadline = Times.NEVER;
    private boolean due;
    private long packets;
    private boolean byPeer;
    private boolean byApplication;
    private long code;

    Phase phase() {
        return phase;
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    /// When it is over.
    long deadline() {
        return deadline;
    }

    /// We close.
    void begin(boolean application, long withCode, long now, long pto) {
        phase = Phase.CLOSING;
        byApplication = application;
        code = withCode;
        due = true;
        deadline = after(now, pto);
    }

    private static long after(long now, long pto) {
        return Times.after(now, 3 * Math.min(pto, PTO_MAX));
    }

    /// The peer has closed. The time is set by [#drain].
    void closedByPeer(boolean application, long withCode) {
        if (phase == Phase.OPEN || phase == Phase.CLOSING) {
            byPeer |= phase == Phase.OPEN;
            if (phase == Phase.OPEN) {
                byApplication = application;
                code = withCode;
                deadline = Times.NEVER;
            }
            phase = Phase.DRAINING;
            due = false;
        }
    }

    void drain(long now, long pto) {
        if (phase == Phase.DRAINING && deadline == Times.NEVER) {
            deadline = after(now, pto);
        }
    }

    /// Nothing more is sent or received.
    void end() {
        phase = Phase.CLOSED;
        deadline = Times.NEVER;
        due = false;
    }

    /// A packet has come though we have closed: the peer is told again, the more seldom the more
    /// come.
    void packet() {
        packets++;
        due |= phase == Phase.CLOSING && Long.bitCount(packets) == 1;
    }

    /// Whether CONNECTION_CLOSE is to be sent.
    boolean isDue() {
        return due;
    }

    void sent() {
        due = false;
    }

    boolean isByPeer() {
        return byPeer;
    }

    boolean isByApplication() {
        return byApplication;
    }

    long code() {
        return code;
    }
}
