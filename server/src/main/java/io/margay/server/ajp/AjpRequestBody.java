package io.margay.server.ajp;

import io.margay.protocol.ajp.AjpBodyDecoder;
import io.margay.protocol.ajp.AjpError;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpResponseEncoder;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.serial.ContentSource;
import io.margay.server.serial.SerialOutput;
import java.io.IOException;

/// The content of one AJP13 request. The first packet of a declared length comes by itself; for
/// each further one the front end is asked. Owned as its connection is.
final class AjpRequestBody extends ContentSource {
    private static final ProtocolError END_OF_INPUT =
            ProtocolError.of(
                    400, "AJP13", "the front end closed before the content of the request ended");

    private final AjpLimits limits;
    private final AjpBodyDecoder decoder;
    private boolean packetDue;

    AjpRequestBody(ConnectionInput input, RequestHead head, AjpLimits limits) {
        super(input);
        this.limits = limits;
        decoder = new AjpBodyDecoder(limits, head.contentLength());
        ended = head.contentLength() == RequestHead.NO_BODY;
        packetDue = head.contentLength() > 0;
    }

    @Override
    public boolean endsWithin(long bytes) {
        return ended || (error == null && decoder.remaining() <= bytes);
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }

    @Override
    public boolean ask(SerialOutput output) {
        if (ended || packetDue || error != null || spanFrom < spanTo || output.isSendingFile()) {
            return false;
        }
        long remaining = decoder.remaining();
        int most = limits.requestDataMax();
        int wanted = remaining < 0 ? most : (int) Math.min(most, remaining);
        output.reserve(AjpResponseEncoder.GET_BODY_BYTES);
        output.advance(AjpResponseEncoder.encodeGetBody(output.array(), output.mark(), wanted));
        packetDue = true;
        return true;
    }

    @Override
    protected int takeSome(byte[] target, int offset, int length) throws IOException {
        if (spanFrom == spanTo && !nextSpan()) {
            return ended ? -1 : 0;
        }
        int count = copySpan(target, offset, length);
        skipSpan(count);
        return count;
    }

    /// Moves on in the span. Only at its end does the packet's or the content's end come into
    /// force: before, nothing else may be read into the buffer.
    private void skipSpan(int count) {
        spanFrom += count;
        if (spanFrom < spanTo || count == 0) {
            return;
        }
        if (decoder.ended()) {
            ended = true;
        } else if (decoder.atPacketEnd()) {
            packetDue = false;
        }
    }

    /// Decodes on to the next content bytes; false when there are none in the buffer.
    private boolean nextSpan() throws IOException {
        while (!ended && packetDue && !input.isEmpty()) {
            AjpBodyDecoder.Result result = decoder.decode(input.bytes, input.from, input.to);
            input.from = decoder.consumed();
            switch (result) {
                case DATA -> {
                    spanFrom = decoder.dataFrom();
                    spanTo = decoder.dataTo();
                    return true;
                }
                case END -> ended = true;
                case ERROR -> throw wrong(decoder.error());
                case PACKET_END, NEED_MORE -> {}
            }
        }
        return false;
    }

    private IOException wrong(AjpError fault) {
        if (fault.answerable()) {
            return fail(fault.cause());
        }
        fail(fault.cause());
        return new IOException(fault.cause().text());
    }

    @Override
    public long discard() throws IOException {
        if (error != null) {
            throw error;
        }
        long before = input.available();
        do {
            skipSpan(spanTo - spanFrom);
        } while (nextSpan());
        return before - input.available();
    }

    @Override
    protected ProtocolError endOfInput() {
        return END_OF_INPUT;
    }
}
