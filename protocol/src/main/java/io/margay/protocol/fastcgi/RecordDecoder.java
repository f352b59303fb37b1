package io.margay.protocol.fastcgi;

import io.margay.protocol.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// Decodes the records of one side of FastCGI, up to the next thing to tell. Confined to the thread
/// that owns the connection.
///
/// @param <R> what may be found
public abstract class RecordDecoder<R> {
    final RecordReader records = new RecordReader();
    int consumed;
    int dataFrom;
    int dataTo;
    private final R needMore;
    private final R wrong;
    private @Nullable ProtocolError error;

    RecordDecoder(R needMore, R wrong) {
        this.needMore = needMore;
        this.wrong = wrong;
    }

    /// Uses up what has been received, up to the next thing to tell.
    ///
    /// @param buffer holds in `[from,to)` what has been received and not used so far
    public final R decode(byte[] buffer, int from, int to) {
        consumed = from;
        while (error == null) {
            RecordReader.Step step = records.step(buffer, consumed, to);
            consumed = records.consumed();
            dataFrom = records.from();
            dataTo = consumed;
            R result =
                    switch (step) {
                        case NEED_MORE -> needMore;
                        case BEGIN -> begin();
                        case CONTENT -> content(buffer);
                        case END -> end();
                        case ERROR -> failed(records.error());
                    };
            if (result != null) {
                return result;
            }
        }
        return wrong;
    }

    /// A record begins; null = there is nothing to tell.
    abstract @Nullable R begin();

    /// Some of its content has come.
    abstract @Nullable R content(byte[] buffer);

    /// It is over.
    abstract @Nullable R end();

    final R failed(@Nullable ProtocolError fault) {
        error = fault;
        return wrong;
    }

    final void restart() {
        records.reset();
        error = null;
    }

    /// Offset after what has been used.
    public final int consumed() {
        return consumed;
    }

    /// Offset of the first byte of content, or of a line for the log, when that is found.
    public final int dataFrom() {
        return dataFrom;
    }

    /// Offset after its last byte.
    public final int dataTo() {
        return dataTo;
    }

    /// What is wrong, after an error.
    public final ProtocolError error() {
        return known(error);
    }

    static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("decode has not given this yet");
        }
        return value;
    }
}
