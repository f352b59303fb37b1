package io.margay.server.dispatch;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A bounded first-in first-out queue for many producers and many consumers, without locks and
/// without allocation. Thread-safe.
///
/// A ring of slots. Slot `i` carries the turn at which it may be used next: a producer at position
/// `p` waits for turn `2 * lap(p)`, a consumer for `2 * lap(p) + 1`, where `lap(p)` is the number
/// of times the ring has been gone round.
final class TaskQueue {
    private final AtomicReferenceArray<@Nullable Runnable> tasks;
    private final AtomicLongArray turns;
    private final int mask;
    private final int shift;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    /// @param capacity rounded up to a power of two
    TaskQueue(int capacity) {
        int size = Math.max(2, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
        tasks = new AtomicReferenceArray<>(size);
        turns = new AtomicLongArray(size);
        mask = size - 1;
        shift = Integer.numberOfTrailingZeros(size);
    }

    /// Appends a task; false when the ring is full.
    boolean offer(Runnable task) {
        while (true) {
            long position = tail.get();
            int slot = (int) position & mask;
            long turn = 2 * (position >> shift);
            long found = turns.get(slot);
            if (found == turn) {
                if (tail.compareAndSet(position, position + 1)) {
                    tasks.setPlain(slot, task);
                    turns.set(slot, turn + 1);
                    return true;
                }
            } else if (found < turn) {
                return false;
            }
            Thread.onSpinWait();
        }
    }

    /// Takes the oldest task, or null when there is none.
    @Nullable Runnable poll() {
        while (true) {
            long position = head.get();
            int slot = (int) position & mask;
            long turn = 2 * (position >> shift) + 1;
            long found = turns.get(slot);
            if (found == turn) {
                if (head.compareAndSet(position, position + 1)) {
                    Runnable task = tasks.getPlain(slot);
                    tasks.setPlain(slot, null);
                    turns.set(slot, turn + 1);
                    return task;
                }
            } else if (found < turn) {
                return null;
            }
            Thread.onSpinWait();
        }
    }

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        return (int) Math.max(0, tail.get() - head.get());
    }
}
