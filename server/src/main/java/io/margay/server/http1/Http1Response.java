package io.margay.server.http1;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http1.Http1ResponseEncoder;
import io.margay.server.connection.ContentLength;
import io.margay.server.serial.ResponseFraming;
import io.margay.server.serial.SerialOutput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The response of one exchange as far as HTTP/1.x is concerned: status, fields, and how the end of
/// the content is told (RFC 9112 §6). Owned as its exchange is.
final class Http1Response extends ResponseFraming {
    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] NOTHING = new byte[0];

    private boolean chunked;
    private boolean closeAsked;
    private @Nullable Supplier<FieldList> trailers;

    Http1Response(RequestHead request) {
        super(request);
    }

    @Override
    public void trailers(Supplier<FieldList> supplier) {
        trailers = supplier;
    }

    @Override
    public void restart(int code) {
        super.restart(code);
        trailers = null;
    }

    @Override
    public boolean isEndTold() {
        return committed && (chunked || length != UNKNOWN);
    }

    @Override
    public boolean mayUpgrade() {
        return request.version() == HttpVersion.HTTP_1_1;
    }

    // The head

    @Override
    public void commit(
            SerialOutput output, long known, boolean mustClose, byte[] date, int bytesMax) {
        settleBodyless();
        long declared = scanFields();
        boolean old = request.version() == HttpVersion.HTTP_1_0;
        long framing = known >= 0 && declared == UNKNOWN ? known : declared;
        if (bodyless) {
            boolean silent = status == 204 || (declared == UNKNOWN && known <= 0);
            framing = silent ? Http1ResponseEncoder.NONE : framing;
        } else if (framing == UNKNOWN || (trailers != null && !old && declared == UNKNOWN)) {
            chunked = !old;
            framing = old ? Http1ResponseEncoder.NONE : Http1ResponseEncoder.CHUNKED;
        } else {
            length = framing;
        }
        boolean untilClose = !bodyless && framing == Http1ResponseEncoder.NONE;
        last = mustClose || closeAsked || untilClose || !request.keepAlive();
        if (old && !last) {
            fields.set("Connection", "keep-alive");
        }
        encode(output, status, fields, framing, last, date, bytesMax);
        committed = true;
    }

    @Override
    public void commitUpgrade(SerialOutput output, byte[] date, int bytesMax) {
        status = 101;
        if (!fields.contains("Connection")) {
            fields.add("Connection", "Upgrade");
        }
        encode(output, 101, fields, Http1ResponseEncoder.NONE, false, date, bytesMax);
        committed = true;
        last = true;
    }

    @Override
    public void encodeInterim(SerialOutput output, int code, FieldList list, int bytesMax) {
        encode(output, code, list, Http1ResponseEncoder.NONE, false, null, bytesMax);
    }

    private static void encode(
            SerialOutput output,
            int code,
            FieldList list,
            long framing,
            boolean close,
            byte @Nullable [] date,
            int bytesMax) {
        while (true) {
            byte[] array = output.array();
            int end =
                    Http1ResponseEncoder.encodeHead(
                            array, output.mark(), code, list, framing, close, date);
            if (end != Http1ResponseEncoder.FULL) {
                output.advance(end);
                return;
            }
            if (!output.grow(bytesMax)) {
                throw new IllegalStateException("the response's head is larger than " + bytesMax);
            }
        }
    }

    /// Notes what the handler's fields say about framing and connection.
    ///
    /// @return the declared length, or [#UNKNOWN]
    private long scanFields() {
        long declared = UNKNOWN;
        for (int i = 0; i < fields.size(); i++) {
            int length = fields.nameLength(i);
            if (length == 14 && fields.nameIs(i, "Content-Length")) {
                declared = contentLength(i);
            } else if (length == 10 && fields.nameIs(i, "Connection")) {
                closeAsked |= fields.value(i).equalsIgnoreCase("close");
            }
        }
        if (closeAsked) {
            // The encoder writes its own.
            fields.remove("Connection");
        }
        return declared;
    }

    private long contentLength(int line) {
        Fields received = fields.received(line);
        long told = received == null ? -1 : received.decimal(fields.receivedIndex(line));
        return told >= 0 ? told : ContentLength.parse(fields.value(line));
    }

    // The content

    @Override
    public void putContent(SerialOutput output, byte[] source, int offset, int count, boolean wait)
            throws IOException {
        if (bodyless || count == 0) {
            return;
        }
        if (chunked) {
            putChunkHeader(output, count);
            output.put(source, offset, count, wait);
            output.put(CRLF, 0, CRLF.length, wait);
        } else {
            output.put(source, offset, count, wait);
        }
        sent += count;
    }

    @Override
    public void putConstant(SerialOutput output, byte[] source, int offset, int count, boolean wait)
            throws IOException {
        if (chunked || bodyless || count == 0) {
            putContent(output, source, offset, count, wait);
        } else {
            output.putConstant(source, offset, count);
            sent += count;
        }
    }

    @Override
    public void putFlush(SerialOutput output, int count) {}

    @Override
    public void putFile(SerialOutput output, FileChannel file, long position, long count)
            throws IOException {
        if (chunked) {
            // A chunk's size is an int here; a file without a declared length is sent in one.
            if (count > Integer.MAX_VALUE) {
                throw new IllegalStateException("so large a file needs a Content-Length");
            }
            putChunkHeader(output, (int) count);
        }
        output.putFile(file, position, count, chunked ? CRLF : NOTHING);
        sent += count;
    }

    private static void putChunkHeader(SerialOutput output, int count) {
        output.reserve(Http1ResponseEncoder.CHUNK_HEADER_BYTES_MAX);
        output.advance(
                Http1ResponseEncoder.encodeChunkHeader(output.array(), output.mark(), count));
    }

    @Override
    public void putTail(SerialOutput output, int bytesMax) throws IOException {
        if (!chunked) {
            return;
        }
        Supplier<FieldList> supplier = trailers;
        FieldList list = supplier == null ? null : supplier.get();
        if (list == null || list.size() == 0) {
            byte[] lastChunk = Http1ResponseEncoder.LAST_CHUNK;
            output.put(lastChunk, 0, lastChunk.length, false);
            return;
        }
        while (true) {
            int end = Http1ResponseEncoder.encodeTrailers(output.array(), output.mark(), list);
            if (end != Http1ResponseEncoder.FULL) {
                output.advance(end);
                return;
            }
            if (!output.grow(bytesMax)) {
                throw new IOException("the trailers are larger than " + bytesMax);
            }
        }
    }
}
