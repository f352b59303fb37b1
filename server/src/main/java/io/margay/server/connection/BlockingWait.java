package io.margay.server.connection;

import io.margay.transport.Connection;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Marks that a read or write of a blocking connection waits for the peer, so that a deadline that
/// comes meanwhile knows what it ends. Written by the threads that wait, at most one in each
/// direction, and read by the one that brings the deadline. On a non-blocking connection it does
/// nothing.
public final class BlockingWait {
    /// Nothing is waited for.
    private static final long NONE = Connection.NEVER;

    /// Of all connections that do not block.
    public static final BlockingWait NEVER = new BlockingWait();

    private final @Nullable Connection io;
    private final LongSupplier clock;
    private volatile long readNanos = NONE;
    private volatile long writeNanos = NONE;

    /// @param clock what deadlines are measured by
    public BlockingWait(Connection io, LongSupplier clock) {
        this.clock = clock;
        this.io = io.blocking() ? io : null;
    }

    private BlockingWait() {
        clock = () -> NONE;
        io = null;
    }

    public boolean isBlocking() {
        return io != null;
    }

    public void begin(int waitsFor, long nanos) {
        if (io != null) {
            set(waitsFor, clock.getAsLong() + nanos);
            io.deadline(deadlineNanos());
        }
    }

    public void end(int waitedFor) {
        if (io != null) {
            set(waitedFor, NONE);
        }
    }

    private void set(int operation, long nanoTime) {
        if (operation == Connection.READ) {
            readNanos = nanoTime;
        } else {
            writeNanos = nanoTime;
        }
    }

    /// What is waited for now, and of two what is due first: [Connection#READ], [Connection#WRITE],
    /// or 0.
    public int operation() {
        long read = readNanos;
        long write = writeNanos;
        if (read == NONE && write == NONE) {
            return 0;
        }
        return isFirst(read, write) ? Connection.READ : Connection.WRITE;
    }

    public long deadlineNanos() {
        long read = readNanos;
        long write = writeNanos;
        return isFirst(read, write) ? read : write;
    }

    private static boolean isFirst(long read, long write) {
        return write == NONE || (read != NONE && read - write < 0);
    }
}
