package io.margay.lab.generator;

import io.margay.lab.wire.Target;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests start at fixed times. One that finds no free connection waits for one, and its latency
/// counts from when it should have started, so that a server that stalls cannot hide it.
final class RatePattern implements Pattern {
    /// Seconds of requests that may wait for a connection; those beyond fail at once.
    private static final int BACKLOG_SECONDS = 10;

    private final LoadLoop loop;
    private final List<Target> targets;
    private final double intervalNanos;
    private final int waitingMax;
    private final boolean inTurn;
    private final ArrayDeque<Lane> idle = new ArrayDeque<>();
    private final ArrayDeque<Long> waiting = new ArrayDeque<>();
    private long startNanos;
    private long sent;
    private int next;

    /// @param inTurn whether all connections are used, one after the other
    RatePattern(LoadLoop loop, List<Target> targets, double perSecond, boolean inTurn) {
        this.loop = loop;
        this.targets = targets;
        this.inTurn = inTurn;
        intervalNanos = 1e9 / perSecond;
        waitingMax = (int) Math.max(100, perSecond * BACKLOG_SECONDS);
    }

    @Override
    public void begin(long nowNanos) {
        startNanos = nowNanos;
        idle.addAll(loop.lanes());
    }

    @Override
    public void free(Lane connection, long nowNanos) {
        Long due = waiting.poll();
        if (due == null && inTurn) {
            idle.add(connection);
        } else if (due == null) {
            // The last used first: as few connections as the load needs.
            idle.push(connection);
        } else {
            send(connection, due);
        }
    }

    @Override
    public long tick(long nowNanos) {
        long due = due();
        while (due <= nowNanos) {
            sent++;
            @Nullable Lane connection = idle.poll();
            if (connection != null) {
                loop.recorder().late(nowNanos - due);
                send(connection, due);
            } else if (waiting.size() < waitingMax) {
                waiting.add(due);
            } else {
                loop.recorder().failed("no free connection");
            }
            due = due();
        }
        return due;
    }

    private long due() {
        return startNanos + (long) (sent * intervalNanos);
    }

    private void send(Lane connection, long dueNanos) {
        Target target = targets.get(next);
        next = next + 1 == targets.size() ? 0 : next + 1;
        connection.request(target, dueNanos);
    }
}
