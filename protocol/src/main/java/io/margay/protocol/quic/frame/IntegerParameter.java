package io.margay.protocol.quic.frame;

import org.jspecify.annotations.Nullable;

/// The transport parameters that are integers (RFC 9000 §18.2).
public enum IntegerParameter {
    /// Milliseconds; 0 for no time-out.
    MAX_IDLE_TIMEOUT(0x01, 0, 0, Long.MAX_VALUE),
    MAX_UDP_PAYLOAD_SIZE(0x03, 65_527, 1_200, Long.MAX_VALUE),
    INITIAL_MAX_DATA(0x04, 0, 0, Long.MAX_VALUE),
    INITIAL_MAX_STREAM_DATA_BIDI_LOCAL(0x05, 0, 0, Long.MAX_VALUE),
    INITIAL_MAX_STREAM_DATA_BIDI_REMOTE(0x06, 0, 0, Long.MAX_VALUE),
    INITIAL_MAX_STREAM_DATA_UNI(0x07, 0, 0, Long.MAX_VALUE),
    INITIAL_MAX_STREAMS_BIDI(0x08, 0, 0, FrameType.STREAMS_MAX),
    INITIAL_MAX_STREAMS_UNI(0x09, 0, 0, FrameType.STREAMS_MAX),
    ACK_DELAY_EXPONENT(0x0a, 3, 0, 20),
    /// Milliseconds.
    MAX_ACK_DELAY(0x0b, 25, 0, (1 << 14) - 1),
    ACTIVE_CONNECTION_ID_LIMIT(0x0e, 2, 2, Long.MAX_VALUE);

    private final int id;
    private final long usual;
    private final long least;
    private final long most;

    IntegerParameter(int id, long usual, long least, long most) {
        this.id = id;
        this.usual = usual;
        this.least = least;
        this.most = most;
    }

    static @Nullable IntegerParameter of(long id) {
        for (IntegerParameter known : values()) {
            if (known.id == id) {
                return known;
            }
        }
        return null;
    }

    int id() {
        return id;
    }

    /// What holds when nothing is said.
    long usual() {
        return usual;
    }

    boolean allows(long value) {
        return value >= least && value <= most;
    }
}
