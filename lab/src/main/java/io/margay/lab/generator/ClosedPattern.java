package io.margay.lab.generator;

import io.margay.lab.wire.Target;
import java.util.List;

/// Each connection asks again as soon as it is answered.
final class ClosedPattern implements Pattern {
    private final LoadLoop loop;
    private final List<Target> targets;
    private int next;

    ClosedPattern(LoadLoop loop, List<Target> targets) {
        this.loop = loop;
        this.targets = targets;
    }

    @Override
    public void begin(long nowNanos) {
        for (Lane connection : loop.lanes()) {
            free(connection, nowNanos);
        }
    }

    @Override
    public void free(Lane connection, long nowNanos) {
        Target target = targets.get(next);
        next = next + 1 == targets.size() ? 0 : next + 1;
        connection.request(target, nowNanos);
    }

    @Override
    public long tick(long nowNanos) {
        return NEVER;
    }
}
