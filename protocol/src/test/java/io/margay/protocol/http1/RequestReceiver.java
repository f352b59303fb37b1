package io.margay.protocol.http1;

import io.margay.protocol.http.RequestHead;
import io.margay.testkit.Escapes;
import io.margay.testkit.Trace;
import java.nio.charset.StandardCharsets;

/// Decodes a stream of requests into a trace.
final class RequestReceiver extends MessageReceiver {
    private final Http1Limits limits;
    private final Http1RequestDecoder decoder;

    RequestReceiver() {
        this(Http1Limits.defaults(), false);
    }

    RequestReceiver(Http1Limits limits, boolean secure) {
        this.limits = limits;
        this.decoder = new Http1RequestDecoder(limits, secure);
    }

    @Override
    int decodeHead(byte[] bytes, int from, int to, Trace trace) {
        switch (decoder.decode(bytes, from, to)) {
            case NEED_MORE -> {
                return -1;
            }
            case ERROR -> {
                fail(decoder.error(), trace);
                return to;
            }
            case HEAD -> {
                RequestHead head = decoder.head();
                trace.add(describe(head));
                for (int i = 0; i < head.fields().size(); i++) {
                    byte[] value = head.fields().value(i).getBytes(StandardCharsets.ISO_8859_1);
                    trace.add(head.fields().name(i) + ": " + Escapes.escape(value));
                }
                int headEnd = decoder.headEnd();
                if (head.contentLength() == RequestHead.UNKNOWN_LENGTH) {
                    content(Http1BodyDecoder.chunked(limits), trace);
                } else if (head.contentLength() == RequestHead.NO_BODY) {
                    content(null, trace);
                } else {
                    content(Http1BodyDecoder.fixed(head.contentLength()), trace);
                }
                return headEnd;
            }
        }
        throw new AssertionError();
    }

    private static String describe(RequestHead head) {
        return String.join(
                " ",
                head.method(),
                head.target().form().toString(),
                head.target().rawPath().isEmpty() ? "-" : head.target().rawPath(),
                "query=" + head.target().rawQuery(),
                "scheme=" + head.target().scheme(),
                "authority=" + head.target().authority(),
                head.version().text(),
                "length=" + head.contentLength(),
                head.keepAlive() ? "keep" : "close",
                head.expectContinue() ? "expect" : "-");
    }

    @Override
    void messageEnded() {
        decoder.reset();
    }
}
