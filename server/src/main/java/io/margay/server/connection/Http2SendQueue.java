package io.margay.server.connection;

import io.margay.protocol.http.Priority;
import io.margay.protocol.http2.Http2Stream;
import io.margay.protocol.http2.SendSchedule;
import java.util.ArrayDeque;

/// The exchanges of an HTTP/2 connection that have content to send: whose is put into frames next.
/// Guarded by the connection's lock.
final class Http2SendQueue {
    /// Frames that wait for the socket, beyond which exchanges wait, bytes.
    private static final int OUTPUT_BYTES = 65_536;

    private final Http2Connection connection;
    private final SendSchedule schedule = new SendSchedule();
    private final long patienceNanos;

    /// For which the window of the connection was too small.
    private final ArrayDeque<Http2Exchange> refused = new ArrayDeque<>(1);

    /// @param writeNanos longest pause of a response that its client is not to blame for
    Http2SendQueue(Http2Connection connection, long writeNanos) {
        this.connection = connection;
        patienceNanos = writeNanos / 2;
    }

    /// Adds an exchange, unless it waits already or has nothing to send.
    void add(Http2Exchange exchange) {
        Http2Outflow outflow = exchange.response.outflow;
        if (!outflow.queued && !outflow.isEmpty()) {
            outflow.queued = true;
            schedule.add(exchange.stream);
        }
    }

    /// Gives a stream another priority.
    void change(Http2Stream stream, Priority priority) {
        schedule.change(stream, priority);
    }

    /// Has exchanges send that others have kept from it for long.
    void hasten(long now) {
        schedule.hasten(
                stream -> now - exchangeOf(stream).response.outflow.progressNanos > patienceNanos);
    }

    private static Http2Exchange exchangeOf(Http2Stream stream) {
        if (stream.owner() instanceof Http2Exchange exchange) {
            return exchange;
        }
        throw new IllegalStateException("a stream without an exchange");
    }

    /// Puts content into frames while there is room, frame by frame in the order of the schedule.
    void pump() {
        while (connection.session.output().size() < OUTPUT_BYTES) {
            Http2Stream stream = schedule.next();
            if (stream == null) {
                break;
            }
            put(exchangeOf(stream));
        }
        while (!refused.isEmpty()) {
            schedule.add(refused.remove().stream);
        }
    }

    private void put(Http2Exchange exchange) {
        Http2Response response = exchange.response;
        int before = connection.session.output().size();
        Http2Outflow.Progress progress = response.outflow.send(connection.session, exchange.stream);
        response.wireBytes += connection.session.output().size() - before;
        switch (progress) {
            case MORE -> schedule.add(exchange.stream);
            case STREAM_FULL -> response.outflow.queued = false;
            // What is left may be enough for the whole of another.
            case CONNECTION_FULL -> refused.add(exchange);
            case EMPTY -> {
                response.outflow.queued = false;
                exchange.signal();
                connection.gone(exchange);
            }
        }
    }
}
