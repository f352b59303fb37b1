package io.margay.server.ajp;

import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpResponseEncoder;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.server.connection.ContentLength;
import io.margay.server.serial.FilePackets;
import io.margay.server.serial.ResponseFraming;
import io.margay.server.serial.SerialOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;

/// The response of one AJP13 exchange: SEND_HEADERS always, then content in packets. END_RESPONSE
/// is the connection's, since it tells what becomes of that. Owned as its exchange is.
final class AjpResponse extends ResponseFraming implements FilePackets {
    private static final byte[] SUFFIX = {0};

    private final AjpLimits limits;

    AjpResponse(RequestHead request, AjpLimits limits) {
        super(request);
        this.limits = limits;
    }

    /// AJP13 has none: they are dropped.
    @Override
    public void trailers(Supplier<FieldList> supplier) {}

    @Override
    public boolean mayUpgrade() {
        return false;
    }

    // The head

    @Override
    public void commit(
            SerialOutput output, long known, boolean mustClose, byte[] date, int bytesMax) {
        settleBodyless();
        long declared = declaredLength();
        long told = AjpResponseEncoder.NO_LENGTH;
        if (!bodyless) {
            length = declared != UNKNOWN ? declared : known;
            told = length;
        } else if (status != 204 && declared == UNKNOWN && known > 0) {
            told = known;
        }
        if (status == 204) {
            fields.remove("Content-Length");
        }
        output.reserve(limits.packetBytesMax());
        int end =
                AjpResponseEncoder.encodeHead(
                        output.array(), output.mark(), limits, status, fields, told);
        if (end == AjpResponseEncoder.FULL) {
            throw new IllegalStateException(
                    "the response's head is larger than a packet of " + limits.packetBytesMax());
        }
        output.advance(end);
        committed = true;
    }

    private long declaredLength() {
        String text = fields.get("Content-Length");
        return text == null ? UNKNOWN : ContentLength.parse(text);
    }

    @Override
    public void commitUpgrade(SerialOutput output, byte[] date, int bytesMax) {
        throw new IllegalStateException("AJP13 cannot switch protocols");
    }

    /// AJP13 has none: front ends answer `Expect` themselves.
    @Override
    public void encodeInterim(SerialOutput output, int code, FieldList list, int bytesMax) {}

    // The content

    @Override
    public void putContent(SerialOutput output, byte[] source, int offset, int count, boolean wait)
            throws IOException {
        if (bodyless) {
            return;
        }
        int most = limits.responseDataMax();
        int at = offset;
        int left = count;
        while (left > 0) {
            int piece = Math.min(left, most);
            putPrefix(output, piece);
            output.put(source, at, piece, wait);
            output.put(SUFFIX, 0, SUFFIX.length, wait);
            at += piece;
            left -= piece;
            sent += piece;
        }
    }

    private static void putPrefix(SerialOutput output, int count) {
        output.reserve(AjpResponseEncoder.CHUNK_PREFIX_BYTES);
        output.advance(AjpResponseEncoder.encodeChunkPrefix(output.array(), output.mark(), count));
    }

    /// A front end may collect what fills no packet, unless told to pass it on.
    @Override
    public void putFlush(SerialOutput output, int count) {
        if (!bodyless && count < limits.responseDataMax()) {
            putPrefix(output, 0);
            output.reserve(AjpResponseEncoder.CHUNK_SUFFIX_BYTES);
            output.advance(AjpResponseEncoder.encodeChunkSuffix(output.array(), output.mark()));
        }
    }

    @Override
    public void putFile(SerialOutput output, FileChannel file, long position, long count) {
        output.putFile(file, position, count, this);
        sent += count;
    }

    @Override
    public int contentOfNext(int room, long remaining) {
        int extra = AjpResponseEncoder.CHUNK_PREFIX_BYTES + AjpResponseEncoder.CHUNK_SUFFIX_BYTES;
        return (int) Math.min(remaining, Math.min(room - extra, limits.responseDataMax()));
    }

    @Override
    public int encode(FileChannel file, long position, int length, byte[] target)
            throws IOException {
        int start = AjpResponseEncoder.encodeChunkPrefix(target, 0, length);
        ByteBuffer content = ByteBuffer.wrap(target, start, length);
        while (content.hasRemaining()) {
            int count = file.read(content, position + content.position() - start);
            if (count < 0) {
                throw new IOException("a file became shorter while it was sent");
            }
        }
        return AjpResponseEncoder.encodeChunkSuffix(target, start + length);
    }

    @Override
    public void putTail(SerialOutput output, int bytesMax) {}
}
