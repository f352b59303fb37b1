package io.margay.gateway.health;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The request of a check and the reading of its response. Confined to the check's thread.
abstract sealed class ProbeDialogue permits HttpProbe, Http2Probe, AjpProbe, FastCgiProbe {
    /// Of a body, so much is looked at.
    private static final int BODY_BYTES_MAX = 64 * 1024;

    private static final int BUFFER_BYTES = 72 * 1024;

    /// What the response's decoder has found.
    enum Step {
        NEED_MORE,
        /// Something was taken notice of.
        GO_ON,
        /// The response is complete.
        END
    }

    final PeerConfig peer;
    final HealthConfig config;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    ProbeDialogue(PeerConfig peer, HealthConfig config) {
        this.peer = peer;
        this.config = config;
    }

    /// The request, whole.
    abstract byte[] request() throws IOException;

    /// Looks at what was received.
    abstract Step decode(byte[] buffer, int from, int to) throws IOException;

    /// Offset after what is done with.
    abstract int consumed();

    /// Whether the end of the input ends the response.
    abstract boolean endsWithInput();

    final void status(int answered) {
        status = answered;
    }

    final void body(byte[] buffer, int from, int to) {
        body.write(buffer, from, Math.min(to - from, BODY_BYTES_MAX - body.size()));
    }

    /// Sends the request and reads as much of the response as is needed to judge it.
    @Nullable String run(InputStream in, OutputStream out) throws IOException {
        out.write(request());
        out.flush();
        byte[] buffer = new byte[BUFFER_BYTES];
        int to = 0;
        while (true) {
            int count = in.read(buffer, to, buffer.length - to);
            if (count < 0) {
                return endsWithInput() ? verdict(true) : "the connection was closed";
            }
            to += count;
            int from = 0;
            Step step;
            do {
                step = decode(buffer, from, to);
                from = consumed();
                if (step == Step.END || isEnough()) {
                    return verdict(step == Step.END);
                }
            } while (step != Step.NEED_MORE);
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            if (to == buffer.length) {
                return "the response is malformed";
            }
        }
    }

    /// A good response is read to its end, as far as it is looked at: a server that breaks it off
    /// after the head is none.
    private boolean isEnough() {
        return status != 0 && (!isGood() || body.size() >= BODY_BYTES_MAX);
    }

    private boolean isGood() {
        return status >= config.answer().statusFrom() && status <= config.answer().statusTo();
    }

    private @Nullable String verdict(boolean complete) {
        if (status == 0 && config.kind() == HealthConfig.Kind.CPING) {
            return complete ? null : "no response to CPING";
        }
        if (!isGood()) {
            return "status " + status;
        }
        String wanted = config.answer().body();
        if (wanted == null || body.toString(StandardCharsets.UTF_8).contains(wanted)) {
            return null;
        }
        return "the body lacks what is expected";
    }

    // What requests have in common

    final String method() {
        return config.kind().name();
    }

    final String target() {
        return peer.path() + config.uri();
    }

    /// The value of `Host`.
    final String host() {
        String host = config.host();
        if (host != null) {
            return host;
        }
        String name = peer.address().host();
        if (name.isEmpty()) {
            return "localhost";
        }
        String literal = name.indexOf(':') >= 0 ? "[" + name + "]" : name;
        int port = peer.address().port();
        return port == peer.address().scheme().defaultPort() ? literal : literal + ":" + port;
    }

    final RequestHead head() {
        String target = target();
        int question = target.indexOf('?');
        Fields fields =
                new Fields.Builder()
                        .add("Host", host())
                        .add("User-Agent", "Margay health check")
                        .build();
        return new RequestHead(
                method(),
                new RequestTarget(
                        RequestTarget.Form.ORIGIN,
                        target,
                        question < 0 ? target : target.substring(0, question),
                        question < 0 ? null : target.substring(question + 1),
                        "http",
                        host()),
                HttpVersion.HTTP_1_1,
                fields,
                RequestHead.NO_BODY,
                false,
                true);
    }

    static byte[] until(byte[] bytes, int end) throws IOException {
        if (end < 0) {
            throw new IOException("the check's request is too long");
        }
        return Arrays.copyOf(bytes, end);
    }
}
