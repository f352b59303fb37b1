package io.margay.gateway.health;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2;
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
    /// The peer has gone away before it looked at the request, as one does that restarts.
    static final class PassedByException extends IOException {
        private static final long serialVersionUID = 1;

        private PassedByException() {
            super("the member is going away");
        }
    }

    /// Of the one request.
    private static final int STREAM = 1;

    private final Http2Session session;

    Http2Probe(PeerConfig peer, HealthConfig config) {
        super(peer, config);
        if (config.kind() == HealthConfig.Kind.CPING) {
            throw new IllegalArgumentException("only AJP members answer CPING");
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
            throw new IOException("the member takes no request");
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
            case GOAWAY -> goAway();
            case RESET, FAILED -> throw new IOException(reason());
            case NONE, ROOM, PRIORITY, PONG, REFUSED -> Step.GO_ON;
        };
    }

    private Step head(ResponseHead head) {
        if (!head.isInterim()) {
            status(head.status());
        }
        return goOn();
    }

    /// A peer that goes away answers what it has taken (RFC 9113 §6.8).
    private Step goAway() throws IOException {
        if (session.code() != Http2.NO_ERROR) {
            throw new IOException(reason());
        }
        if (session.lastKnownId() < STREAM) {
            throw new PassedByException();
        }
        return Step.GO_ON;
    }

    private Step goOn() {
        Http2Stream stream = session.stream();
        return stream != null && stream.isInputEnded() ? Step.END : Step.GO_ON;
    }

    private String reason() {
        ProtocolError why = session.refusal();
        return why == null ? "the member ends the request with code " + session.code() : why.text();
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
