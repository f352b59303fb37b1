package io.margay.gateway.peer;

import io.margay.gateway.protocol.SendBuffer;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Where the connections of one loop put requests together, and the requests that are sent at the
/// end of the loop's round. Confined to the loop.
///
/// One buffer serves all connections, since putting and sending are one step. A request that is
/// whole waits until the loop has looked at the other events of its round: each send may wake the
/// peer, which on a busy machine takes the processor away from the requests that have come
/// meanwhile.
final class SendQueue {
    private static final int BUFFER_BYTES = 64 * 1024 + 8192;

    /// A connection with something in the queue.
    interface Sender {
        /// Sends what the queue has of this one, by [SendQueue#write]. Tells others of a failure
        /// only after this step, since the requests of a batch have been sent before the first of
        /// them gets to know.
        void sendQueued();
    }

    private final Dialer dialer;
    private final SendBuffer buffer = new SendBuffer(BUFFER_BYTES);
    private @Nullable Sender owner;
    private final SendBuffer queued = new SendBuffer(BUFFER_BYTES);
    private final Deque<Unsent> waiting = new ArrayDeque<>();

    /// Whose requests are in the batch that is being sent, in its order.
    private final Deque<Unsent> joined = new ArrayDeque<>();

    private Dialer.@Nullable WriteBatch batch;
    private int place;
    private final Runnable sendAll = this::send;

    SendQueue(Dialer dialer) {
        this.dialer = dialer;
    }

    /// Where `sender` puts what it sends next. What another has put and not sent, because its
    /// request came to an end, is thrown away: it must never be sent to anybody else.
    SendBuffer buffer(Sender sender) {
        if (!sender.equals(owner)) {
            clear();
            owner = sender;
        }
        return buffer;
    }

    /// Throws away what has been put.
    void clear() {
        buffer.clear(BUFFER_BYTES);
    }

    /// Throws away what `sender` has put.
    void drop(Sender sender) {
        if (sender.equals(owner)) {
            clear();
            owner = null;
        }
    }

    /// What is in the queue, of all senders.
    byte[] queued() {
        return queued.bytes();
    }

    /// Takes what has been put, to be sent by [Sender#sendQueued] at the end of the round.
    ///
    /// @param unsent whose it is; told where it lies in [#queued]
    /// @return false when it is to be sent now: nothing else happens in this round, or there is no
    ///   room
    boolean add(Unsent unsent) {
        int from = queued.size();
        int to = from + buffer.size();
        if (to > BUFFER_BYTES) {
            return false;
        }
        if (waiting.isEmpty() && !dialer.atRoundEnd(sendAll)) {
            return false;
        }
        unsent.queued(from, to);
        queued.put(buffer.bytes(), 0, buffer.size());
        clear();
        waiting.add(unsent);
        return true;
    }

    /// Writes a part of [#queued] to the connection of the sender that is asked to send, or tells
    /// what the batch has written of it.
    int write(Connection io, int from, int to) throws IOException {
        Dialer.WriteBatch done = batch;
        return done != null ? done.taken(place) : io.write(queued.bytes(), from, to - from);
    }

    private void send() {
        try {
            while (!waiting.isEmpty()) {
                sendTogether();
                Unsent next = waiting.poll();
                if (next != null) {
                    next.sender().sendQueued();
                }
            }
        } finally {
            if (waiting.isEmpty()) {
                queued.clear(BUFFER_BYTES);
            } else {
                dialer.execute(sendAll);
            }
        }
    }

    /// Sends what goes into one batch from the head of the queue, if there is more than one.
    private void sendTogether() {
        Dialer.WriteBatch made = waiting.size() > 1 ? dialer.writeBatch() : null;
        if (made == null) {
            return;
        }
        batch = made;
        place = 0;
        try {
            join(made);
        } finally {
            try {
                made.write();
            } finally {
                tellAll();
            }
        }
    }

    private void join(Dialer.WriteBatch made) {
        Unsent next = waiting.peek();
        while (next != null && next.join(made, queued.bytes())) {
            joined.add(waiting.remove());
            next = waiting.peek();
        }
    }

    /// Every sender must learn what was sent, or it would send it once more.
    private void tellAll() {
        Throwable failure = null;
        for (Unsent next = joined.poll(); next != null; next = joined.poll()) {
            try {
                next.sender().sendQueued();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            place++;
        }
        batch = null;
        if (failure instanceof RuntimeException fault) {
            throw fault;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }
}
