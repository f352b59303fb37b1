package io.margay.server.multiplex;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.server.exchange.RequestBodyException;
import org.jspecify.annotations.Nullable;

/// Content of a request that has been received and not been read. Guarded by the lock of its
/// connection.
///
/// It is never larger than the window of a stream, which grows only as content is read.
final class StreamInflow {
    private static final byte[] NONE = new byte[0];
    private static final int FIRST_BYTES = 1_024;
    private static final int KEPT_BYTES = 16_384;

    private byte[] bytes = NONE;
    private int from;
    private int to;
    private boolean ended;

    /// What the client did wrong. Nothing more can be read then.
    @Nullable RequestBodyException error;

    Fields trailers = Fields.EMPTY;

    /// Since when a reader waits, or 0.
    long awaitedNanos;

    /// Since when somebody asks for content, or 0.
    long askedNanos;

    /// How long that was not there, nanoseconds.
    long waitedNanos;

    boolean isEmpty() {
        return from == to;
    }

    boolean isEnded() {
        return ended && from == to;
    }

    /// Whether [#take] would say something.
    boolean isReady() {
        return from < to || ended || error != null;
    }

    /// What its array takes.
    int capacity() {
        return bytes.length;
    }

    /// What it would take with `count` octets more.
    int capacityFor(int count) {
        int waiting = to - from;
        return waiting + count <= bytes.length
                ? bytes.length
                : Math.max(Math.max(FIRST_BYTES, waiting + count), waiting * 2);
    }

    void append(byte[] source, int start, int end) {
        int count = end - start;
        if (count > bytes.length - to) {
            int waiting = to - from;
            int capacity = capacityFor(count);
            byte[] target = capacity == bytes.length ? bytes : new byte[capacity];
            System.arraycopy(bytes, from, target, 0, waiting);
            bytes = target;
            from = 0;
            to = waiting;
        }
        System.arraycopy(source, start, bytes, to, count);
        to += count;
    }

    void end() {
        ended = true;
    }

    /// Takes content: octets, 0 when there are none now, -1 at the end.
    int take(byte[] target, int offset, int length) {
        if (from == to) {
            return ended ? -1 : 0;
        }
        int count = Math.min(length, to - from);
        System.arraycopy(bytes, from, target, offset, count);
        from += count;
        if (from == to) {
            from = 0;
            to = 0;
            if (bytes.length > KEPT_BYTES) {
                bytes = NONE;
            }
        }
        return count;
    }

    /// Forgets what nobody has read.
    ///
    /// @return octets
    int discard() {
        int count = to - from;
        from = 0;
        to = 0;
        bytes = NONE;
        return count;
    }

    /// Remembers what the client did wrong, unless there was something before.
    RequestBodyException fail(ProtocolError cause) {
        RequestBodyException known = error;
        if (known == null) {
            known = new RequestBodyException(cause);
            error = known;
        }
        return known;
    }
}
