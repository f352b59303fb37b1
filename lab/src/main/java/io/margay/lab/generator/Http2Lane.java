package io.margay.lab.generator;

import io.margay.lab.wire.BodyCheck;
import io.margay.lab.wire.Target;
import io.margay.protocol.http2.Http2Stream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One stream at a time of an HTTP/2 connection. Confined to the loop.
final class Http2Lane implements Lane {
    private final Http2Client client;
    private final BodyCheck check = new BodyCheck();
    private @Nullable Object attachment;
    @Nullable Target target;
    @Nullable Http2Stream stream;
    long startNanos;
    long sinceNanos;

    /// Octets of the content that have been sent.
    int sent;

    int status;

    Http2Lane(Http2Client client) {
        this.client = client;
    }

    @Override
    public void request(Target newTarget, long start) {
        target = newTarget;
        startNanos = start;
        stream = null;
        sent = 0;
        status = 0;
        check.begin(newTarget.template());
        client.request(this);
    }

    @Override
    public BodyCheck check() {
        return check;
    }

    @Override
    public void attach(Object object) {
        attachment = object;
    }

    @Override
    public @Nullable Object attached() {
        return attachment;
    }

    /// What is wrong with the complete answer, or nothing.
    String objection() {
        int wanted = Objects.requireNonNull(target).status();
        return status != wanted ? "status " + status : check.matches() ? "" : "wrong content";
    }
}
