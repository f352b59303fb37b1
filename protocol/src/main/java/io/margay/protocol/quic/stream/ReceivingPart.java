package io.margay.protocol.quic.stream;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.VarInt;
import org.jspecify.annotations.Nullable;

/// The half of a stream on which the peer sends (RFC 9000 §3.2). Confined to the connection's
/// owner.
///
/// ```
/// RECEIVING ─ final size known, all there ─► COMPLETE ─ read ─► DONE
///     └────── RESET_STREAM ────────────────► RESET ──── told ─► DONE
/// ```
final class ReceivingPart {
    static final long NONE = -1;

    private final Reassembly data = new Reassembly();
    private final long window;
    private long limit;
    private long highest;
    private long finalSize = NONE;
    private long resetCode = NONE;
    private long stopCode = NONE;

    /// @param window octets that the peer may send before any are read
    ReceivingPart(long window) {
        this.window = window;
        limit = window;
    }

    /// The largest offset that the peer has used: what counts for the connection's window.
    long highest() {
        return highest;
    }

    /// Takes data.
    @Nullable QuicError data(long offset, byte[] bytes, int from, int to, boolean ends) {
        long end = offset + (to - from);
        if (finalSize == NONE ? ends && end < highest : end > finalSize) {
            return StreamError.SIZE_CHANGED;
        }
        if (ends && finalSize != NONE && end != finalSize) {
            return StreamError.SIZE_CHANGED;
        }
        if (end > limit) {
            return StreamError.WINDOW_EXCEEDED;
        }
        highest = Math.max(highest, end);
        if (ends) {
            finalSize = end;
        }
        boolean wanted = resetCode == NONE && stopCode == NONE;
        return !wanted || data.put(offset, bytes, from, to) ? null : StreamError.TOO_MANY_GAPS;
    }

    /// The peer ends the stream before its time.
    @Nullable QuicError reset(long code, long size) {
        if (finalSize == NONE ? size < highest : size != finalSize) {
            return StreamError.SIZE_CHANGED;
        }
        if (size > limit) {
            return StreamError.WINDOW_EXCEEDED;
        }
        boolean complete = data.position() + data.readable() == finalSize;
        finalSize = size;
        highest = size;
        if (resetCode == NONE && !complete) {
            resetCode = code;
            data.clear();
        }
        return null;
    }

    /// Nothing more is wanted.
    ///
    /// @return whether the peer is to be told
    boolean stop(long code) {
        if (stopCode != NONE) {
            return false;
        }
        stopCode = code;
        data.clear();
        return resetCode == NONE && finalSize == NONE;
    }

    /// Forgets what has come.
    void clear() {
        data.clear();
    }

    /// The code of STOP_SENDING, or [#NONE].
    long stopCode() {
        return stopCode;
    }

    /// Whether the peer still needs to be told to stop.
    boolean isStopOf() {
        return stopCode != NONE && finalSize == NONE;
    }

    /// The code with which the peer has ended it before its time, or [#NONE].
    long resetCode() {
        return resetCode;
    }

    /// Octets that can be read now.
    int readable() {
        return data.readable();
    }

    int read(byte[] target, int from, int to) {
        return data.read(target, from, to);
    }

    /// Whether the whole stream was read.
    boolean isAtEnd() {
        return resetCode == NONE && stopCode == NONE && data.position() == finalSize;
    }

    /// Whether the end is there to be told, or nobody wants it.
    boolean isOver() {
        return isAtEnd() || resetCode != NONE || (stopCode != NONE && finalSize != NONE);
    }

    /// Octets that were read or will never be: what the connection's window grows by, all in all.
    long settled() {
        return resetCode != NONE || stopCode != NONE ? highest : data.position();
    }

    /// A larger limit that the peer is to be told, or [#NONE]: when half of the window was read.
    long newLimit() {
        long wanted = Math.min(VarInt.MAX, data.position() + window);
        boolean open = finalSize == NONE && stopCode == NONE && resetCode == NONE;
        return open && wanted - limit >= window / 2 ? wanted : NONE;
    }

    /// The limit was sent.
    void limit(long now) {
        limit = now;
    }

    long limit() {
        return limit;
    }

    /// Whether the peer can make use of a larger limit.
    boolean wantsLimit() {
        return finalSize == NONE && stopCode == NONE && resetCode == NONE;
    }

    /// Octets of memory that are held.
    int bytes() {
        return data.bytes();
    }
}
