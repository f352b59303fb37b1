package io.margay.server.compression;

import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.UndecidedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Has each line of a content changed, and holds the latest one until its end has come. Used by one
/// thread at a time.
final class LineEncoder implements Encoder {
    private static final int NO_CONTENT = 204;
    private static final int RESET_CONTENT = 205;
    private static final int NOT_MODIFIED = 304;

    /// Held without being counted.
    private static final int FREE_BYTES = 8 * 1024;

    /// One piece of input may become so many times longer, or as long as so many of the longest
    /// lines, whichever is more.
    private static final int GROWTH_MAX = 16;

    private static final int GROWN_LINES_MAX = 4;

    private static final byte[] NOTHING = {};

    private final LineChange change;
    private final MemoryBudget.Share held;

    /// The line of which the end has not come.
    private byte[] line = NOTHING;

    private int lineBytes;

    private byte[] source = NOTHING;
    private int inputBytes;
    private int from;
    private int to;

    /// What is to be put next.
    private byte[] made = NOTHING;

    private int madeFrom;
    private int madeTo;

    /// Bytes made of the input.
    private long grown;

    private boolean more;

    LineEncoder(LineChange change, MemoryBudget memory) {
        this.change = change;
        held = memory.share(FREE_BYTES);
    }

    /// How a response is changed; null when it remains as it is. What is in a coding remains so.
    ///
    /// @param length of the content, negative when it is not known
    static Recoding.@Nullable Recoded recoded(
            Exchange exchange, LineChange.Choice choice, long length, MemoryBudget memory) {
        int status = exchange.status();
        String coded = exchange.fields().get("Content-Encoding");
        boolean plain = coded == null || coded.equalsIgnoreCase("identity");
        boolean none =
                length == 0
                        || status == NO_CONTENT
                        || status == RESET_CONTENT
                        || status == NOT_MODIFIED;
        LineChange change = none || !plain ? null : choice.of(exchange);
        return change == null ? null : new Changed(change, memory);
    }

    private record Changed(LineChange change, MemoryBudget memory) implements Recoding.Recoded {
        @Override
        public EncoderLease lease(long length) {
            return new EncoderLease(
                    new LineEncoder(change, memory),
                    (one, _) -> one.close(),
                    EncodedResponse.BUFFER_BYTES);
        }

        @Override
        public void describe(FieldList fields) {
            fields.remove("Content-Length");
            ResponseCoding.DIGESTS.forEach(fields::remove);
        }
    }

    @Override
    public void begin(int level) {
        throw new IllegalStateException("it is for one content");
    }

    @Override
    public void input(byte[] bytes, int offset, int length) {
        source = bytes;
        inputBytes = length;
        from = offset;
        to = offset + length;
        grown = 0;
    }

    @Override
    public int output(byte[] target, int offset, int length, Flush flush) {
        int at = offset;
        int end = offset + length;
        while (true) {
            int count = Math.min(end - at, madeTo - madeFrom);
            System.arraycopy(made, madeFrom, target, at, count);
            at += count;
            madeFrom += count;
            boolean put = madeFrom == madeTo;
            if (put) {
                made = NOTHING;
                madeFrom = 0;
                madeTo = 0;
            }
            more = !put || !isDone(flush);
            if (!more || at == end) {
                return at - offset;
            }
            next();
        }
    }

    /// Whether there is nothing more to be made.
    private boolean isDone(Flush flush) {
        return from == to && (flush != Flush.END || lineBytes == 0);
    }

    /// Makes what is to be put next, or keeps the beginning of a line.
    private void next() {
        int end = from;
        while (end < to && source[end] != '\n') {
            end++;
        }
        boolean whole = end < to;
        int stop = whole ? end + 1 : end;
        if (from == to) {
            take(line, 0, lineBytes);
            lineBytes = 0;
        } else if (whole && lineBytes == 0) {
            take(source, from, stop - from);
        } else {
            keep(stop - from);
            if (whole) {
                take(line, 0, lineBytes);
                lineBytes = 0;
            }
        }
        from = stop;
    }

    private void keep(int count) {
        requireLength(lineBytes + (long) count);
        if (lineBytes + count > line.length) {
            int bytes = (int) Math.min(Math.max(2L * line.length, lineBytes + count), max());
            requireMemory(bytes + grown);
            line = Arrays.copyOf(line, bytes);
        }
        System.arraycopy(source, from, line, lineBytes, count);
        lineBytes += count;
    }

    private int max() {
        return change.lineBytesMax();
    }

    private void take(byte[] bytes, int offset, int length) {
        requireLength(length);
        byte[] changed = change.change(bytes, offset, length);
        // The line that is held is not written to before its change has been put.
        made = changed == null ? bytes : changed;
        madeFrom = changed == null ? offset : 0;
        madeTo = changed == null ? offset + length : changed.length;
        grown += madeTo - madeFrom;
        if (grown > Math.max((long) GROWN_LINES_MAX * max(), (long) GROWTH_MAX * inputBytes)) {
            throw new UndecidedException("a piece of content grows too much");
        }
        requireMemory(line.length + grown);
    }

    private void requireLength(long bytes) {
        if (bytes > max()) {
            throw new UndecidedException("a line is longer than " + max() + " bytes");
        }
    }

    private void requireMemory(long bytes) {
        if (!held.hold(bytes)) {
            throw new UndecidedException("there is no memory for a line");
        }
    }

    @Override
    public boolean hasMore() {
        return more;
    }

    @Override
    public void close() {
        held.release();
    }
}
