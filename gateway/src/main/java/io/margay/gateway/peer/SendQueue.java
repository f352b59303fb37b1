package io.margay.gateway.peer;

import io.margay.gateway.protocol.SendBuffer;
import io.margay.transport.Dialer;
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
        /// Sends what the queue has of this one.
        void sendQueued();
    }

    private final Dialer dialer;
    private final SendBuffer buffer = new SendBuffer(BUFFER_BYTES);
    private @Nullable Sender owner;
    private final SendBuffer queued = new SendBuffer(BUFFER_BYTES);
    private final Deque<Sender> senders = new ArrayDeque<>();
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

    /// Takes what `sender` has put, to be sent by [Sender#sendQueued] at the end of the round.
    ///
    /// @param unsent told where it lies in [#queued]
    /// @return false when it is to be sent now: nothing else happens in this round, or there is no
    ///   room
    boolean add(Sender sender, Unsent unsent) {
        int from = queued.size();
        int to = from + buffer.size();
        if (to > BUFFER_BYTES) {
            return false;
        }
        if (senders.isEmpty() && !dialer.atRoundEnd(sendAll)) {
            return false;
        }
        unsent.queued(from, to);
        queued.put(buffer.bytes(), 0, buffer.size());
        clear();
        senders.add(sender);
        return true;
    }

    private void send() {
        try {
            for (Sender next = senders.poll(); next != null; next = senders.poll()) {
                next.sendQueued();
            }
        } finally {
            if (senders.isEmpty()) {
                queued.clear(BUFFER_BYTES);
            } else {
                dialer.execute(sendAll);
            }
        }
    }
}
