package io.margay.protocol.quic.frame;

import static io.margay.protocol.quic.frame.FrameType.*;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.VarInt;
import io.margay.protocol.quic.WireReader;
import io.margay.protocol.quic.packet.PacketHeader;
import org.jspecify.annotations.Nullable;

/// Reads the frames of a packet and holds them to the rules of RFC 9000 §12.4 and §19: types in
/// their shortest form, only where they are allowed, with values that they can have. One is used
/// for packet after packet; confined to the connection's owner.
public final class FrameReader {
    /// Octets of a token by which a peer may reset a connection that it has forgotten.
    static final int RESET_TOKEN_BYTES = 16;

    private static final String TYPES = "RFC 9000 §12.4";

    static final QuicError EMPTY =
            QuicError.of(QuicError.PROTOCOL_VIOLATION, TYPES, "a packet has no frames");
    static final QuicError UNKNOWN =
            QuicError.of(QuicError.FRAME_ENCODING_ERROR, TYPES, "a frame has an unknown type");
    static final QuicError TYPE_TOO_LONG =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION, TYPES, "a frame's type is not in its short form");
    static final QuicError MISPLACED =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION,
                    TYPES,
                    "a frame came in a packet in which it is not allowed");
    static final QuicError MALFORMED =
            QuicError.of(QuicError.FRAME_ENCODING_ERROR, "RFC 9000 §19", "a frame is malformed");

    private final WireReader in = new WireReader();
    private final AckFrame ack = new AckFrame();
    private final boolean fromClient;
    private boolean elicits;
    private boolean probing;

    /// @param fromClient whether the frames are a client's
    public FrameReader(boolean fromClient) {
        this.fromClient = fromClient;
    }

    /// Whether the packet that was read last asks for an acknowledgement (RFC 9002 §2).
    public boolean isAckEliciting() {
        return elicits;
    }

    /// Whether the packet that was read last had probing frames only (RFC 9000 §9.1).
    public boolean isProbing() {
        return probing;
    }

    /// Reads the payload of a packet.
    ///
    /// @return the error with which the connection is to end, or null
    public @Nullable QuicError read(Level level, byte[] bytes, int from, int to, FrameSink sink) {
        in.begin(bytes, from, to);
        elicits = false;
        probing = true;
        if (from == to) {
            return EMPTY;
        }
        while (in.left() > 0) {
            if (bytes[in.at()] == PADDING) {
                in.skip(1);
                continue;
            }
            int shortest = bytes[in.at()];
            long type = in.varInt();
            if (in.failed() || type > HANDSHAKE_DONE) {
                return UNKNOWN.in(in.failed() ? 0 : type);
            }
            if (shortest != type) {
                return TYPE_TOO_LONG.in(type);
            }
            if (!isAllowed((int) type, level)) {
                return MISPLACED.in(type);
            }
            elicits |= isAckEliciting((int) type);
            probing &= isProbing((int) type);
            QuicError error = frame((int) type, sink);
            if (in.failed()) {
                return MALFORMED.in(type);
            }
            if (error != null) {
                return error.in(type);
            }
        }
        return null;
    }

    private static boolean isAckEliciting(int type) {
        return switch (type) {
            case ACK, ACK_ECN, CONNECTION_CLOSE, APPLICATION_CLOSE -> false;
            default -> true;
        };
    }

    private static boolean isProbing(int type) {
        return type == PATH_CHALLENGE || type == PATH_RESPONSE || type == NEW_CONNECTION_ID;
    }

    private boolean isAllowed(int type, Level level) {
        return switch (level) {
            case INITIAL, HANDSHAKE ->
                    switch (type) {
                        case PING, ACK, ACK_ECN, CRYPTO, CONNECTION_CLOSE -> true;
                        default -> false;
                    };
            case ZERO_RTT ->
                    switch (type) {
                        case ACK,
                                ACK_ECN,
                                CRYPTO,
                                NEW_TOKEN,
                                PATH_RESPONSE,
                                RETIRE_CONNECTION_ID,
                                HANDSHAKE_DONE ->
                                false;
                        default -> true;
                    };
            case ONE_RTT -> !fromClient || (type != NEW_TOKEN && type != HANDSHAKE_DONE);
        };
    }

    private @Nullable QuicError frame(int type, FrameSink sink) {
        return switch (type) {
            case PING -> null;
            case ACK, ACK_ECN -> ack.read(in, type == ACK_ECN) ? sink.ack(ack) : MALFORMED;
            case RESET_STREAM -> resetStream(in.varInt(), in.varInt(), in.varInt(), sink);
            case STOP_SENDING -> stopSending(in.varInt(), in.varInt(), sink);
            case CRYPTO -> crypto(in.varInt(), in.varInt(), sink);
            case NEW_TOKEN -> newToken(in.varInt(), sink);
            case MAX_DATA -> maxData(in.varInt(), sink);
            case MAX_STREAM_DATA -> maxStreamData(in.varInt(), in.varInt(), sink);
            case MAX_STREAMS_BIDI, MAX_STREAMS_UNI ->
                    maxStreams(type == MAX_STREAMS_BIDI, in.varInt(), sink);
            case DATA_BLOCKED -> dataBlocked(-1, in.varInt(), sink);
            case STREAM_DATA_BLOCKED -> dataBlocked(in.varInt(), in.varInt(), sink);
            case STREAMS_BLOCKED_BIDI, STREAMS_BLOCKED_UNI ->
                    streamsBlocked(type == STREAMS_BLOCKED_BIDI, in.varInt(), sink);
            case NEW_CONNECTION_ID -> newConnectionId(in.varInt(), in.varInt(), sink);
            case RETIRE_CONNECTION_ID -> retire(in.varInt(), sink);
            case PATH_CHALLENGE -> path(true, in.number(8), sink);
            case PATH_RESPONSE -> path(false, in.number(8), sink);
            case CONNECTION_CLOSE, APPLICATION_CLOSE -> close(type, sink);
            case HANDSHAKE_DONE -> sink.handshakeDone();
            default -> stream(type, sink);
        };
    }

    private @Nullable QuicError resetStream(long id, long code, long size, FrameSink sink) {
        return in.failed() ? MALFORMED : sink.resetStream(id, code, size);
    }

    private @Nullable QuicError stopSending(long id, long code, FrameSink sink) {
        return in.failed() ? MALFORMED : sink.stopSending(id, code);
    }

    private @Nullable QuicError crypto(long offset, long length, FrameSink sink) {
        int from = in.skip(length);
        return in.failed() || offset + length > VarInt.MAX
                ? MALFORMED
                : sink.crypto(offset, in.bytes(), from, in.at());
    }

    private @Nullable QuicError newToken(long length, FrameSink sink) {
        int from = in.skip(length);
        return in.failed() || length == 0 ? MALFORMED : sink.newToken(in.bytes(), from, in.at());
    }

    private @Nullable QuicError stream(int type, FrameSink sink) {
        long id = in.varInt();
        long offset = (type & STREAM_OFFSET) == 0 ? 0 : in.varInt();
        long length = (type & STREAM_LENGTH) == 0 ? in.left() : in.varInt();
        int from = in.skip(length);
        return in.failed() || offset + length > VarInt.MAX
                ? MALFORMED
                : sink.stream(id, offset, in.bytes(), from, in.at(), (type & STREAM_FIN) != 0);
    }

    private @Nullable QuicError maxData(long most, FrameSink sink) {
        return in.failed() ? MALFORMED : sink.maxData(most);
    }

    private @Nullable QuicError maxStreamData(long id, long most, FrameSink sink) {
        return in.failed() ? MALFORMED : sink.maxStreamData(id, most);
    }

    private @Nullable QuicError maxStreams(boolean bidirectional, long most, FrameSink sink) {
        return in.failed() || most > STREAMS_MAX ? MALFORMED : sink.maxStreams(bidirectional, most);
    }

    private @Nullable QuicError dataBlocked(long id, long limit, FrameSink sink) {
        return in.failed() ? MALFORMED : sink.dataBlocked(id, limit);
    }

    private @Nullable QuicError streamsBlocked(boolean bidirectional, long most, FrameSink sink) {
        return in.failed() || most > STREAMS_MAX
                ? MALFORMED
                : sink.streamsBlocked(bidirectional, most);
    }

    private @Nullable QuicError newConnectionId(long sequence, long retire, FrameSink sink) {
        int length = in.octet();
        byte[] id = in.take(length);
        byte[] token = in.take(RESET_TOKEN_BYTES);
        boolean wrong =
                in.failed()
                        || length == 0
                        || length > PacketHeader.ID_BYTES_MAX
                        || retire > sequence;
        return wrong ? MALFORMED : sink.newConnectionId(sequence, retire, id, token);
    }

    private @Nullable QuicError retire(long sequence, FrameSink sink) {
        return in.failed() ? MALFORMED : sink.retireConnectionId(sequence);
    }

    private @Nullable QuicError path(boolean challenge, long data, FrameSink sink) {
        if (in.failed()) {
            return MALFORMED;
        }
        return challenge ? sink.pathChallenge(data) : sink.pathResponse(data);
    }

    private @Nullable QuicError close(int type, FrameSink sink) {
        long code = in.varInt();
        if (type == CONNECTION_CLOSE) {
            in.varInt();
        }
        int from = in.skip(in.varInt());
        if (in.failed()) {
            return MALFORMED;
        }
        sink.close(type == APPLICATION_CLOSE, code, in.bytes(), from, in.at());
        return null;
    }
}
