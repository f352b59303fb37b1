package io.margay.transport.loop;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Accepts connections of one listener on one loop, and waits where it must: when all places for
/// connections are taken, until one is given back; when the system refuses a descriptor, for a
/// growing time up to a second, having turned away the oldest waiting client by means of a spare
/// descriptor.
///
/// Confined to its loop, but for [#start], [#stop] and [#roomAgain].
public final class Acceptor implements Pollable {
    private static final int BATCH = 64;
    private static final long BACK_OFF_NANOS = MILLISECONDS.toNanos(50);
    private static final long BACK_OFF_MAX_NANOS = MILLISECONDS.toNanos(1000);

    private final EventLoop loop;
    private final LoopListener listener;
    private final AcceptSource source;
    private final DeadlineWheel.Entry timer = new DeadlineWheel.Entry(this::resume);
    private final SpareDescriptors spares = new SpareDescriptors();
    private long backOffNanos = BACK_OFF_NANOS;
    private boolean stopped;
    private volatile boolean full;

    public Acceptor(EventLoop loop, LoopListener listener, AcceptSource source) {
        this.loop = loop;
        this.listener = listener;
        this.source = source;
    }

    void start() {
        loop.execute(() -> {
            spares.take();
            resume();
        });
    }

    void stop(Runnable then) {
        loop.execute(() -> {
            if (!stopped) {
                stopped = true;
                loop.cancel(timer);
                reportQuietly(false);
                release();
                then.run();
            }
        });
    }

    /// To be called when a place for a connection has become free.
    void roomAgain() {
        if (full) {
            loop.execute(this::resume);
        }
    }

    private void resume() {
        if (!stopped) {
            full = false;
            reportQuietly(true);
        }
    }

    @Override
    public void ready(int operations) {
        for (int i = 0; i < BATCH && !stopped && !listener.isStopped(); i++) {
            if (!listener.reserve()) {
                waitForRoom();
                return;
            }
            AcceptSource.@Nullable Accepted accepted;
            try {
                accepted = source.accept();
            } catch (IOException e) {
                listener.released();
                backOff(e);
                return;
            }
            if (accepted == null) {
                listener.released();
                return;
            }
            backOffNanos = BACK_OFF_NANOS;
            place(accepted);
        }
    }

    private void place(AcceptSource.Accepted accepted) {
        EventLoop target = listener.chooseLoop(loop, source.shared());
        LoopSocket socket = accepted.socket(target);
        if (!listener.admits(socket.remote())) {
            socket.close(true);
            listener.released();
            return;
        }
        LoopConnection connection = new LoopConnection(target, listener, socket);
        if (target.inLoop()) {
            listener.open(connection);
        } else {
            target.execute(() -> listener.open(connection));
        }
    }

    private void waitForRoom() {
        reportQuietly(false);
        full = true;
        if (listener.reserve()) {
            listener.released();
            resume();
        }
    }

    private void backOff(IOException failure) {
        reportQuietly(false);
        timer.move(loop.clock.getAsLong() + backOffNanos);
        loop.schedule(timer);
        spares.giveUp();
        if (backOffNanos == BACK_OFF_NANOS) {
            SteadyLog.log(
                    Level.WARNING,
                    "cannot accept connections on "
                            + listener.address()
                            + " for now ("
                            + failure.getMessage()
                            + "); raise the limit of open files or lower the connections",
                    null);
        }
        backOffNanos = Math.min(backOffNanos * 2, BACK_OFF_MAX_NANOS);
        try {
            source.turnAwayOne();
        } catch (IOException e) {
            SteadyLog.log(Level.DEBUG, "nobody could be turned away: " + e, null);
        }
        spares.take();
    }

    private void release() {
        source.close();
        try {
            loop.deliver(0); // a selector closes a channel for good at its next turn
        } catch (IOException e) {
            SteadyLog.log(Level.DEBUG, "poll after closing failed: " + e, null);
        }
    }

    private void reportQuietly(boolean on) {
        try {
            source.report(this, on);
        } catch (IOException e) {
            SteadyLog.log(Level.ERROR, "listener on " + listener.address() + " failed", e);
        }
    }
}
