package io.margay.gateway.health;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http1.Http1BodyDecoder;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1RequestEncoder;
import io.margay.protocol.http1.Http1ResponseDecoder;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A check by HTTP/1.1. Confined to the check's thread.
final class HttpProbe extends ProbeDialogue {
    private final Http1Limits limits = Http1Limits.defaults();
    private final Http1ResponseDecoder decoder = new Http1ResponseDecoder(limits);
    private @Nullable Http1BodyDecoder body;
    private int consumed;

    HttpProbe(PeerConfig peer, HealthConfig config) {
        super(peer, config);
        if (config.kind() == HealthConfig.Kind.CPING) {
            throw new IllegalArgumentException("only AJP members answer CPING");
        }
        decoder.reset(method());
    }

    @Override
    byte[] request() throws IOException {
        byte[] bytes = new byte[16_384];
        FieldList fields =
                new FieldList().add("Host", host()).add("User-Agent", "Margay health check");
        return until(
                bytes,
                Http1RequestEncoder.encodeHead(
                        bytes, 0, method(), target(), fields, Http1RequestEncoder.NONE, true));
    }

    @Override
    Step decode(byte[] buffer, int from, int to) throws IOException {
        consumed = from;
        Http1BodyDecoder content = body;
        return content == null ? head(buffer, from, to) : content(content, buffer, from, to);
    }

    private Step head(byte[] buffer, int from, int to) throws IOException {
        switch (decoder.decode(buffer, from, to)) {
            case NEED_MORE -> {
                return Step.NEED_MORE;
            }
            case ERROR -> throw new IOException(decoder.error().text());
            case HEAD -> {}
        }
        ResponseHead head = decoder.head();
        consumed = decoder.headEnd();
        if (head.isInterim()) {
            decoder.reset(method());
            return Step.GO_ON;
        }
        status(head.status());
        long length = head.contentLength();
        body =
                length == ResponseHead.UNKNOWN_LENGTH
                        ? Http1BodyDecoder.chunked(limits)
                        : length == ResponseHead.UNTIL_CLOSE
                                ? Http1BodyDecoder.untilClose()
                                : Http1BodyDecoder.fixed(Math.max(0, length));
        return body.ended() ? Step.END : Step.GO_ON;
    }

    private Step content(Http1BodyDecoder content, byte[] buffer, int from, int to)
            throws IOException {
        if (content.ended()) {
            return Step.END;
        }
        if (from == to) {
            return Step.NEED_MORE;
        }
        Http1BodyDecoder.Result result = content.decode(buffer, from, to);
        consumed = content.consumed();
        return switch (result) {
            case NEED_MORE -> Step.NEED_MORE;
            case END -> Step.END;
            case ERROR -> throw new IOException(content.error().text());
            case DATA -> {
                body(buffer, content.dataFrom(), content.dataTo());
                yield Step.GO_ON;
            }
        };
    }

    @Override
    int consumed() {
        return consumed;
    }

    @Override
    boolean endsWithInput() {
        Http1BodyDecoder content = body;
        return content != null && content.endOfInput() == Http1BodyDecoder.Result.END;
    }
}
