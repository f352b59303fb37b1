package io.margay.lab.result;

import io.margay.lab.load.Latency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Looks for the highest rate that a server sustains: doubles it until the server falls behind,
/// then halves the gap. Confined to the lab's thread.
public final class Ramp {
    private static final double RATE_MAX = 200_000;
    private static final int HALVINGS = 4;

    /// After so many the limit is known well enough.
    private static final int HALVINGS_LEAST = 2;

    /// A server keeps up while it answers this share of what is asked, ...
    private static final double ANSWERED_MIN = 0.97;

    /// ... fails no more than this share, ...
    private static final double FAILED_MAX = 0.001;

    /// ... and is no slower than this for 99 % of the requests.
    private static final double P99_MILLIS_MAX = 1000;

    /// Measures one step.
    public interface Step {
        RoundResult measure(double perSecond) throws IOException;
    }

    private final Step step;
    private final BooleanSupplier over;
    private final List<RampStep> steps = new ArrayList<>();
    private @Nullable RoundResult best;
    private boolean isCut;

    public Ramp(Step step, BooleanSupplier over) {
        this.step = step;
        this.over = over;
    }

    public List<RampStep> steps() {
        return List.copyOf(steps);
    }

    /// Where a ramp begins that doubles its rate a few times before a server falls behind.
    ///
    /// @param wanted where it begins when nothing is known
    /// @param expected the limit, roughly; 0 when nothing is known
    public static double first(double wanted, double expected) {
        double first = wanted;
        while (first * 2 <= expected / 4) {
            first *= 2;
        }
        return first;
    }

    /// Whether it ended before the limit was known, so that what it found says nothing.
    public boolean isCut() {
        return isCut;
    }

    /// The round at the highest rate that was sustained; the first step if none was.
    public RoundResult run(double first) throws IOException {
        RoundResult round = step.measure(first);
        boolean sustained = sustains(round, first);
        RoundResult start = round;
        double low = 0;
        double high = first;
        while (sustained && high < RATE_MAX && !over.getAsBoolean()) {
            best = round;
            low = high;
            high *= 2;
            round = step.measure(high);
            sustained = sustains(round, high);
        }
        int halvings = 0;
        while (halvings < HALVINGS && !over.getAsBoolean()) {
            halvings++;
            double middle = (low + high) / 2;
            round = step.measure(middle);
            if (sustains(round, middle)) {
                best = round;
                low = middle;
            } else {
                high = middle;
            }
        }
        isCut = halvings < HALVINGS_LEAST;
        return best == null ? start : best;
    }

    private boolean sustains(RoundResult round, double wanted) {
        double perSecond = round.load().perSecond();
        double p99 = Latency.of(List.of(round.load().latency())).percentileMillis(99);
        boolean sustained =
                perSecond >= wanted * ANSWERED_MIN
                        && round.load().failed() <= round.load().requests() * FAILED_MAX
                        && p99 <= P99_MILLIS_MAX;
        steps.add(new RampStep(wanted, perSecond, p99, round.load().errors(), sustained));
        return sustained;
    }
}
