package io.margay.gateway.peer;

import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.util.Arrays;

/// What one connection has still to send: a request in the loop's [SendQueue], or bytes that the
/// peer did not take. Confined to the connection's loop.
final class Unsent {
    private static final byte[] NOTHING = new byte[0];

    /// What every connection may hold without being counted: a usual request.
    private static final int FREE_BYTES = 8 * 1024;

    private final MemoryBudget.Share memory;
    private final Connection io;
    private final SendQueue.Sender sender;
    private byte[] kept = NOTHING;
    private int keptFrom;

    /// Where in the queue the request lies; nowhere when both are the same.
    private int queuedFrom;

    private int queuedTo;

    /// @param sender whose it is, and which sends what lies in the queue
    Unsent(MemoryBudget budget, Connection io, SendQueue.Sender sender) {
        memory = budget.share(FREE_BYTES);
        this.io = io;
        this.sender = sender;
    }

    /// Whether anything is to be sent.
    boolean isEmpty() {
        return !isKept() && queuedFrom == queuedTo;
    }

    /// Whether there is something that the peer did not take.
    boolean isKept() {
        return keptFrom < kept.length;
    }

    byte[] kept() {
        return kept;
    }

    int keptFrom() {
        return keptFrom;
    }

    int keptLength() {
        return kept.length - keptFrom;
    }

    /// The peer has taken some of what was kept.
    void taken(int count) {
        keptFrom += count;
        if (!isKept()) {
            drop();
        }
    }

    /// Keeps what the peer did not take.
    ///
    /// @return false when there is no memory for it; then it is lost
    boolean keep(byte[] source, int from, int to) {
        if (!memory.hold(keptLength() + to - from)) {
            return false;
        }
        byte[] all = Arrays.copyOfRange(kept, keptFrom, kept.length + to - from);
        System.arraycopy(source, from, all, kept.length - keptFrom, to - from);
        kept = all;
        keptFrom = 0;
        return true;
    }

    /// Forgets what was kept.
    void drop() {
        kept = NOTHING;
        keptFrom = 0;
        memory.release();
    }

    // In the queue

    /// What was put lies there, and is sent at the end of the round.
    void queued(int from, int to) {
        queuedFrom = from;
        queuedTo = to;
    }

    int queuedFrom() {
        return queuedFrom;
    }

    int queuedTo() {
        return queuedTo;
    }

    SendQueue.Sender sender() {
        return sender;
    }

    /// Adds what lies in the queue to a batch.
    ///
    /// @param queue the bytes of the queue
    /// @return false when nothing lies there, or it cannot be added
    boolean join(Dialer.WriteBatch batch, byte[] queue) {
        return queuedFrom < queuedTo && batch.add(io, queue, queuedFrom, queuedTo - queuedFrom);
    }

    /// What was in the queue is being sent, or kept.
    ///
    /// @return whether anything was there
    boolean dequeue() {
        boolean any = queuedFrom < queuedTo;
        queuedFrom = 0;
        queuedTo = 0;
        return any;
    }

    /// Nothing is to be sent any more.
    void clear() {
        drop();
        boolean _ = dequeue();
    }
}
