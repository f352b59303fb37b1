package io.margay.gateway.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The engine that keeps a key for each container, with a time to live. Confined to the simulation.
final class SimulatedEngine {
    /// What it has after a restart.
    enum Kept {
        ALL,
        /// What its replica has, which follows it once a second.
        REPLICA,
        NOTHING
    }

    /// What it answers for a key.
    ///
    /// @param leftMillis until it ends
    record Entry(Announcement said, long leftMillis) {}

    private record Value(Announcement said, long until) {}

    private static final long REPLICATION_MILLIS = 1_000;

    private final ClusterSimulation world;
    private final int machine;
    private final DriftingClock clock;
    private Map<Integer, Value> values = new HashMap<>();
    private Map<Integer, Value> replica = Map.of();
    private boolean up = true;
    private long since;
    private long run = 1;

    SimulatedEngine(ClusterSimulation world, int machine, DriftingClock clock) {
        this.world = world;
        this.machine = machine;
        this.clock = clock;
        replicate();
    }

    int machine() {
        return machine;
    }

    private long now() {
        return clock.at(world.timeline().now());
    }

    private void replicate() {
        if (up) {
            replica = Map.copyOf(values);
        }
        world.timeline().in(REPLICATION_MILLIS, this::replicate);
    }

    /// How long it has been up; negative = it is not.
    long age() {
        return up ? world.timeline().now() - since : -1;
    }

    /// Its starts so far.
    long run() {
        return run;
    }

    int size() {
        return values.size();
    }

    /// Whether a call that began in this run of it is still heard.
    private boolean hears(long during) {
        return up && run == during;
    }

    /// Keeps what a container says for a lease, unless it knows something newer (a script).
    void set(Announcement said, long during) {
        if (!hears(during)) {
            return;
        }
        world.traffic().commands++;
        Value known = values.get(said.container());
        boolean alive = known != null && known.until > now();
        if (!alive || said.isNewerThan(known.said)) {
            values.put(said.container(), new Value(said, now() + world.plan().leaseMillis()));
        }
    }

    /// Answers what it has.
    void read(SimulatedGateway reader, long gatewayRun, long question, long during) {
        if (!hears(during)) {
            return;
        }
        world.traffic().commands++;
        long now = now();
        values.values().removeIf(value -> value.until <= now);
        List<Entry> all = new ArrayList<>(values.size());
        for (Value each : values.values()) {
            all.add(new Entry(each.said, each.until - now));
        }
        world.traffic().keysRead += all.size();
        world.links()
                .send(
                        machine,
                        reader.machine(),
                        () -> reader.answered(question, during, all, gatewayRun));
    }

    /// It ends at once, and starts again after a while.
    void restart(long downMillis, Kept kept) {
        if (!up) {
            return;
        }
        up = false;
        run++;
        values =
                switch (kept) {
                    case ALL -> values;
                    case REPLICA -> new HashMap<>(replica);
                    case NOTHING -> new HashMap<>();
                };
        world.timeline()
                .in(
                        downMillis,
                        () -> {
                            up = true;
                            since = world.timeline().now();
                        });
    }
}
