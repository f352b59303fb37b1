package io.margay.servlet.websocket;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Ends a session whose peer has begun a frame, or a message, and does not go on with it: what has
/// come of it is held meanwhile. Only time spent in waiting for the peer counts.
///
/// Used in tasks of the connection, but for [#look], which the timer runs: once in a while, and
/// only as long as something is begun.
final class FrameDeadline {
    private final WebSocketLimits limits;
    private final ScheduledExecutorService timer;
    private final LongSupplier clock;
    private final Runnable late;
    private final AtomicBoolean looking = new AtomicBoolean();

    /// Since when the peer is waited for; 0 = it is not, or owes nothing.
    private volatile long waitingSince;

    /// Time that was waited for the frame before that.
    private volatile long waitedNanos;

    /// What has come of the frame; 0 = none is begun.
    private volatile long frameBytes;

    /// The next look, if one is due.
    private volatile @Nullable Future<?> next;

    private volatile boolean stopped;

    /// @param late run once, on the timer's thread, when the peer takes too long
    FrameDeadline(
            WebSocketLimits limits,
            ScheduledExecutorService timer,
            LongSupplier clock,
            Runnable late) {
        this.limits = limits;
        this.timer = timer;
        this.clock = clock;
        this.late = late;
    }

    /// The peer is waited for, which has begun something and owes the rest.
    ///
    /// @param ofFrame bytes that have come of the frame; 0 = a message whose next frame is awaited
    void await(long ofFrame) {
        frameBytes = ofFrame;
        long now = clock.getAsLong();
        waitingSince = now == 0 ? 1 : now;
        if (looking.compareAndSet(false, true)) {
            lookLater();
        }
    }

    /// Something has come.
    void arrived() {
        long since = waitingSince;
        if (since != 0) {
            waitingSince = 0;
            long before = waitedNanos;
            waitedNanos = before + clock.getAsLong() - since;
        }
    }

    /// A frame is whole.
    void frameEnded() {
        waitedNanos = 0;
    }

    /// The session has ended: the timer keeps nothing of it.
    void stop() {
        stopped = true;
        cancelNext();
    }

    private void cancelNext() {
        Future<?> due = next;
        if (due != null) {
            due.cancel(false);
        }
    }

    private void lookLater() {
        long nanos = Math.min(limits.framePause().toNanos(), limits.frameGrace().toNanos()) / 4;
        next = timer.schedule(this::look, Math.max(1, nanos), TimeUnit.NANOSECONDS);
        if (stopped) {
            cancelNext();
        }
    }

    void look() {
        long since = waitingSince;
        if (since == 0) {
            looking.set(false);
            if (waitingSince != 0 && looking.compareAndSet(false, true)) {
                lookLater();
            }
            return;
        }
        long pause = clock.getAsLong() - since;
        if (pause > limits.framePause().toNanos() || isTooSlow(waitedNanos + pause)) {
            late.run();
        } else {
            lookLater();
        }
    }

    private boolean isTooSlow(long waited) {
        long bytes = frameBytes;
        long beyond = waited - limits.frameGrace().toNanos();
        return bytes > 0
                && beyond > 0
                && bytes < limits.frameRateMin() * (double) beyond / TimeUnit.SECONDS.toNanos(1);
    }
}
