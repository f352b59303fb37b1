package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The requests of one loop that are waiting for a connection to a peer; those that wait for too
/// long are told so. Confined to the loop.
final class WaitingRequests {
    /// One of them.
    ///
    /// @param fresh whether the connection must be a new one
    /// @param probe whether one that idled is looked at before
    record Waiting(ConnectionWaiter waiter, boolean fresh, boolean probe, long deadlineNanos) {}

    private final PeerLoop loop;
    private final Peer peer;
    private final Duration acquire;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Dialer.Timer timer;

    WaitingRequests(PeerLoop loop, Peer peer) {
        this.loop = loop;
        this.peer = peer;
        acquire = peer.config().pool().acquire();
        timer = loop.dialer().timer(this::expire);
    }

    void add(ConnectionWaiter waiter, boolean fresh, boolean probe) {
        long patience = acquire.plus(peer.config().timeouts().connect()).toNanos();
        waiting.add(new Waiting(waiter, fresh, probe, loop.nanoTime() + patience));
        expireAt();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    /// The one that has waited for longest, or null.
    @Nullable Waiting first() {
        return waiting.peek();
    }

    /// The same, taken away.
    ///
    /// @param used whether the connection for it has carried requests, which is not for those that
    ///   must have a new one
    @Nullable Waiting takeFirst(boolean used) {
        if (!used || waiting.isEmpty()) {
            return waiting.poll();
        }
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting each = all.next();
            if (!each.fresh) {
                all.remove();
                return each;
            }
        }
        return null;
    }

    void removeFirst() {
        waiting.remove();
    }

    List<Waiting> takeAll() {
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    /// They all wait for as long, so that the first is the first to be late: however many wait, the
    /// others are not looked at.
    private void expireAt() {
        Waiting first = waiting.peek();
        timer.at(first == null ? Connection.NEVER : first.deadlineNanos);
    }

    private void expire() {
        long now = loop.nanoTime();
        List<Waiting> late = new ArrayList<>();
        for (Waiting first = waiting.peek();
                first != null && first.deadlineNanos - now <= 0;
                first = waiting.peek()) {
            late.add(waiting.remove());
        }
        expireAt();
        for (Waiting each : late) {
            if (each.waiter.waits()) {
                each.waiter.unavailable(
                        Outcome.BUSY, "all connections to the member were in use for too long");
            }
        }
    }
}
