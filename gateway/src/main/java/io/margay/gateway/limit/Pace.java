package io.margay.gateway.limit;

import java.util.concurrent.TimeUnit;

/// When how much of a response may be sent. Owned as its exchange is.
final class Pace {
    /// What is sent at once at most, so that other connections have their share of a loop.
    static final int PIECE_BYTES_MAX = 32 * 1024;

    /// Pieces in a second, where bytes are small enough for it.
    private static final int PIECES = 8;

    /// What may be made up for when a timer was late; timers are, by up to 100 ms.
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long bytesPerSecond;
    private long free;
    private long dueNanos;

    /// @param free bytes that are sent before the rate holds
    Pace(long bytesPerSecond, long free, long now) {
        this.bytesPerSecond = bytesPerSecond;
        this.free = free;
        this.dueNanos = now;
    }

    /// How many bytes one piece has.
    int pieceBytes() {
        return Math.clamp(Math.max(free, bytesPerSecond / PIECES), 1, PIECE_BYTES_MAX);
    }

    /// How many bytes may be sent now.
    int allowed(long now) {
        if (free > 0) {
            return (int) Math.min(free, PIECE_BYTES_MAX);
        }
        return isDue(now) ? Math.clamp(bytesPerSecond / PIECES, 1, PIECE_BYTES_MAX) : 0;
    }

    /// Whether so many bytes may be sent now.
    boolean takes(long count, long now) {
        return count <= free || count <= allowed(now);
    }

    boolean isDue(long now) {
        return free > 0 || now - dueNanos >= 0;
    }

    /// When the next piece may be sent.
    long dueNanos() {
        return dueNanos;
    }

    /// Bytes have been sent.
    void sent(long count, long now) {
        long paid = Math.max(0, count - free);
        free = Math.max(0, free - count);
        if (paid > 0) {
            long from = dueNanos - (now - LATE_NANOS) > 0 ? dueNanos : now - LATE_NANOS;
            dueNanos = from + (long) (paid * SECOND / bytesPerSecond);
        }
    }
}
