package io.margay.protocol.multiplex;

import io.margay.protocol.http.Priority;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The streams that have content to send, in the order of their priorities (RFC 9218 §10): the most
/// urgent first; of the same urgency, those that are of use only as a whole one after the other in
/// the order of their requests, the others frame by frame in turns, and both kinds alternately.
///
/// A stream of whose priority the peer has said nothing takes turns: nobody knows what its client
/// would have first. Guarded as the session is.
public final class SendSchedule {
    /// The streams of one urgency.
    private static final class Level {
        final ArrayDeque<MessageStream> turns = new ArrayDeque<>();
        final PriorityQueue<MessageStream> sequence =
                new PriorityQueue<>(Comparator.comparingLong(MessageStream::number));
        boolean turnIsNext;

        @Nullable MessageStream next() {
            turnIsNext ^= true;
            boolean turn = (turnIsNext && !turns.isEmpty()) || sequence.isEmpty();
            return turn ? turns.poll() : sequence.poll();
        }

        boolean remove(MessageStream stream) {
            return turns.remove(stream) || sequence.remove(stream);
        }
    }

    private final @Nullable Level[] levels = new Level[Priority.URGENCIES];
    private final ArrayDeque<MessageStream> overdue = new ArrayDeque<>(1);
    private int size;

    /// Streams that wait.
    public int size() {
        return size;
    }

    /// Adds a stream, which must not wait already.
    public void add(MessageStream stream) {
        Priority priority = stream.priority();
        Level level = level((priority == null ? Priority.DEFAULT : priority).urgency());
        if (priority == null || priority.incremental()) {
            level.turns.add(stream);
        } else {
            level.sequence.add(stream);
        }
        size++;
    }

    private Level level(int urgency) {
        Level level = levels[urgency];
        if (level == null) {
            level = new Level();
            levels[urgency] = level;
        }
        return level;
    }

    /// Takes out the stream that may send a frame now.
    public @Nullable MessageStream next() {
        MessageStream stream = overdue.poll();
        for (int i = 0; stream == null && i < levels.length; i++) {
            Level level = levels[i];
            stream = level == null ? null : level.next();
        }
        if (stream != null) {
            size--;
        }
        return stream;
    }

    /// Gives a stream another priority, and its place if it waits.
    public void change(MessageStream stream, Priority priority) {
        boolean waits = false;
        for (Level level : levels) {
            waits |= level != null && level.remove(stream);
        }
        stream.priority(priority);
        if (waits) {
            size--;
            add(stream);
        }
    }

    /// Lets streams send a frame before all others, so that none waits for ever.
    public void hasten(Predicate<MessageStream> waitsTooLong) {
        for (Level level : levels) {
            if (level != null) {
                hasten(level.turns.iterator(), waitsTooLong);
                hasten(level.sequence.iterator(), waitsTooLong);
            }
        }
    }

    private void hasten(Iterator<MessageStream> streams, Predicate<MessageStream> waitsTooLong) {
        while (streams.hasNext()) {
            MessageStream stream = streams.next();
            if (waitsTooLong.test(stream)) {
                streams.remove();
                overdue.add(stream);
            }
        }
    }
}
