package io.margay.protocol.quic.recovery;

import org.jspecify.annotations.Nullable;

/// What a packet carried that must be done about when the packet is acknowledged or lost. Immutable
/// once its packet was sent.
public final class SentFrame {
    /// What it was.
    public enum Kind {
        /// Data of a stream: its id, offset, length, whether it ended.
        STREAM,
        /// Data of a handshake: the space of its level, offset, length.
        CRYPTO,
        /// An ACK frame: the largest packet number that it acknowledged.
        ACK,
        RESET_STREAM,
        STOP_SENDING,
        MAX_DATA,
        MAX_STREAM_DATA,
        MAX_STREAMS_BIDI,
        MAX_STREAMS_UNI,
        NEW_CONNECTION_ID,
        RETIRE_CONNECTION_ID,
        NEW_TOKEN,
        HANDSHAKE_DONE,
        /// A packet that asks whether a larger datagram passes: its size.
        MTU_PROBE
    }

    private final Kind kind;
    private final long id;
    private final long offset;
    private final int length;
    private final boolean ends;
    final @Nullable SentFrame before;

    SentFrame(
            Kind kind, long id, long offset, int length, boolean ends, @Nullable SentFrame before) {
        this.kind = kind;
        this.id = id;
        this.offset = offset;
        this.length = length;
        this.ends = ends;
        this.before = before;
    }

    public Kind kind() {
        return kind;
    }

    /// The stream, space, sequence number or packet number.
    public long id() {
        return id;
    }

    public long offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    public boolean ends() {
        return ends;
    }
}
