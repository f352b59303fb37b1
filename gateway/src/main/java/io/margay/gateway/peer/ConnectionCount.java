package io.margay.gateway.peer;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// How many connections to one peer the pools of all loops have open, and which of them wait for
/// one to be closed. Thread-safe.
final class ConnectionCount {
    private final AtomicInteger open = new AtomicInteger();
    private final List<PeerPool> pools = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<PeerPool> hungry = new ConcurrentLinkedQueue<>();

    void add(PeerPool pool) {
        pools.add(pool);
    }

    int opened() {
        return open.get();
    }

    /// Counts one more connection unless there are `max` (0 = no limit).
    boolean tryOpen(int max) {
        for (; ; ) {
            int count = open.get();
            if (max > 0 && count >= max) {
                return false;
            }
            if (open.compareAndSet(count, count + 1)) {
                return true;
            }
        }
    }

    void closed() {
        open.decrementAndGet();
    }

    boolean isHungry() {
        return !hungry.isEmpty();
    }

    /// Whether another pool waits than this one.
    boolean isHungryBeside(PeerPool pool) {
        for (PeerPool each : hungry) {
            if (!each.equals(pool)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a pool waits that has no connection at all.
    boolean isStarving() {
        for (PeerPool each : hungry) {
            if (each.isStarving()) {
                return true;
            }
        }
        return false;
    }

    /// Remembers a pool whose requests wait, and has others give up what they do not use.
    ///
    /// @param max the limit that was met
    void hungry(PeerPool pool, int max) {
        if (!hungry.contains(pool)) {
            hungry.add(pool);
        }
        for (PeerPool other : pools) {
            if (!other.equals(pool)) {
                other.dialer().execute(other::spare);
            }
        }
        if (open.get() < max) {
            feed(); // one was closed before we were in the queue
        }
    }

    /// Wakes a pool that waits, since a connection may be opened.
    void feed() {
        PeerPool next = hungry.poll();
        if (next != null) {
            next.dialer().execute(next::feed);
        }
    }
}
