package io.margay.gateway.health;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.fastcgi.CgiRequest;
import io.margay.protocol.fastcgi.CgiRequestBuilder;
import io.margay.protocol.fastcgi.FastCgiLimits;
import io.margay.protocol.fastcgi.FastCgiParameters;
import io.margay.protocol.fastcgi.FastCgiRequestEncoder;
import io.margay.protocol.fastcgi.FastCgiResponseDecoder;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestHead;
import java.io.IOException;
import java.util.Map;

/// A check by FastCGI. Confined to the check's thread.
final class FastCgiProbe extends ProbeDialogue {
    private static final String HERE = "127.0.0.1";

    private final FastCgiResponseDecoder decoder =
            new FastCgiResponseDecoder(FastCgiLimits.defaults());

    FastCgiProbe(PeerConfig peer, HealthConfig config) {
        super(peer, config);
        if (config.kind() == HealthConfig.Kind.CPING) {
            throw new IllegalArgumentException("only AJP members answer CPING");
        }
        decoder.reset(config.kind() == HealthConfig.Kind.HEAD);
    }

    @Override
    byte[] request() throws IOException {
        RequestHead head = head();
        String root = peer.root();
        CgiRequest request =
                CgiRequestBuilder.builder()
                        .head(head)
                        .target(target())
                        .path(CanonicalPath.of(head.target().rawPath()))
                        .query(head.target().rawQuery())
                        .root(root == null ? "" : root)
                        .remoteAddress(HERE)
                        .remotePort(0)
                        .serverName("localhost")
                        .serverAddress(HERE)
                        .serverPort(80)
                        .extra(Map.of())
                        .build();
        if (request.error() != null) {
            throw new IOException("the check's path names no script");
        }
        FastCgiParameters parameters = request.parameters();
        byte[] bytes =
                new byte
                        [FastCgiRequestEncoder.requestBytes(parameters)
                                + FastCgiRequestEncoder.DATA_PREFIX_BYTES];
        int end = FastCgiRequestEncoder.encodeRequest(bytes, 0, false, parameters);
        return until(bytes, FastCgiRequestEncoder.encodeDataEnd(bytes, end));
    }

    @Override
    Step decode(byte[] buffer, int from, int to) throws IOException {
        return switch (decoder.decode(buffer, from, to)) {
            case NEED_MORE -> Step.NEED_MORE;
            case LOG -> Step.GO_ON;
            case END -> Step.END;
            case OVERLOADED -> throw new IOException("the application takes no more requests");
            case ERROR -> throw new IOException(decoder.error().text());
            case HEAD -> {
                status(decoder.head().status());
                yield Step.GO_ON;
            }
            case DATA -> {
                body(buffer, decoder.dataFrom(), decoder.dataTo());
                yield Step.GO_ON;
            }
        };
    }

    @Override
    int consumed() {
        return decoder.consumed();
    }

    @Override
    boolean endsWithInput() {
        return false;
    }
}
