package io.margay.gateway.balance;

import io.margay.gateway.config.AdaptiveConfig;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HedgeConfig;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.retry.Hedging;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Gateways that give requests to members, in virtual time, by one thread, from a seed. Each
/// gateway has an [Upstream] as in the program and knows its own requests alone; members have
/// workers and one queue each.
final class BalancingSimulation {
    /// What members do.
    enum Scenario {
        EVEN("all members alike"),
        BROWN_OUT("one member × 20 slower for a third of the time"),
        BROWN_OUTS("one of twenty members × 20 slower for a third of the time"),
        PAUSES("each member stands still for 0.3 s of 5 s"),
        RETRY_STORM("one of twenty × 20 slower; clients ask again after 1 s, twice"),
        COLD("one of twenty × 10 slower at first, as others after a third of the time"),
        UNEVEN("every second member half as fast"),
        FAILING("one of twenty answers 500 within 1 ms for a third of the time"),
        OVERLOAD("half as much again as all members can do, for a third of the time");

        final String says;

        Scenario(String says) {
            this.says = says;
        }
    }

    /// What is written in the configuration.
    ///
    /// @param method null = the ideal: each request goes to the member that is expected to answer
    ///   it first by what no gateway can know, the queues and the present state of all members
    /// @param adaptive whether requests in flight follow response times
    /// @param hedged whether a second member is asked after the 95th percentile
    /// @param subset members that each gateway uses; 0 = all
    record Advice(@Nullable BalanceMethod method, boolean adaptive, boolean hedged, int subset) {
        static final Advice IDEAL = new Advice(null, false, false, 0);

        static Advice of(BalanceMethod method) {
            return new Advice(method, false, false, 0);
        }
    }

    /// @param members of which every gateway knows all
    record Size(int members, int gateways, int seconds) {}

    /// What clients have seen; times in milliseconds.
    ///
    /// @param goodput share of requests that were answered within a second of being sent
    record Seen(double goodput, double p50, double p99, double p999) {}

    private static final int WORKERS = 4;
    private static final double WORK_MILLIS = 50;
    private static final double LOAD = 0.6;
    private static final double PATIENCE_MILLIS = 1_000;
    private static final double FAILURE_MILLIS = 1;
    private static final double PAUSE_MILLIS = 300;
    private static final double PAUSES_EACH_MILLIS = 5_000;
    private static final int KEYS = 10_000;
    private static final double OVERLOAD = 2.5;

    private static final RequestHead HEAD =
            new RequestHead(
                    "GET",
                    new RequestTarget(RequestTarget.Form.ORIGIN, "/", "/", null, null, null),
                    HttpVersion.HTTP_1_1,
                    Fields.EMPTY,
                    0,
                    false,
                    true);

    private final Scenario scenario;
    private final Size size;
    private final SplittableRandom random;
    private final double[][] freeAt;
    private final double[] pausesFrom;
    private final List<Upstream> upstreams = new ArrayList<>();
    private final PriorityQueue<Answer> answers =
            new PriorityQueue<>(Comparator.comparingDouble(Answer::at));
    private final PriorityQueue<Sent> again =
            new PriorityQueue<>(Comparator.comparingDouble(Sent::at));
    private final PriorityQueue<Late> late =
            new PriorityQueue<>(Comparator.comparingDouble(Late::at));
    private final @Nullable Hedging hedging;
    private double[] took = {};
    private int count;
    private int good;
    private int asked;
    private double now;

    /// Who has the last request, where it was not refused.
    private @Nullable Peer given;

    private boolean refused;

    /// Whether the member that had the last request has failed it.
    private boolean failed;

    /// A request on a member.
    private record Answer(Upstream upstream, Peer peer, double from, double at, int status) {}

    /// A request that a client sends.
    private record Sent(double first, double at, int times) {}

    /// A request for which a second member is asked.
    private record Late(Sent sent, Peer first, double at, double answered) {}

