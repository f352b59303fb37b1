package io.margay.gateway.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// A gateway that gives requests to the containers whose lease holds and that do not drain. While
/// its engine does not answer, and for a lease after that, it checks those that it knows by itself.
/// Confined to the simulation.
final class SimulatedGateway {
    private static final class Member {
        private Announcement said;
        private long leaseUntil;
        private long checkedUntil;

        Member(Announcement said) {
            this.said = said;
        }
    }

    private static final long NEVER = Long.MIN_VALUE / 2;

    private final ClusterSimulation world;
    private final int machine;
    private final DriftingClock clock;
    private final SplittableRandom random;
    private final Map<Integer, Member> members = new HashMap<>();
    private boolean up;
    private long since;
    private long run;

    // What it knows of the engine

    private long questions;
    private long answeredQuestion;
    private long answered;
    private long engineRun;

    /// Since when it may not know what the engine has been told.
    private long doubtful = NEVER;

    SimulatedGateway(
            ClusterSimulation world, int machine, DriftingClock clock, SplittableRandom random) {
        this.world = world;
        this.machine = machine;
        this.clock = clock;
        this.random = random;
    }

    int machine() {
        return machine;
    }

    /// Its starts so far.
    long run() {
        return run;
    }

    /// How long it has been up; negative = it is not.
    long age() {
        return up ? world.timeline().now() - since : -1;
    }

    int size() {
        return members.size();
    }

    private ClusterPlan plan() {
        return world.plan();
    }

    private long now() {
        return clock.at(world.timeline().now());
    }

    void start() {
        up = true;
        run++;
        since = world.timeline().now();
        members.clear();
        answered = now();
        answeredQuestion = questions;
        engineRun = 0;
        doubtful = NEVER;
        ticking(run);
        if (plan().requestMillis() > 0) {
            requesting(run);
        }
    }

    void restart(long downMillis) {
        if (up) {
            up = false;
            world.timeline().in(downMillis, this::start);
        }
    }

    private boolean hears(long during) {
        return up && run == during;
    }

    private void ticking(long during) {
        if (!hears(during)) {
            return;
        }
        if (plan().way() == ClusterPlan.Way.ENGINE) {
            read();
            if (doubts()) {
                members.forEach(this::check);
            }
        } else {
            long now = now();
            members.values().removeIf(member -> member.leaseUntil <= now);
        }
        world.timeline().in(clock.trueMillis(plan().readMillis()), () -> ticking(during));
    }

    // What it is told

    /// A container announces itself.
    void hear(Announcement said, long during) {
        if (hears(during)) {
            heard(said, plan().leaseMillis());
        }
    }

    private void heard(Announcement said, long leftMillis) {
        Member known = members.get(said.container());
        if (known == null) {
            known = new Member(said);
            members.put(said.container(), known);
        } else if (known.said.isNewerThan(said)) {
            return;
        }
        known.said = said;
        known.leaseUntil = now() + leftMillis;
    }

    private void read() {
        long question = ++questions;
        long during = run;
        SimulatedEngine engine = world.engine();
        long engineDuring = engine.run();
        world.links()
                .send(
                        machine,
                        engine.machine(),
                        () -> engine.read(this, during, question, engineDuring));
    }

    /// The engine has answered.
    void answered(long question, long engineDuring, List<SimulatedEngine.Entry> all, long during) {
        if (!hears(during) || question <= answeredQuestion) {
            return;
        }
        boolean other = engineRun != 0 && engineRun != engineDuring;
        boolean back = plan().patient() && (isSilent() || other);
        if (back) {
            doubtful = now();
        }
        answeredQuestion = question;
        answered = now();
        engineRun = engineDuring;
        for (SimulatedEngine.Entry each : all) {
            heard(each.said(), each.leftMillis());
        }
        if (back) {
            members.forEach(this::check); // what is left of a lease may end before the next look
        } else if (!doubts()) {
            long now = now();
            members.values().removeIf(member -> member.leaseUntil <= now);
        }
    }

    private boolean isSilent() {
        return now() - answered > plan().readMillis() + 2 * plan().lifeMillis();
    }

    /// Whether a lease that ends says nothing: the engine does not answer, or has been told nothing
    /// for a while.
    private boolean doubts() {
        return isSilent() || now() - doubtful < plan().leaseMillis();
    }

    private void check(int name, Member member) {
        if (member.said.draining()) {
            return;
        }
        world.traffic().checks++;
        SimulatedContainer asked = world.container(name);
        long during = run;
        world.links()
                .send(
                        machine,
                        asked.machine(),
                        () -> {
                            boolean good = asked.state() == SimulatedContainer.State.UP;
                            world.links()
                                    .send(
                                            asked.machine(),
                                            machine,
                                            () -> checked(member, good, during));
                        });
    }

    private void checked(Member member, boolean good, long during) {
        if (hears(during)) {
            long holds = plan().readMillis() + 2 * plan().lifeMillis();
            member.checkedUntil = good ? now() + holds : 0;
        }
    }

    // Requests

    /// Whether it gives requests to a container.
    boolean uses(int name) {
        Member member = members.get(name);
        return up && member != null && isUsable(member);
    }

    private boolean isUsable(Member member) {
        long now = now();
        return !member.said.draining()
                && (member.leaseUntil > now || (doubts() && member.checkedUntil > now));
    }

    private void requesting(long during) {
        if (hears(during)) {
            request();
            world.timeline()
                    .in(1 + random.nextLong(2 * plan().requestMillis()), () -> requesting(during));
        }
    }

    private void request() {
        world.traffic().requests++;
        List<Integer> usable = new ArrayList<>();
        members.forEach((name, member) -> {
            if (isUsable(member)) {
                usable.add(name);
            }
        });
        if (usable.isEmpty()) {
            world.traffic().unserved++;
            return;
        }
        SimulatedContainer asked = world.container(usable.get(random.nextInt(usable.size())));
        world.links().send(machine, asked.machine(), () -> world.requested(asked));
    }
}
