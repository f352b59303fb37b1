package io.margay.protocol.http1;

import io.margay.protocol.http.ResponseHead;
import io.margay.testkit.Escapes;
import io.margay.testkit.Trace;
import java.nio.charset.StandardCharsets;

/// Decodes a stream of responses to one kind of request into a trace.
final class ResponseReceiver extends MessageReceiver {
    private final Http1Limits limits;
    private final String method;
    private final Http1ResponseDecoder decoder;

    ResponseReceiver(String method) {
        this(method, Http1Limits.defaults());
    }

    ResponseReceiver(String method, Http1Limits limits) {
        this.limits = limits;
        this.method = method;
        this.decoder = new Http1ResponseDecoder(limits);
        decoder.reset(method);
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
                ResponseHead head = decoder.head();
                trace.add(describe(head));
                for (int i = 0; i < head.fields().size(); i++) {
                    byte[] value = head.fields().value(i).getBytes(StandardCharsets.ISO_8859_1);
                    trace.add(head.fields().name(i) + ": " + Escapes.escape(value));
                }
                int headEnd = decoder.headEnd();
                if (head.status() == 101) {
                    stop("switched", trace);
                } else if (head.contentLength() == ResponseHead.UNKNOWN_LENGTH) {
                    content(Http1BodyDecoder.chunked(limits), trace);
                } else if (head.contentLength() == ResponseHead.UNTIL_CLOSE) {
                    content(Http1BodyDecoder.untilClose(), trace);
                } else if (head.contentLength() == 0) {
                    content(null, trace);
                } else {
                    content(Http1BodyDecoder.fixed(head.contentLength()), trace);
                }
                return headEnd;
            }
        }
        throw new AssertionError();
    }

    private static String describe(ResponseHead head) {
        return String.join(
                " ",
                head.version().text(),
                Integer.toString(head.status()),
                "reason=" + head.reason(),
                "length=" + head.contentLength(),
                head.keepAlive() ? "keep" : "close",
                head.isInterim() ? "interim" : "final");
    }

    @Override
    void messageEnded() {
        decoder.reset(method);
    }
}