    private BalancingSimulation(Scenario scenario, Advice advice, Size size, long seed) {
        this.scenario = scenario;
        this.size = size;
        BalanceMethod method = advice.method;
        hedging = advice.hedged ? new Hedging(HedgeConfig.percentile(95)) : null;
        random = new SplittableRandom(seed);
        freeAt = new double[size.members][WORKERS];
        pausesFrom = random.doubles(size.members, 0, PAUSES_EACH_MILLIS).toArray();
        List<PeerConfig> peers = new ArrayList<>();
        for (int i = 0; i < size.members && method != null; i++) {
            PeerAddress address = PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", 8000 + i);
            peers.add(PeerConfig.of(Integer.toString(i), address));
        }
        for (int i = 0; i < size.gateways && method != null; i++) {
            UpstreamConfig config =
                    UpstreamConfig.of("up", peers)
                            .withMethod(method)
                            .withSpread(
                                    new UpstreamConfig.Spread(
                                            UpstreamConfig.Spread.defaults().hashBy(),
                                            "",
                                            advice.subset))
                            .withWatching(
                                    new UpstreamConfig.Watching(
                                            null,
                                            advice.adaptive ? AdaptiveConfig.defaults() : null))
                            .withSticky(UpstreamConfig.Sticky.none());
            upstreams.add(new Upstream(config, () -> (long) (now * 1e6), random.split()));
        }
    }

    /// Runs it.
    static Seen run(Scenario scenario, BalanceMethod method, Size size, long seed) {
        return run(scenario, Advice.of(method), size, seed);
    }

    /// The same with more advice.
    static Seen run(Scenario scenario, Advice advice, Size size, long seed) {
        return new BalancingSimulation(scenario, advice, size, seed).run();
    }

    private Seen run() {
        double each = WORK_MILLIS / (size.members * WORKERS * LOAD);
        double end = size.seconds * 1_000.0;
        took = new double[(int) (2 * end / each) + 1_000];
        double next = exponential(each);
        while (next < end || !again.isEmpty() || !late.isEmpty()) {
            double coming = next < end ? next : Double.MAX_VALUE;
            Sent repeated = again.peek();
            Late second = late.peek();
            double repeats = repeated == null ? Double.MAX_VALUE : repeated.at;
            if (second != null && second.at <= Math.min(coming, repeats)) {
                Late _ = late.remove();
                askSecond(second);
                continue;
            }
            boolean isRepeated = repeated != null && repeats <= coming;
            Sent sent = isRepeated ? again.remove() : new Sent(next, next, 1);
            if (!isRepeated) {
                boolean more = scenario == Scenario.OVERLOAD && isMiddle(next);
                next += exponential(more ? each / OVERLOAD : each);
            }
            now = sent.at;
            double answered = serve(null);
            Peer first = given;
            long after = hedging == null ? -1 : hedging.afterNanos();
            boolean waits = after >= 0 && answered - now > after / 1e6;
            if (waits && first != null) {
                late.add(new Late(sent, first, now + after / 1e6, answered));
            } else {
                record(sent, answered, refused);
            }
        }
        double[] all = Arrays.copyOf(took, count);
        Arrays.sort(all);
        return new Seen(
                (double) good / asked,
                quantile(all, 0.5),
                quantile(all, 0.99),
                quantile(all, 0.999));
    }

    /// What the first member does is done, too: the connection ends, and its worker goes on.
    private void askSecond(Late one) {
        now = one.at;
        boolean may = of(one.first).retries().mayRetry();
        double second = may ? serve(one.first) : Double.MAX_VALUE;
        boolean wins = may && given != null && !failed;
        failed = false;
        record(one.sent, wins ? Math.min(one.answered, second) : one.answered, false);
    }

    private Upstream of(Peer peer) {
        return upstreams.stream()
                .filter(each -> each.peers().contains(peer))
                .findFirst()
                .orElseThrow();
    }

