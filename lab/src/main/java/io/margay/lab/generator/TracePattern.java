package io.margay.lab.generator;

import io.margay.lab.wire.Target;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Requests start when those of a trace did, or some times as fast, and the trace begins anew when
/// it has ended. One that finds no free connection waits for one, and its latency counts from when
/// it should have started.
final class TracePattern implements Pattern {
    /// Requests that may wait for a connection; those beyond fail at once.
    private static final int WAITING_MAX = 10_000;

    private static final long SECOND = 1_000_000_000L;

    private record Due(Target target, long nanos) {}

    private final LoadLoop loop;
    private final TraceTargets trace;
    private final double speed;
    private final ArrayDeque<Lane> idle = new ArrayDeque<>();
    private final ArrayDeque<Due> waiting = new ArrayDeque<>();
    private long startNanos;
    private int next;

    /// @param speed how many times as fast as it was written down
    TracePattern(LoadLoop loop, TraceTargets trace, double speed) {
        this.loop = loop;
        this.trace = trace;
        this.speed = speed;
    }

    @Override
    public void begin(long nowNanos) {
        startNanos = nowNanos;
        idle.addAll(loop.lanes());
    }

    @Override
    public void free(Lane connection, long nowNanos) {
        Due due = waiting.poll();
        if (due == null) {
            // The last used first: as few connections as the load needs.
            idle.push(connection);
        } else {
            connection.request(due.target, due.nanos);
        }
    }

    @Override
    public long tick(long nowNanos) {
        long due = due();
        // The rest of more is due at the next tick: time-outs and the end are looked at between.
        for (int begun = 0; due <= nowNanos && begun < WAITING_MAX; begun++) {
            Target target = trace.targets().get(next);
            @Nullable Lane connection = idle.poll();
            if (connection != null) {
                loop.recorder().late(nowNanos - due);
                connection.request(target, due);
            } else if (waiting.size() < WAITING_MAX) {
                waiting.add(new Due(target, due));
            } else {
                loop.recorder().failed("no free connection");
            }
            next++;
            if (next == trace.targets().size()) {
                next = 0;
                // As long after the last as the requests were apart, but not at once.
                long last = trace.atNanos()[trace.atNanos().length - 1];
                long gap = Math.max(last / trace.atNanos().length, SECOND / WAITING_MAX);
                startNanos += (long) ((last + gap) / speed);
            }
            due = due();
        }
        return due;
    }

    private long due() {
        return startNanos + (long) (trace.atNanos()[next] / speed);
    }
}
