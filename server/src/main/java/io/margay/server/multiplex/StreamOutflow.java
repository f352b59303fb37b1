package io.margay.server.multiplex;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.multiplex.MessageStream;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Content of a response that has not been put into frames, because the windows or the connection
/// had no room. Guarded by the lock of its connection.
///
/// It is lent by a thread that waits until all has gone or by one that says it stays as it is, or
/// kept here for others.
final class StreamOutflow {
    private static final byte[] NONE = new byte[0];

    /// What [#send] came to.
    enum Progress {
        /// There is more, and room for it perhaps.
        MORE,
        /// The stream's window is used up.
        STREAM_FULL,
        /// The connection's window is used up.
        CONNECTION_FULL,
        /// Nothing is left.
        EMPTY
    }

    /// Whose the array is that waits.
    enum Loan {
        /// Its own.
        NONE,
        /// Of a thread that waits until it has gone.
        WAITED_FOR,
        /// Of a file that is sent by the loop: nobody waits, so that it counts.
        LEASED,
        /// Of a caller that wants it back at once.
        COPIED,
        /// Nobody changes it any more.
        FOR_GOOD
    }

    private final LongSupplier nanos;
    private final StreamMemory memory;
    private byte[] bytes = NONE;
    private int from;
    private int to;
    private Loan loan = Loan.NONE;
    private boolean ends;
    private @Nullable FieldList trailers;
    private boolean finished;

    /// Octets of an array that the connection's memory counts.
    private int counted;

    private boolean tooMuch;

    /// Whether what waits has just been put, so that its time is not known yet.
    private boolean isNew;

    /// Whether the connection has it in its queue.
    boolean queued;

    /// When octets went last, or since when there are any that wait; nothing while none do.
    long progressNanos;

    /// Octets that went since they were last asked for.
    int moved;

    /// How long the client did not take what waited, nanoseconds.
    long waitedNanos;

    /// Octets of the response on the wire, heads included.
    long wireBytes;

    /// @param nanos the clock
    /// @param memory counts what is kept here
    StreamOutflow(LongSupplier nanos, StreamMemory memory) {
        this.nanos = nanos;
        this.memory = memory;
    }

    /// Whether everything has gone, the end of the message included if it was told.
    boolean isEmpty() {
        return from == to && (!ends || finished);
    }

    /// Whether the end of the message has gone.
    boolean isFinished() {
        return finished;
    }

    int waiting() {
        return to - from;
    }

    /// Takes the caller's array. Nothing else may wait.
    void runAsLeader(byte[] source, int offset, int length, Loan by) {
        if (from < to) {
            throw new IllegalStateException("earlier content waits");
        }
        stamp();
        bytes = source;
        from = offset;
        to = offset + length;
        loan = by;
    }

    /// After the first try to send what was put: notes since when it waits, and gives the caller's
    /// array back where that does not wait: what has not gone is copied.
    void settle() {
        if (isNew && !isEmpty()) {
            progressNanos = nanos.getAsLong();
        }
        isNew = false;
        if (loan == Loan.COPIED) {
            if (from < to) {
                bytes = Arrays.copyOfRange(bytes, from, to);
                to -= from;
                from = 0;
            }
            loan = Loan.NONE;
        }
        count();
    }

    /// Whether there was no room for what would have been kept.
    boolean isTooMuch() {
        return tooMuch;
    }

    private void count() {
        int own = loan == Loan.NONE || loan == Loan.LEASED ? bytes.length : 0;
        if (own != counted) {
            boolean room = memory.output(own - counted);
            counted = room ? own : counted;
            tooMuch |= !room;
        }
    }

    /// Takes a copy, behind what waits.
    void append(byte[] source, int offset, int length, int pendingMax) {
        int waits = to - from;
        if (waits > pendingMax) {
            throw new IllegalStateException("offered before the exchange was writable");
        }
        boolean fits = loan == Loan.NONE && bytes.length - to >= length;
        byte[] all = fits ? bytes : grown(waits + length);
        System.arraycopy(source, offset, all, to, length);
        bytes = all;
        to += length;
        loan = Loan.NONE;
    }

    private byte[] grown(int needed) {
        byte[] all = new byte[Math.max(needed, Math.min(needed * 2, 65_536))];
        System.arraycopy(bytes, from, all, 0, to - from);
        to -= from;
        from = 0;
        return all;
    }

    private void stamp() {
        isNew |= from == to;
    }

    /// Says that nothing follows but perhaps these trailers.
    void end(@Nullable FieldList fields) {
        stamp();
        ends = true;
        trailers = fields;
    }

    /// The end of the message went with its head.
    void endedByHead() {
        ends = true;
        finished = true;
        drop();
    }

    /// Forgets what waits.
    void drop() {
        bytes = NONE;
        from = 0;
        to = 0;
        count();
    }

    /// Some of it has gone.
    private void progressed() {
        long now = nanos.getAsLong();
        waitedNanos += isNew ? 0 : now - progressNanos;
        progressNanos = now;
    }

    /// Puts what there is room for into at most one frame.
    Progress send(MessageStream stream) {
        if (finished) {
            return Progress.EMPTY;
        }
        int length = to - from;
        boolean last = ends && trailers == null;
        if (length > 0 || last) {
            int count = stream.send(bytes, from, length, last);
            if (count > 0) {
                from += count;
                moved += count;
            }
            if (count < length) {
                if (count > 0) {
                    progressed();
                    return Progress.MORE;
                }
                return stream.hasConnectionRoom() ? Progress.STREAM_FULL : Progress.CONNECTION_FULL;
            }
            if (length > 0 && !isNew) {
                progressed();
            }
            finished = last;
            drop();
        }
        FieldList fields = trailers;
        if (ends && fields != null) {
            stream.sendTrailers(fields);
            finished = true;
        }
        return Progress.EMPTY;
    }
}
