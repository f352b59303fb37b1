package io.margay.lab.generator;

import io.margay.lab.wire.BodyCheck;
import io.margay.lab.wire.Target;
import io.margay.protocol.multiplex.MessageStream;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One stream at a time of an HTTP/2 or HTTP/3 connection. Confined to the loop.
final class StreamLane implements Lane {
    private final LoadLoop loop;
    private final Consumer<StreamLane> connection;
    private final BodyCheck check = new BodyCheck();
    private @Nullable Object attachment;
    @Nullable Target target;
    @Nullable MessageStream stream;
    long startNanos;
    long sinceNanos;

    /// Octets of the content that have been sent.
    private int sent;

    int status;

    /// @param connection sends the request of a lane, or has it wait until it can be sent
    StreamLane(LoadLoop loop, Consumer<StreamLane> connection) {
        this.loop = loop;
        this.connection = connection;
    }

    @Override
    public void request(Target newTarget, long start) {
        target = newTarget;
        startNanos = start;
        sinceNanos = loop.now();
        stream = null;
        sent = 0;
        status = 0;
        check.begin(newTarget.template());
        connection.accept(this);
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

    /// Whether its request has no answer, and has been under way since before that moment.
    boolean isLate(long nanos) {
        return target != null && sinceNanos - nanos < 0;
    }

    /// Its request goes over a stream.
    void begin(MessageStream over) {
        over.owner(this);
        stream = over;
        sendContent();
    }

    /// Sends what is left of its content, as far as there is room.
    void sendContent() {
        Target of = target;
        MessageStream over = stream;
        if (of == null || over == null) {
            return;
        }
        byte[] content = of.content();
        while (sent < content.length) {
            int count = over.send(content, sent, content.length - sent, true);
            if (count == 0) {
                return;
            }
            sent += count;
        }
    }

    /// What is wrong with the complete answer, or nothing.
    String objection() {
        int wanted = Objects.requireNonNull(target).status();
        return status != wanted ? "status " + status : check.matches() ? "" : "wrong content";
    }

    /// Its request is over.
    ///
    /// @param objection what is wrong with the answer, or nothing
    void finished(String objection) {
        long now = loop.now();
        stream = null;
        target = null;
        if (objection.isEmpty()) {
            loop.recorder().answered(startNanos, now);
            loop.free(this, now);
        } else {
            loop.recorder().failed(objection);
            loop.failed(this, objection);
        }
    }
}
