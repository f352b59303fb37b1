package io.margay.lab;

import io.margay.lab.load.LoadJob;
import io.margay.lab.preset.Scenario;
import io.margay.lab.result.Metric;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Fits a run into the time it may take: what is left is shared among the scenarios still to come,
/// and within one among warm-up and rounds. Without a bound every scenario has the pace that was
/// asked for. Confined to the lab's thread.
final class Schedule {
    /// Starting a server and learning its page, roughly.
    private static final double START_SECONDS = 3.5;

    /// A round of starts takes each server about so long, ...
    private static final double START_ROUND_SECONDS = 6;

    /// ... and so long with a load.
    private static final double LOAD_ROUND_SECONDS = 15;

    /// The weight of a server that is measured stands for about so much.
    private static final double WEIGHT_SECONDS = 4;

    /// The share of a scenario's time in which its servers must have started.
    private static final double START_SHARE = 0.55;

    /// What a round needs beside its length: connections, and asking the system what was used.
    private static final double ROUND_MORE_SECONDS = 0.15;

    /// A short round at the end, for counting system calls.
    static final long COUNTED_MILLIS = 500;

    private static final double COUNTED_SECONDS = COUNTED_MILLIS / 1e3 + 0.5;

    /// Stopping the servers, writing the report.
    private static final double END_SECONDS = 4;

    /// The share of a scenario's time that warming up may take.
    private static final double WARM_UP_SHARE = 0.4;

    /// A ramp consists of about so many steps, each of the length of a round.
    private static final double RAMP_STEPS = 8;

    private static final int ROUNDS_WANTED = 6;
    private static final int ROUNDS_LEAST = 3;
    private static final int RAMPS_LEAST = 2;

    /// Fewer rounds are worse than shorter ones down to this.
    private static final long ROUND_MILLIS_LEAST = 450;

    private static final long SLICE_MILLIS_LEAST = 250;
    private static final int SLICES = 6;

    private final Pace pace;
    private final double minutes;
    private final long endNanos;
    private final Map<String, Double> weights = new LinkedHashMap<>();
    private long scenarioEndNanos;
    private long startsEndNanos;
    private double shortest = Double.MAX_VALUE;
    private double longest;
    private int fewest = Integer.MAX_VALUE;
    private int most;

    /// @param minutes for the whole run; 0 for no bound
    Schedule(Pace pace, double minutes, long startNanos) {
        this.pace = pace;
        this.minutes = minutes;
        endNanos = minutes > 0 ? startNanos + (long) ((minutes * 60 - END_SECONDS) * 1e9) : 0;
    }

    /// The pace that was asked for.
    Pace unbound() {
        return pace;
    }

    boolean isBound() {
        return minutes > 0;
    }

    /// Whether the time is up.
    boolean isOver() {
        return isBound() && System.nanoTime() - endNanos >= 0;
    }

    /// A scenario that is to be run, with so many servers, some of which are to be started for it.
    void plan(Scenario scenario, int servers, int starts) {
        weights.put(
                scenario.id(),
                servers * weight(scenario) + starts * START_SECONDS / WEIGHT_SECONDS);
    }

    /// A round's length in a scenario, beside that of others.
    private double weight(Scenario scenario) {
        if (!scenario.lead().isZero()) {
            double round = scenario.lead().plusMillis(scenario.load().millis()).toSeconds();
            return pace.roundsMin() * (START_SECONDS + round) / WEIGHT_SECONDS;
        }
        return switch (scenario.metric()) {
            case KNEE -> 3;
            case CPU, FRONT, BOTH_ENDS, THROUGHPUT ->
                    scenario.load().shape() == LoadJob.Shape.RATE ? 2 : 1;
            case START -> pace.roundsMin() * START_ROUND_SECONDS / WEIGHT_SECONDS;
            case MEMORY -> pace.roundsMin() * LOAD_ROUND_SECONDS / WEIGHT_SECONDS;
        };
    }

    /// A scenario begins: its servers are started next.
    void begin(Scenario scenario) {
        double all = weights.values().stream().mapToDouble(Double::doubleValue).sum();
        Double own = weights.remove(scenario.id());
        if (isBound() && own != null) {
            long now = System.nanoTime();
            double mine = Math.max(0, endNanos - now) * own / all;
            scenarioEndNanos = now + (long) mine;
            startsEndNanos = now + (long) (mine * START_SHARE);
        }
    }

    /// Whether starting servers has taken so long that those not yet started are left out.
    boolean isLateToStart() {
        return isBound() && System.nanoTime() - startsEndNanos >= 0;
    }

    /// Whether the time of the scenario that has begun is up.
    boolean isScenarioOver() {
        return isBound() && System.nanoTime() - scenarioEndNanos >= 0;
    }

    /// The servers of a scenario are running: how long they are warmed up.
    ///
    /// @param servers that are well
    Pace warmUp(int servers) {
        if (!isBound() || servers == 0) {
            return pace;
        }
        double left = Math.max(0, (scenarioEndNanos - System.nanoTime()) / 1e9);
        double each = left * WARM_UP_SHARE / servers;
        long warmUpMillis = Math.min(pace.warmUpMillisMax(), (long) (each * 1e3));
        return pace.warming(
                Math.clamp(warmUpMillis / SLICES, SLICE_MILLIS_LEAST, pace.sliceMillis()),
                warmUpMillis);
    }

    /// The servers are warm: how many rounds there are, and how long.
    ///
    /// @param servers that are still well
    /// @param counted whether system calls are counted afterwards
    Pace rounds(Scenario scenario, int servers, boolean counted) {
        if (!isBound() || servers == 0) {
            return pace;
        }
        double left = Math.max(0, (scenarioEndNanos - System.nanoTime()) / 1e9);
        double each = left / servers - (counted ? COUNTED_SECONDS : 0);
        boolean ramps = scenario.metric() == Metric.KNEE;
        double steps = ramps ? RAMP_STEPS : 1;
        int least = ramps ? RAMPS_LEAST : ROUNDS_LEAST;
        int wanted = Math.min(ROUNDS_WANTED, pace.roundsMax());
        double seconds = length(each, wanted, steps);
        int rounds = wanted;
        while (rounds > least && seconds * 1e3 < ROUND_MILLIS_LEAST) {
            rounds--;
            seconds = length(each, rounds, steps);
        }
        long millis = (long) Math.max(seconds * 1e3, 400);
        long millisMax = pace.roundMillis() * (steps == 1 ? Pace.LONGER : 1);
        if (millis > millisMax) {
            rounds = Math.min(pace.roundsMax(), (int) (rounds * millis / millisMax));
            millis = millisMax;
        }
        shortest = Math.min(shortest, millis / 1e3);
        longest = Math.max(longest, millis / 1e3);
        fewest = Math.min(fewest, rounds);
        most = Math.max(most, rounds);
        return pace.measuring(rounds, millis);
    }

    private static double length(double seconds, int rounds, double steps) {
        return (seconds / rounds) / steps - ROUND_MORE_SECONDS;
    }

    /// What the bound has come to, for the report; nothing without one.
    String words() {
        if (!isBound() || most == 0) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "The run was fitted into %s minutes: %s rounds of each server, of %s seconds"
                        + " each, unless it ended before them.",
                plain(minutes),
                fewest == most ? String.valueOf(most) : fewest + " to " + most,
                plain(shortest).equals(plain(longest))
                        ? plain(longest)
                        : plain(shortest) + " to " + plain(longest));
    }

    private static String plain(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
