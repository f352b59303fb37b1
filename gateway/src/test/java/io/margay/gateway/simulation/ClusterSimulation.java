package io.margay.gateway.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Gateways, containers and an engine in virtual time, all by one thread: what happens depends on
/// the plan and the seed alone. Once a second, and with every request, it is compared with what is
/// promised; the first thing that is not so is the [#violation].
///
/// - No request comes to a container that has ended in good order.
/// - No request comes to one that was killed longer ago than a lease and the calls under way.
/// - Each gateway uses each container that is up, if for a lease nothing was wrong between them.
/// - An engine that is away, or has lost what it had, takes no container from a gateway.
/// - No table has more entries than there are containers, and no more calls are under way than
///   there are machines to make them.
final class ClusterSimulation {
    /// What the promises are looked at by, beside the requests.
    private static final long LOOK_MILLIS = 1_000;

    private final ClusterPlan plan;
    private final SplittableRandom random;
    private final Timeline timeline = new Timeline();
    private final Links links;
    private final Traffic traffic = new Traffic();
    private final List<SimulatedGateway> gateways = new ArrayList<>();
    private final List<SimulatedContainer> containers = new ArrayList<>();
    private final SimulatedEngine engine;

    /// The run of each container that each gateway used when it was looked at last; 0 = none.
    private final long[][] usedRun;

    private final long[][] usedByRun;
    private @Nullable String violation;

    ClusterSimulation(ClusterPlan plan, long seed) {
        this.plan = plan;
        random = new SplittableRandom(seed);
        links = new Links(timeline, random.split(), plan.lifeMillis());
        int machine = 0;
        for (int i = 0; i < plan.gateways(); i++) {
            gateways.add(new SimulatedGateway(this, machine++, clock(), random.split()));
        }
        for (int i = 0; i < plan.containers(); i++) {
            containers.add(new SimulatedContainer(this, i, machine++, clock()));
        }
        engine = new SimulatedEngine(this, machine, clock());
        usedRun = new long[plan.gateways()][plan.containers()];
        usedByRun = new long[plan.gateways()][plan.containers()];
    }

    private DriftingClock clock() {
        return new DriftingClock(1 + plan.driftMax() * (2 * random.nextDouble() - 1));
    }

    // What its machines ask for

    ClusterPlan plan() {
        return plan;
    }

    Timeline timeline() {
        return timeline;
    }

    Links links() {
        return links;
    }

    Traffic traffic() {
        return traffic;
    }

    SimulatedEngine engine() {
        return engine;
    }

    SimulatedContainer container(int name) {
        return containers.get(name);
    }

    /// A container announces itself.
    void announced(int machine, Announcement said) {
        if (plan.way() == ClusterPlan.Way.ENGINE) {
            traffic.announcements++;
            long during = engine.run();
            links.send(machine, engine.machine(), () -> engine.set(said, during));
            return;
        }
        for (SimulatedGateway gateway : gateways) {
            traffic.announcements++;
            long during = gateway.run();
            links.send(machine, gateway.machine(), () -> gateway.hear(said, during));
        }
    }

    /// A request has come to a container.
    void requested(SimulatedContainer asked) {
        if (asked.state() == SimulatedContainer.State.STOPPED) {
            violated("a request came to a container that had ended");
        } else if (asked.state() == SimulatedContainer.State.KILLED) {
            traffic.refused++;
            if (asked.age() > plan.enoughMillis()) {
                violated("a request came to a container killed " + asked.age() + " ms before");
            }
        }
    }

    private void violated(String what) {
        if (violation == null) {
            violation = "after " + timeline.now() + " ms: " + what;
        }
    }

    /// What was not as promised, or null.
    @Nullable String violation() {
        return violation;
    }

    // A run

    /// Starts all, and has them work without faults.
    ///
    /// @return what was counted in so many seconds, when all are known
    Traffic quiet(int seconds) {
        start();
        timeline.runUntil(2 * plan.leaseMillis());
        Traffic before = new Traffic();
        before.add(traffic);
        timeline.runUntil(timeline.now() + seconds * 1_000L);
        look();
        Traffic sofar = new Traffic();
        sofar.add(traffic);
        sofar.announcements -= before.announcements;
        sofar.commands -= before.commands;
        sofar.keysRead -= before.keysRead;
        sofar.checks -= before.checks;
        return sofar;
    }

