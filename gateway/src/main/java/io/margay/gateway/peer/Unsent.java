package io.margay.gateway.peer;

import io.margay.server.exchange.MemoryBudget;
import java.util.Arrays;

/// What one connection has still to send: a request in the loop's [SendQueue], or bytes that the
/// peer did not take. Confined to the connection's loop.
final class Unsent {
    private static final byte[] NOTHING = new byte[0];

    /// What every connection may hold without being counted: a usual request.
    private static final int FREE_BYTES = 8 * 1024;

    private final MemoryBudget.Share memory;
    private byte[] kept = NOTHING;
    private int keptFrom;

    /// Where in the queue the request lies; nowhere when both are the same.
    private int queuedFrom;

    private int queuedTo;

    Unsent(MemoryBudget budget) {
        memory = budget.share(FREE_BYTES);
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

    /// What was in the queue is being sent, or kept.
    void dequeue() {
        queuedFrom = 0;
        queuedTo = 0;
    }

    /// Nothing is to be sent any more.
    void clear() {
        drop();
        dequeue();
    }
}
