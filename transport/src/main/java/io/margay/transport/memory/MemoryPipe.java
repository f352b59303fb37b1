package io.margay.transport.memory;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A queue of bytes with one end that writes and one that reads. Guarded by `lock`.
final class MemoryPipe {
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private byte[] bytes = new byte[256];
    private int from;
    private int to;
    private boolean ended;
    private boolean broken;

    MemoryPipe(int capacity) {
        this.capacity = capacity;
    }

    /// Puts as many bytes as there is room for.
    int put(byte[] source, int offset, int length) throws IOException {
        lock.lock();
        try {
            if (broken) {
                throw new IOException("Connection reset");
            }
            if (ended) {
                throw new IOException("Broken pipe");
            }
            int n = Math.min(length, capacity - (to - from));
            reserve(n);
            System.arraycopy(source, offset, bytes, to, n);
            to += n;
            changed.signalAll();
            return n;
        } finally {
            lock.unlock();
        }
    }

    /// Takes bytes that are there.
    ///
    /// @return 0 when there are none now, -1 at the end
    int take(byte[] target, int offset, int length) throws IOException {
        lock.lock();
        try {
            if (broken) {
                throw new IOException("Connection reset");
            }
            int n = Math.min(length, to - from);
            if (n == 0) {
                return ended && length > 0 ? -1 : 0;
            }
            System.arraycopy(bytes, from, target, offset, n);
            from += n;
            return n;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something can be taken, or the end.
    ///
    /// @return false when the time ran out
    boolean await(long timeoutNanos) throws InterruptedException {
        long left = timeoutNanos;
        lock.lockInterruptibly();
        try {
            while (from == to && !ended && !broken) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return to - from;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void breakOff() {
        lock.lock();
        try {
            broken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    boolean isBroken() {
        lock.lock();
        try {
            return broken;
        } finally {
            lock.unlock();
        }
    }

    private void reserve(int count) {
        if (to + count > bytes.length) {
            int size = to - from;
            byte[] larger =
                    size + count > bytes.length
                            ? new byte[Math.max(bytes.length * 2, size + count)]
                            : bytes;
            System.arraycopy(bytes, from, larger, 0, size);
            bytes = larger;
            from = 0;
            to = size;
        }
    }
}
