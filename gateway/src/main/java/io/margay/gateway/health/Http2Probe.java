package io.margay.gateway.health;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Buffer;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Stream;
import java.io.IOException;
import java.util.Arrays;

/// A check by HTTP/2: one request on a connection of its own. What the session would send beside
/// the request is not sent, since the connection ends before anybody waits for it. Confined to the
/// check's thread.
final class Http2Probe extends ProbeDialogue {
    private final Http2Session session;

    Http2Probe(PeerConfig peer, HealthConfig config) {
        super(peer, config);
        if (config.kind() == HealthConfig.Kind.CPING) {
            throw new IllegalArgumentException("only AJP peers answer CPING");
        }
        session =
                new Http2Session(
                        Http2Session.Role.CLIENT,
                        Http2Limits.defaults(),
                        peer.address().scheme().isSecure(),
                        -1);
    }

    @Override
    byte[] request() throws IOException {
        FieldList head =
                new FieldList()
                        .add(":method", method())
                        .add(":scheme", peer.address().scheme().urlScheme())
                        .add(":authority", host())
                        .add(":path", target())
                        .add("user-agent", "Margay health check");
        if (session.request(head, -1, true) == null) {
            throw new IOException("the peer takes no request");
        }
        Http2Buffer output = session.output();
        int size = output.size();
        return Arrays.copyOf(output.exchange(new byte[0]), size);
    }

    @Override
    Step decode(byte[] buffer, int from, int to) throws IOException {
        return switch (session.receive(buffer, from, to)) {
            case NEED_MORE -> Step.NEED_MORE;
            case HEAD -> head(session.responseHead());
            case DATA -> {
                body(buffer, session.dataFrom(), session.dataTo());
                yield goOn();
            }
            case TRAILERS -> Step.END;
            case RESET, GOAWAY, FAILED -> throw new IOException(reason());
            case NONE, ROOM, PRIORITY, PONG, REFUSED -> Step.GO_ON;
        };
    }

    private Step head(ResponseHead head) {
        if (!head.isInterim()) {
            status(head.status());
        }
        return goOn();
    }

    private Step goOn() {
        Http2Stream stream = session.stream();
        return stream != null && stream.isInputEnded() ? Step.END : Step.GO_ON;
    }

    private String reason() {
        ProtocolError why = session.refusal();
        return why == null ? "the peer ends the request with code " + session.code() : why.text();
    }

    @Override
    int consumed() {
        return session.consumed();
    }

    @Override
    boolean endsWithInput() {
        return false;
    }
}
