package io.margay.protocol.fastcgi;

import io.margay.protocol.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// Finds records in what has been received, and gives their content piece by piece as it comes.
/// Confined to its decoder's thread.
///
/// ```
/// HEADER --8 octets--> CONTENT --all--> PADDING --all--> HEADER
/// ```
final class RecordReader {
    enum Step {
        NEED_MORE,
        /// A record begins: see [#type], [#length].
        BEGIN,
        /// A piece of its content, never empty.
        CONTENT,
        /// The record is over.
        END,
        ERROR
    }

    private enum State {
        HEADER,
        CONTENT,
        PADDING
    }

    private State state = State.HEADER;
    private long header;
    private int headerBytes;
    private int type;
    private int length;
    private int remaining;
    private int padding;
    private int from;
    private int consumed;
    private @Nullable ProtocolError error;

    void reset() {
        state = State.HEADER;
        header = 0;
        headerBytes = 0;
        error = null;
    }

    Step step(byte[] buffer, int start, int to) {
        consumed = start;
        return switch (state) {
            case HEADER -> header(buffer, start, to);
            case CONTENT -> content(start, to);
            case PADDING -> padding(start, to);
        };
    }

    private Step header(byte[] buffer, int start, int to) {
        int at = start;
        while (headerBytes < FastCgi.HEADER_BYTES && at < to) {
            header = header << 8 | (buffer[at++] & 0xff);
            headerBytes++;
        }
        consumed = at;
        if (headerBytes < FastCgi.HEADER_BYTES) {
            return Step.NEED_MORE;
        }
        headerBytes = 0;
        if ((header >>> 56) != FastCgi.VERSION) {
            return failed(FastCgiError.VERSION);
        }
        if ((header >>> 32 & 0xffff) != FastCgi.REQUEST_ID) {
            return failed(FastCgiError.REQUEST_ID);
        }
        type = (int) (header >>> 48 & 0xff);
        length = (int) (header >>> 16 & 0xffff);
        padding = (int) (header >>> 8 & 0xff);
        remaining = length;
        state = State.CONTENT;
        return Step.BEGIN;
    }

    private Step content(int start, int to) {
        if (remaining == 0) {
            state = State.PADDING;
            return padding(start, to);
        }
        int take = Math.min(remaining, to - start);
        if (take == 0) {
            return Step.NEED_MORE;
        }
        from = start;
        consumed = start + take;
        remaining -= take;
        return Step.CONTENT;
    }

    private Step padding(int start, int to) {
        int skip = Math.min(padding, to - start);
        padding -= skip;
        consumed = start + skip;
        if (padding > 0) {
            return Step.NEED_MORE;
        }
        state = State.HEADER;
        return Step.END;
    }

    private Step failed(ProtocolError fault) {
        error = fault;
        return Step.ERROR;
    }

    /// Gives back the last `octets` of a piece of content; they come again.
    void giveBack(int octets) {
        remaining += octets;
        consumed -= octets;
    }

    int type() {
        return type;
    }

    /// Octets of the record's content.
    int length() {
        return length;
    }

    /// Offset of the first octet of a piece, after CONTENT.
    int from() {
        return from;
    }

    /// Offset after what has been used.
    int consumed() {
        return consumed;
    }

    @Nullable ProtocolError error() {
        return error;
    }
}
