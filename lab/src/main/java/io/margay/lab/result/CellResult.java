package io.margay.lab.result;

import io.margay.lab.load.Latency;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.stats.Medians;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// One server under one load. Immutable.
///
/// @param path what was asked for
/// @param checks what of each answer's content was compared
/// @param warmUp CPU-seconds per 10 000 requests of each slice of the warm-up
/// @param ramp every step of all ramps, for [Metric#KNEE]
/// @param calls system calls per request by tier and name, counted after the rounds; often none
/// @param failure why nothing was measured, or empty
@RecordBuilder
public record CellResult(
        String server,
        String title,
        String path,
        List<String> checks,
        List<Double> warmUp,
        List<RoundResult> rounds,
        List<RampStep> ramp,
        Map<String, Map<String, Double>> calls,
        String failure) {
    public CellResult {
        checks = List.copyOf(checks);
        warmUp = List.copyOf(warmUp);
        rounds = List.copyOf(rounds);
        ramp = List.copyOf(ramp);
        calls = new LinkedHashMap<>(calls);
    }

    /// The same with other rounds.
    public CellResult with(List<RoundResult> newRounds) {
        return new CellResult(server, title, path, checks, warmUp, newRounds, ramp, calls, failure);
    }

    /// The rounds that count.
    public List<RoundResult> good() {
        return rounds.stream().filter(RoundResult::counts).toList();
    }

    /// The median of a figure over the rounds that count.
    public double median(ToDoubleFunction<RoundResult> figure) {
        return Medians.of(good().stream().map(figure::applyAsDouble).toList());
    }

    /// The latencies of all rounds that count.
    public Latency latency() {
        return Latency.of(good().stream().map(round -> round.load().latency()).toList());
    }

    /// The names of the tiers, front end last.
    public List<String> tiers() {
        List<RoundResult> good = good();
        return good.isEmpty() ? List.of() : new ArrayList<>(good.getFirst().tiers().keySet());
    }

    /// The median over rounds of a figure of one tier, per 10 000 requests.
    public double tierPer10k(String tier, ToDoubleFunction<ProcessSample> figure) {
        return median(round -> {
            ProcessSample sample = round.tiers().getOrDefault(tier, ProcessSample.NONE);
            return figure.applyAsDouble(sample) * 1e4 / round.load().requests();
        });
    }

    /// Whether the load generator, not the server, set the pace in most rounds.
    public boolean isGeneratorBound() {
        List<RoundResult> good = good();
        return 2 * good.stream().filter(RoundResult::generatorBound).count() > good.size();
    }
}
