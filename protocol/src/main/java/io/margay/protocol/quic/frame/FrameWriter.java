package io.margay.protocol.quic.frame;

import static io.margay.protocol.quic.frame.FrameType.*;

import io.margay.protocol.quic.VarInt;

/// Writes frames into a packet that has a limited size. A method that gives false has written
/// nothing, for want of room. One is used for packet after packet; confined to the connection's
/// owner.
public final class FrameWriter {
    private byte[] bytes = {};
    private int at;
    private int end;

    /// Begins to write at `from`, up to `to`.
    public void begin(byte[] target, int from, int to) {
        bytes = target;
        at = from;
        end = to;
    }

    /// Where the next frame begins.
    public int at() {
        return at;
    }

    /// Octets that there is room for.
    public int room() {
        return end - at;
    }

    private void put(long value) {
        at = VarInt.put(bytes, at, value);
    }

    private void putNumber(long value, int size) {
        for (int i = size - 1; i >= 0; i--) {
            bytes[at++] = (byte) (value >>> (8 * i));
        }
    }

    private void put(byte[] source, int from, int count) {
        System.arraycopy(source, from, bytes, at, count);
        at += count;
    }

    /// Writes so many octets of PADDING.
    public void padding(int count) {
        java.util.Arrays.fill(bytes, at, at + count, (byte) PADDING);
        at += count;
    }

    public boolean ping() {
        return simple(PING);
    }

    public boolean handshakeDone() {
        return simple(HANDSHAKE_DONE);
    }

    private boolean simple(int type) {
        if (room() < 1) {
            return false;
        }
        put(type);
        return true;
    }

    /// A frame of a type and one to three integers, those that are not negative.
    private boolean integers(int type, long first, long second, long third) {
        int size = 1 + VarInt.size(first);
        size += second < 0 ? 0 : VarInt.size(second);
        size += third < 0 ? 0 : VarInt.size(third);
        if (room() < size) {
            return false;
        }
        put(type);
        put(first);
        if (second >= 0) {
            put(second);
        }
        if (third >= 0) {
            put(third);
        }
        return true;
    }

    public boolean resetStream(long id, long code, long finalSize) {
        return integers(RESET_STREAM, id, code, finalSize);
    }

    public boolean stopSending(long id, long code) {
        return integers(STOP_SENDING, id, code, -1);
    }

    public boolean maxData(long most) {
        return integers(MAX_DATA, most, -1, -1);
    }

    public boolean maxStreamData(long id, long most) {
        return integers(MAX_STREAM_DATA, id, most, -1);
    }

    public boolean maxStreams(boolean bidirectional, long most) {
        return integers(bidirectional ? MAX_STREAMS_BIDI : MAX_STREAMS_UNI, most, -1, -1);
    }

    /// @param id the stream that is blocked, or -1 for the connection
    public boolean dataBlocked(long id, long limit) {
        return id < 0
                ? integers(DATA_BLOCKED, limit, -1, -1)
                : integers(STREAM_DATA_BLOCKED, id, limit, -1);
    }

    public boolean streamsBlocked(boolean bidirectional, long limit) {
        return integers(bidirectional ? STREAMS_BLOCKED_BIDI : STREAMS_BLOCKED_UNI, limit, -1, -1);
    }

    public boolean retireConnectionId(long sequence) {
        return integers(RETIRE_CONNECTION_ID, sequence, -1, -1);
    }

    public boolean pathChallenge(long data) {
        return path(PATH_CHALLENGE, data);
    }

    public boolean pathResponse(long data) {
        return path(PATH_RESPONSE, data);
    }

    private boolean path(int type, long data) {
        if (room() < 9) {
            return false;
        }
        put(type);
        putNumber(data, 8);
        return true;
    }

    public boolean newToken(byte[] token) {
        if (room() < 1 + VarInt.size(token.length) + token.length) {
            return false;
        }
        put(NEW_TOKEN);
        put(token.length);
        put(token, 0, token.length);
        return true;
    }

    public boolean newConnectionId(long sequence, long retirePriorTo, byte[] id, byte[] token) {
        int size = 2 + VarInt.size(sequence) + VarInt.size(retirePriorTo);
        if (room() < size + id.length + token.length) {
            return false;
        }
        put(NEW_CONNECTION_ID);
        put(sequence);
        put(retirePriorTo);
        bytes[at++] = (byte) id.length;
        put(id, 0, id.length);
        put(token, 0, token.length);
        return true;
    }

    /// Room that the data of a CRYPTO frame can have, 0 when the frame does not fit.
    public int cryptoRoom(long offset) {
        return Math.max(0, room() - 1 - VarInt.size(offset) - 2);
    }

    /// A CRYPTO frame, which fits by [#cryptoRoom].
    public void crypto(long offset, byte[] source, int from, int count) {
        put(CRYPTO);
        put(offset);
        put(count);
        put(source, from, count);
    }

    /// Room that the data of a STREAM frame can have, negative when the frame does not fit.
    public int streamRoom(long id, long offset) {
        int head = 1 + VarInt.size(id) + (offset == 0 ? 0 : VarInt.size(offset));
        int left = room() - head;
        return left - Math.min(2, left < 64 ? 1 : 2);
    }

    /// Begins a STREAM frame with so much data, which fits by [#streamRoom]; the caller writes the
    /// data.
    ///
    /// @return where the data is to be written
    public int stream(long id, long offset, int count, boolean ends) {
        int type = STREAM | STREAM_LENGTH | (ends ? STREAM_FIN : 0);
        put(offset == 0 ? type : type | STREAM_OFFSET);
        put(id);
        if (offset > 0) {
            put(offset);
        }
        put(count);
        int data = at;
        at += count;
        return data;
    }

    /// The array that is written to.
    public byte[] bytes() {
        return bytes;
    }

    /// CONNECTION_CLOSE.
    ///
    /// @param frameType the frame that is to blame, or -1 when the application closes
    /// @param reason the reason, cut when there is not enough room for it
    public boolean close(long code, long frameType, byte[] reason) {
        int size = 1 + VarInt.size(code) + (frameType < 0 ? 0 : VarInt.size(frameType));
        int most = Math.min(reason.length, room() - size - 2);
        if (most < 0) {
            return false;
        }
        put(frameType < 0 ? APPLICATION_CLOSE : CONNECTION_CLOSE);
        put(code);
        if (frameType >= 0) {
            put(frameType);
        }
        put(most);
        put(reason, 0, most);
        return true;
    }

    /// Begins an ACK frame with its first range.
    ///
    /// The caller has seen that there is room for all of it.
    ///
    /// @param more ranges that follow, by [#ackRange]
    public void ack(boolean ecn, long largest, long delay, int more, long firstRange) {
        put(ecn ? ACK_ECN : ACK);
        put(largest);
        put(delay);
        put(more);
        put(firstRange);
    }

    /// A further range of an ACK frame.
    public void ackRange(long gap, long range) {
        put(gap);
        put(range);
    }

    /// What ends an ACK frame that counts marks.
    public void ackCounts(long ect0, long ect1, long ce) {
        put(ect0);
        put(ect1);
        put(ce);
    }
}
