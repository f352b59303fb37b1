package io.margay.server.connection;

import io.margay.transport.Connection;

/// Marks that a read or write of a blocking connection waits for the peer, so that a deadline that
/// comes meanwhile knows what it ends. Written by the thread that waits, read by the one that
/// brings the deadline. On a non-blocking connection it does nothing.
final class BlockingWait {
    private final Connection io;
    private final boolean blocking;
    private volatile int operation;
    private volatile long deadlineNanos;

    BlockingWait(Connection io) {
        this.io = io;
        blocking = io.blocking();
    }

    boolean isBlocking() {
        return blocking;
    }

    void begin(int waitsFor, long nanos) {
        if (blocking) {
            long end = System.nanoTime() + nanos;
            deadlineNanos = end;
            operation = waitsFor;
            io.deadline(end);
        }
    }

    void end() {
        if (blocking) {
            operation = 0;
        }
    }

    /// What is waited for now: [Connection#READ], [Connection#WRITE], or 0.
    int operation() {
        return operation;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }
}
