package io.margay.server.http2;

import io.margay.protocol.http.Priority;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Stream;
import io.margay.protocol.http2.SendSchedule;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/// The streams of an HTTP/2 connection that have content to send: whose is put into frames next.
/// Guarded by the connection's lock.
final class Http2SendQueue {
    /// Frames that wait for the socket, beyond which streams wait, bytes.
    private static final int OUTPUT_BYTES = 65_536;

    private final Http2Session session;
    private final SendSchedule schedule = new SendSchedule();
    private final long patienceNanos;
    private final Consumer<Http2Stream> emptied;

    /// For which the window of the connection was too small.
    private final ArrayDeque<Http2Stream> refused = new ArrayDeque<>(1);

    /// Who owns a stream that sends.
    interface Sender {
        Http2Outflow outflow();
    }

    /// @param writeNanos longest pause of a response that its client is not to blame for
    /// @param emptied told of each stream whose content has all been put
    Http2SendQueue(Http2Session session, long writeNanos, Consumer<Http2Stream> emptied) {
        this.session = session;
        this.emptied = emptied;
        patienceNanos = writeNanos / 2;
    }

    /// Adds a stream, unless it waits already or has nothing to send.
    void add(Http2Stream stream) {
        Http2Outflow outflow = outflow(stream);
        if (!outflow.queued && !outflow.isEmpty()) {
            outflow.queued = true;
            schedule.add(stream);
        }
    }

    /// Gives a stream another priority.
    void change(Http2Stream stream, Priority priority) {
        schedule.change(stream, priority);
    }

    /// Has streams send that others have kept from it for long.
    void hasten(long now) {
        schedule.hasten(stream -> now - outflow(stream).progressNanos > patienceNanos);
    }

    private static Http2Outflow outflow(Http2Stream stream) {
        if (stream.owner() instanceof Sender sender) {
            return sender.outflow();
        }
        throw new IllegalStateException("a stream without an exchange");
    }

    /// Puts content into frames while there is room, frame by frame in the order of the schedule.
    void pump() {
        while (session.output().size() < OUTPUT_BYTES) {
            Http2Stream stream = schedule.next();
            if (stream == null) {
                break;
            }
            put(stream, outflow(stream));
        }
        while (!refused.isEmpty()) {
            schedule.add(refused.remove());
        }
    }

    private void put(Http2Stream stream, Http2Outflow outflow) {
        int before = session.output().size();
        Http2Outflow.Progress progress = outflow.send(session, stream);
        outflow.wireBytes += session.output().size() - before;
        switch (progress) {
            case MORE -> schedule.add(stream);
            case STREAM_FULL -> outflow.queued = false;
            // What is left may be enough for the whole of another.
            case CONNECTION_FULL -> refused.add(stream);
            case EMPTY -> {
                outflow.queued = false;
                emptied.accept(stream);
            }
        }
    }
}
