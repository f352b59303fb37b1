package io.margay.server.multiplex;

import io.margay.protocol.http.Priority;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.protocol.multiplex.SendSchedule;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// The streams of a connection that have content to send: whose is put into frames next. Guarded by
/// the connection's lock.
final class StreamQueue {
    /// Frames that wait for the socket, beyond which streams wait, bytes.
    private static final int OUTPUT_BYTES = 65_536;

    private final IntSupplier output;
    private final SendSchedule schedule = new SendSchedule();
    private final long patienceNanos;
    private final Consumer<MessageStream> emptied;

    /// For which the window of the connection was too small.
    private final ArrayDeque<MessageStream> refused = new ArrayDeque<>(1);

    /// @param output octets that wait for the socket
    /// @param writeNanos longest pause of a response that its client is not to blame for
    /// @param emptied told of each stream whose content has all been put
    StreamQueue(IntSupplier output, long writeNanos, Consumer<MessageStream> emptied) {
        this.output = output;
        this.emptied = emptied;
        patienceNanos = writeNanos / 2;
    }

    /// Adds a stream, unless it waits already or has nothing to send.
    void add(MessageStream stream) {
        StreamOutflow outflow = outflow(stream);
        if (!outflow.queued && !outflow.isEmpty()) {
            outflow.queued = true;
            schedule.add(stream);
        }
    }

    /// Gives a stream another priority.
    void change(MessageStream stream, Priority priority) {
        schedule.change(stream, priority);
    }

    /// Has streams send that others have kept from it for long.
    void hasten(long now) {
        schedule.hasten(stream -> now - outflow(stream).progressNanos > patienceNanos);
    }

    private static StreamOutflow outflow(MessageStream stream) {
        if (stream.owner() instanceof StreamExchange sender) {
            return sender.response.outflow;
        }
        throw new IllegalStateException("a stream without an exchange");
    }

    /// Puts content into frames while there is room, frame by frame in the order of the schedule.
    void pump() {
        while (output.getAsInt() < OUTPUT_BYTES) {
            MessageStream stream = schedule.next();
            if (stream == null) {
                break;
            }
            put(stream, outflow(stream));
        }
        while (!refused.isEmpty()) {
            schedule.add(refused.remove());
        }
    }

    private void put(MessageStream stream, StreamOutflow outflow) {
        int before = stream.output();
        StreamOutflow.Progress progress = outflow.send(stream);
        outflow.wireBytes += stream.output() - before;
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