    /// Has all work for so long while machines stop, die, start and cannot reach each other, and
    /// then for two leases without any of it.
    Traffic faulty(long millis) {
        start();
        looking();
        long begin = plan.leaseMillis();
        int faults = 3 + random.nextInt(8);
        for (int i = 0; i < faults; i++) {
            timeline.in(begin + random.nextLong(millis - begin), this::fault);
        }
        timeline.runUntil(millis + 4 * plan.leaseMillis() + 2 * plan.leaseMillis());
        return traffic;
    }

    private void start() {
        gateways.forEach(SimulatedGateway::start);
        for (SimulatedContainer each : containers) {
            timeline.in(random.nextLong(plan.announceMillis()), each::start);
        }
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /// At most as long as four leases.
    private long someMillis() {
        return 500 + random.nextLong(4 * plan.leaseMillis() - 500);
    }

    private void fault() {
        switch (random.nextInt(7)) {
            case 0, 1 -> stopped(any(containers));
            case 2 -> {
                SimulatedContainer one = any(containers);
                one.kill();
                timeline.in(someMillis(), one::start);
            }
            case 3 -> any(gateways).restart(random.nextLong(plan.leaseMillis()));
            case 4 -> engine.restart(someMillis(), any(List.of(SimulatedEngine.Kept.values())));
            default -> trouble();
        }
    }

    /// One that stops while it cannot reach others, every other time.
    private void stopped(SimulatedContainer one) {
        if (random.nextBoolean()) {
            trouble(one.machine());
        }
        timeline.in(random.nextLong(plan.lifeMillis()), one::stop);
        timeline.in(plan.drainDelayMillis() + someMillis(), one::start);
    }

    private void trouble() {
        trouble(random.nextInt(engine.machine() + 1));
    }

    /// A machine, and one other or all of them, in one direction or both.
    private void trouble(int one) {
        Links.Trouble what = any(List.of(Links.Trouble.values()));
        long millis = someMillis();
        int direction = random.nextInt(3);
        int other = random.nextBoolean() ? -1 : random.nextInt(engine.machine() + 1);
        for (int each = 0; each <= engine.machine(); each++) {
            if (each != one && (other < 0 || each == other)) {
                if (direction != 0) {
                    links.trouble(one, each, what, millis);
                }
                if (direction != 1) {
                    links.trouble(each, one, what, millis);
                }
            }
        }
    }

    // The promises

    private void looking() {
        look();
        timeline.in(LOOK_MILLIS, this::looking);
    }

    private void look() {
        int size = 0;
        for (SimulatedGateway gateway : gateways) {
            size = Math.max(size, gateway.size());
            for (int name = 0; name < containers.size(); name++) {
                look(gateway, name);
            }
        }
        if (size > plan.containers() || engine.size() > plan.containers()) {
            violated("a table has more entries than there are containers");
        }
        int machines = plan.gateways() + plan.containers() + 1;
        if (timeline.size() > 100 + 20 * machines * (plan.gateways() + 1)) {
            violated(timeline.size() + " calls are under way");
        }
    }

    private void look(SimulatedGateway gateway, int name) {
        SimulatedContainer one = containers.get(name);
        boolean used = gateway.uses(name);
        boolean up =
                one.state() == SimulatedContainer.State.UP
                        && one.age() > plan.leaseMillis()
                        && gateway.age() > plan.leaseMillis();
        if (up && !used && isReachable(gateway, one)) {
            violated("gateway " + gateway.machine() + " does not use container " + name);
        }
        boolean same =
                usedRun[gateway.machine()][name] == one.run()
                        && usedByRun[gateway.machine()][name] == gateway.run();
        if (up && !used && same && isOnlyTheEngineAway(gateway, one)) {
            violated("the engine took container " + name + " from gateway " + gateway.machine());
        }
        usedRun[gateway.machine()][name] = used ? one.run() : 0;
        usedByRun[gateway.machine()][name] = gateway.run();
    }

    private boolean isReachable(SimulatedGateway gateway, SimulatedContainer one) {
        long lease = plan.leaseMillis();
        if (plan.way() == ClusterPlan.Way.DIRECT) {
            return links.isQuiet(one.machine(), gateway.machine(), lease);
        }
        return engine.age() > lease
                && links.isQuiet(one.machine(), engine.machine(), lease)
                && links.isQuiet(gateway.machine(), engine.machine(), lease);
    }

    private boolean isOnlyTheEngineAway(SimulatedGateway gateway, SimulatedContainer one) {
        long lease = plan.leaseMillis();
        return plan.way() == ClusterPlan.Way.ENGINE
                && links.isQuiet(one.machine(), gateway.machine(), lease)
                && links.isQuiet(one.machine(), engine.machine(), 2 * lease);
    }
}
