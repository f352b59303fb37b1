package io.margay.lab.result;

import io.margay.lab.machine.ProcessSample;
import io.margay.lab.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// A server before and after a change, under one load. Immutable.
///
/// A figure counts as worse or better only if the whole interval of its ratio is away from 1 by
/// more than its margin; else the two are called equal.
///
/// @param refusal why nothing can be said, or empty
public record BuildComparison(
        ScenarioResult scenario,
        Figure throughput,
        Figure cpu,
        Figure p99,
        boolean isRough,
        String refusal) {
    /// The tail of a latency is read from few answers of each round.
    private static final double MARGIN_TAIL = 0.10;

    /// What a change has done.
    public enum Verdict {
        WORSE,
        EQUAL,
        BETTER,
        /// Not measured.
        NONE
    }

    /// One figure of both. Immutable.
    ///
    /// @param before median over its rounds
    /// @param after the same
    /// @param ratio of after to before, round by round
    public record Figure(
            String name, double before, double after, Interval ratio, Verdict verdict) {}

    /// Compares the two servers of a scenario; its reference is the one from before.
    public static BuildComparison of(ScenarioResult scenario, long seed) {
        Optional<CellResult> before = scenario.cell(scenario.reference());
        Optional<CellResult> after =
                scenario.cells().stream()
                        .filter(cell -> !cell.server().equals(scenario.reference()))
                        .findFirst();
        if (before.isEmpty() || after.isEmpty()) {
            return refused(scenario, "one of the two is missing");
        }
        Pair pair = new Pair(before.get(), after.get(), seed);
        for (CellResult cell : List.of(before.get(), after.get())) {
            if (cell.good().isEmpty()) {
                return refused(scenario, cell.server() + ": " + reason(cell));
            }
        }
        if (pair.cpu().ratio().rounds() == 0) {
            return refused(scenario, "no round of both counts");
        }
        // Where the generator sets the pace, what a request costs is still the server's.
        boolean own = Stream.of(pair.before, pair.after).noneMatch(CellResult::isGeneratorBound);
        return new BuildComparison(
                scenario,
                own ? pair.throughput() : none("requests/s"),
                pair.cpu(),
                own ? pair.p99() : none("p99"),
                pair.cpu().ratio().isRough(),
                "");
    }

    private static String reason(CellResult cell) {
        return !cell.failure().isEmpty()
                ? cell.failure()
                : cell.rounds().stream()
                        .map(RoundResult::objection)
                        .findFirst()
                        .orElse("not measured");
    }

    private static BuildComparison refused(ScenarioResult scenario, String why) {
        return new BuildComparison(
                scenario, none("requests/s"), none("CPU"), none("p99"), false, why);
    }

    private static Figure none(String name) {
        return new Figure(name, 0, 0, new Interval(0, 0, 0, 0), Verdict.NONE);
    }

    private record Pair(CellResult before, CellResult after, long seed) {
        private Figure throughput() {
            return figure("requests/s", round -> round.load().perSecond(), Comparison.MARGIN, true);
        }

        /// Behind a gateway the server is the same for both and left out.
        private Figure cpu() {
            return figure("CPU", Pair::frontPer10k, Comparison.MARGIN, false);
        }

        private Figure p99() {
            return figure("p99", RoundResult::p99Millis, MARGIN_TAIL, false);
        }

        private static double frontPer10k(RoundResult round) {
            ProcessSample front =
                    round.tiers().isEmpty()
                            ? ProcessSample.NONE
                            : new ArrayList<>(round.tiers().values()).getLast();
            return front.cpuSeconds() * 1e4 / round.load().requests();
        }

        private Figure figure(
                String name,
                ToDoubleFunction<RoundResult> of,
                double margin,
                boolean moreIsBetter) {
            Interval ratio = Comparison.ratio(after, before, of, seed);
            double least = ratio.isRough() ? Math.max(margin, Comparison.MARGIN_ROUGH) : margin;
            return new Figure(
                    name,
                    before.median(of),
                    after.median(of),
                    ratio,
                    verdict(ratio, least, moreIsBetter));
        }

        private static Verdict verdict(Interval ratio, double margin, boolean moreIsBetter) {
            if (ratio.rounds() == 0) {
                return Verdict.NONE;
            }
            if (!ratio.differsBy(margin)) {
                return Verdict.EQUAL;
            }
            return ratio.low() > 1 == moreIsBetter ? Verdict.BETTER : Verdict.WORSE;
        }
    }

    public List<Figure> figures() {
        return List.of(throughput, cpu, p99);
    }

    /// The names of the figures of which that is true.
    public List<String> named(Verdict verdict) {
        return figures().stream()
                .filter(figure -> figure.verdict() == verdict)
                .map(Figure::name)
                .toList();
    }

    /// Of all figures together: worse if one is, else better if one is.
    public Verdict verdict() {
        if (!refusal.isEmpty()) {
            return Verdict.NONE;
        }
        if (!named(Verdict.WORSE).isEmpty()) {
            return Verdict.WORSE;
        }
        return named(Verdict.BETTER).isEmpty() ? Verdict.EQUAL : Verdict.BETTER;
    }
}