    private void record(Sent sent, double answered, boolean isRefused) {
        if (hedging != null && !isRefused) {
            hedging.answered((long) ((answered - sent.at) * 1e6));
        }
        boolean soon = answered - sent.at <= PATIENCE_MILLIS;
        if (!soon && scenario == Scenario.RETRY_STORM && sent.times < 3) {
            again.add(new Sent(sent.first, sent.at + PATIENCE_MILLIS, sent.times + 1));
            return;
        }
        asked++;
        if (!isRefused) {
            took[count++] = answered - sent.first;
            good += soon && !failed ? 1 : 0;
        }
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    /// Gives a request to a member.
    ///
    /// @param but another one than this, of the same gateway; null = any
    /// @return when it is answered
    private double serve(@Nullable Peer but) {
        double work = exponential(WORK_MILLIS);
        failed = false;
        given = null;
        refused = false;
        if (upstreams.isEmpty()) {
            int best = 0;
            double soonest = Double.MAX_VALUE;
            for (int i = 0; i < size.members; i++) {
                double from = awake(i, Math.max(now, freeAt[i][soonest(i)]));
                double at = from + WORK_MILLIS * slowness(i, from);
                if (at < soonest && !fails(i)) {
                    best = i;
                    soonest = at;
                }
            }
            return take(best, work);
        }
        double present = now;
        for (Answer due = answers.peek(); due != null && due.at <= present; due = answers.peek()) {
            now = due.at;
            long took = (long) ((due.at - due.from) * 1e6);
            due.upstream.answers().responded(due.peer, due.status, took, -1);
            due.peer.end(Outcome.OK, 0, 0);
            Answer _ = answers.remove();
        }
        now = present;
        Upstream upstream = but == null ? upstreams.get(random.nextInt(upstreams.size())) : of(but);
        if (but == null && hedging != null) {
            upstream.retries().came(HEAD);
        }
        Selection.Choice choice =
                upstream.choose(but == null ? Rig.keyed(1 + random.nextInt(KEYS)) : Rig.tried(but));
        if (choice == null) {
            refused = true;
            return now;
        }
        Peer peer = choice.peer();
        given = peer;
        peer.begin();
        int member = Integer.parseInt(peer.config().name());
        failed = fails(member);
        double at = failed ? now + FAILURE_MILLIS : take(member, work);
        answers.add(new Answer(upstream, peer, now, at, failed ? 500 : 200));
        return at;
    }

    private boolean fails(int member) {
        return scenario == Scenario.FAILING && member % 20 == 0 && isMiddle(now);
    }

    private boolean isMiddle(double at) {
        double part = at / (size.seconds * 1_000.0);
        return part >= 1 / 3.0 && part < 2 / 3.0;
    }

    private double take(int member, double work) {
        double end = end(member, work);
        freeAt[member][soonest(member)] = end;
        return end;
    }

    private int soonest(int member) {
        int soonest = 0;
        for (int i = 1; i < WORKERS; i++) {
            if (freeAt[member][i] < freeAt[member][soonest]) {
                soonest = i;
            }
        }
        return soonest;
    }

    private double end(int member, double work) {
        double from = awake(member, Math.max(now, freeAt[member][soonest(member)]));
        double at = from + work * slowness(member, from);
        if (scenario == Scenario.PAUSES) {
            at += PAUSE_MILLIS * (pauses(member, at) - pauses(member, from));
        }
        return at;
    }

    /// How many pauses of a member have begun.
    private double pauses(int member, double at) {
        return Math.floor((at + pausesFrom[member]) / PAUSES_EACH_MILLIS);
    }

    private double awake(int member, double at) {
        double since = (at + pausesFrom[member]) % PAUSES_EACH_MILLIS;
        boolean pauses = scenario == Scenario.PAUSES && since < PAUSE_MILLIS;
        return pauses ? at + PAUSE_MILLIS - since : at;
    }

    private double slowness(int member, double at) {
        double part = at / (size.seconds * 1_000.0);
        boolean middle = isMiddle(at);
        return switch (scenario) {
            case EVEN, PAUSES, FAILING, OVERLOAD -> 1;
            case BROWN_OUT -> member == 0 && middle ? 20 : 1;
            case BROWN_OUTS, RETRY_STORM -> member % 20 == 0 && middle ? 20 : 1;
            case COLD -> member % 20 == 0 ? Math.max(1, 10 - 27 * part) : 1;
            case UNEVEN -> member % 2 == 0 ? 2 : 1;
        };
    }
}
