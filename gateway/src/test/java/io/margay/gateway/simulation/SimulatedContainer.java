package io.margay.gateway.simulation;

/// A container that announces itself, three times in a lease, from its start until it ends, in good
/// order or not. Confined to the simulation.
final class SimulatedContainer {
    enum State {
        UP,
        /// It has been told to stop, and stays open for its drain delay.
        DRAINING,
        STOPPED,
        KILLED
    }

    private final ClusterSimulation world;
    private final int name;
    private final int machine;
    private final DriftingClock clock;
    private State state = State.STOPPED;
    private long since;
    private long run;
    private long number;

    SimulatedContainer(ClusterSimulation world, int name, int machine, DriftingClock clock) {
        this.world = world;
        this.name = name;
        this.machine = machine;
        this.clock = clock;
    }

    int machine() {
        return machine;
    }

    State state() {
        return state;
    }

    /// Its starts so far.
    long run() {
        return run;
    }

    /// How long it has been in its state.
    long age() {
        return world.timeline().now() - since;
    }

    private boolean isOpen() {
        return state == State.UP || state == State.DRAINING;
    }

    private void become(State next) {
        state = next;
        since = world.timeline().now();
    }

    void start() {
        if (!isOpen()) {
            run++;
            number = 0;
            become(State.UP);
            announcing(run);
        }
    }

    private void announcing(long during) {
        if (run == during && isOpen()) {
            announce();
            world.timeline()
                    .in(clock.trueMillis(world.plan().announceMillis()), () -> announcing(during));
        }
    }

    private void announce() {
        world.announced(machine, new Announcement(name, run, number++, state == State.DRAINING));
    }

    /// Has it end in good order.
    void stop() {
        if (state == State.UP) {
            become(State.DRAINING);
            announce();
            long during = run;
            world.timeline()
                    .in(clock.trueMillis(world.plan().drainDelayMillis()), () -> ended(during));
        }
    }

    private void ended(long during) {
        if (run == during && state == State.DRAINING) {
            become(State.STOPPED);
            world.traffic().stops++;
        }
    }

    void kill() {
        if (isOpen()) {
            become(State.KILLED);
        }
    }
}
