package io.margay.server.http1;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http1.Http1BodyDecoder;
import io.margay.protocol.http1.Http1Limits;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.serial.ContentSource;
import io.margay.server.serial.SerialOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The content of one HTTP/1.x request. Owned as its connection is.
///
/// Content of a declared length is only counted; chunked content runs through a decoder.
final class Http1RequestBody extends ContentSource {
    /// So much room at least lets content of a known length bypass the input buffer, bytes.
    private static final int DIRECT_MIN = 4096;

    private static final ProtocolError END_OF_INPUT =
            ProtocolError.of(
                    400,
                    "RFC 9112 §8",
                    "the connection ended before the content of the request did");

    private final @Nullable Http1BodyDecoder chunks;
    private long remaining;

    Http1RequestBody(ConnectionInput input, RequestHead head, Http1Limits limits) {
        super(input);
        remaining = head.contentLength();
        if (remaining == RequestHead.UNKNOWN_LENGTH) {
            chunks = Http1BodyDecoder.chunked(limits);
        } else {
            chunks = null;
            ended = remaining == 0;
        }
    }

    @Override
    public boolean received() {
        return ended || (chunks == null && remaining <= input.available());
    }

    @Override
    public boolean endsWithin(long bytes) {
        return ended || (error == null && (chunks != null || remaining <= bytes));
    }

    @Override
    public Fields trailers() {
        return ended && chunks != null ? chunks.trailers() : Fields.EMPTY;
    }

    @Override
    protected int takeSome(byte[] target, int offset, int length) throws RequestBodyException {
        return chunks == null
                ? takeCounted(target, offset, length)
                : takeChunked(chunks, target, offset, length);
    }

    private int takeCounted(byte[] target, int offset, int length) {
        if (ended) {
            return -1;
        }
        int count = (int) Math.min(Math.min(length, input.available()), remaining);
        System.arraycopy(input.bytes, input.from, target, offset, count);
        input.from += count;
        count(count);
        return count;
    }

    private void count(int bytes) {
        remaining -= bytes;
        ended = remaining == 0;
    }

    private int takeChunked(Http1BodyDecoder decoder, byte[] target, int offset, int length)
            throws RequestBodyException {
        if (spanFrom == spanTo && !nextSpan(decoder)) {
            return ended ? -1 : 0;
        }
        int count = copySpan(target, offset, length);
        spanFrom += count;
        return count;
    }

    /// Decodes on to the next content bytes; false when there are none in the buffer.
    private boolean nextSpan(Http1BodyDecoder decoder) throws RequestBodyException {
        while (!ended && !input.isEmpty()) {
            int from = input.from;
            Http1BodyDecoder.Result result = decoder.decode(input.bytes, from, input.to);
            input.from = decoder.consumed();
            switch (result) {
                case DATA -> {
                    spanFrom = decoder.dataFrom();
                    spanTo = decoder.dataTo();
                    if (spanFrom < spanTo) {
                        return true;
                    }
                }
                case END -> ended = true;
                case ERROR -> throw fail(decoder.error());
                case NEED_MORE -> {
                    return false;
                }
            }
        }
        return false;
    }

    @Override
    public int receive(byte[] target, int offset, int length) throws IOException {
        if (chunks == null && length >= DIRECT_MIN && input.isEmpty()) {
            int read = input.readDirect(target, offset, (int) Math.min(length, remaining));
            if (read < 0) {
                throw fail(END_OF_INPUT);
            }
            count(read);
            return read;
        }
        return super.receive(target, offset, length);
    }

    @Override
    public long discard() throws RequestBodyException {
        if (error != null) {
            throw error;
        }
        long before = input.available();
        if (chunks == null) {
            int count = (int) Math.min(input.available(), remaining);
            input.from += count;
            count(count);
        } else {
            do {
                spanFrom = spanTo;
            } while (nextSpan(chunks));
        }
        return before - input.available();
    }

    @Override
    public boolean ask(SerialOutput output) {
        return false;
    }

    @Override
    protected ProtocolError endOfInput() {
        return END_OF_INPUT;
    }
}
