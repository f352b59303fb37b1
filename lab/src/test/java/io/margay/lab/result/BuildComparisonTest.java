package io.margay.lab.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.result.BuildComparison.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BuildComparisonTest {
    private static final double[] COSTS = {0.1, 0.101, 0.099, 0.1, 0.102, 0.1};

    private static BuildComparison compare(CellResult before, CellResult after) {
        return BuildComparison.of(
                new ScenarioResult(
                        "row",
                        "Row",
                        LoadJob.closed(1, false, true),
                        Metric.CPU,
                        "before:nio",
                        List.of(before, after)),
                1);
    }

    private static double[] times(double factor) {
        double[] costs = COSTS.clone();
        for (int i = 0; i < costs.length; i++) {
            costs[i] *= factor;
        }
        return costs;
    }

    private static BuildComparison costing(double factor) {
        return compare(
                Samples.cell("before:nio", 0.5, COSTS),
                Samples.cell("margay:nio", 0.5, times(factor)));
    }

    @Test
    void tenPercentMoreCpu_isWorse() {
        BuildComparison row = costing(1.1);
        assertEquals(Verdict.WORSE, row.verdict());
        assertEquals(List.of("CPU"), row.named(Verdict.WORSE));
        assertEquals(1.1, row.cpu().ratio().estimate(), 1e-9);
    }

    @Test
    void tenPercentLessCpu_isBetter() {
        assertEquals(Verdict.BETTER, costing(0.9).verdict());
    }

    @Test
    void onePercent_isEqual() {
        assertEquals(Verdict.EQUAL, costing(1.01).verdict());
    }

    @Test
    void fewerRequestsPerSecond_areWorse_thoughEachCostsTheSame() {
        CellResult before = Samples.cell("before:nio", 0.5, COSTS);
        List<RoundResult> slow =
                Samples.cell("margay:nio", 0.5, COSTS).rounds().stream()
                        .map(round -> Samples.lasting(round, 1_250_000_000L))
                        .toList();
        BuildComparison row = compare(before, Samples.cell("margay:nio", 0.5, COSTS).with(slow));
        assertEquals(List.of("requests/s"), row.named(Verdict.WORSE));
        assertEquals(0.8, row.throughput().ratio().estimate(), 1e-9);
        assertEquals(Verdict.EQUAL, row.cpu().verdict());
    }

    @Test
    void tailOfTwiceTheLength_isWorse() {
        BuildComparison row =
                compare(
                        withTail(Samples.cell("before:nio", 0.5, COSTS), 1_000_000),
                        withTail(Samples.cell("margay:nio", 0.5, COSTS), 2_000_000));
        assertEquals(List.of("p99"), row.named(Verdict.WORSE));
        assertEquals(2, row.p99().ratio().estimate(), 0.01);
    }

    private static CellResult withTail(CellResult cell, long nanos) {
        return cell.with(
                cell.rounds().stream()
                        .map(round ->
                                RoundResultBuilder.builder(round)
                                        .load(round.load().withLatency(Samples.latency(nanos)))
                                        .build())
                        .toList());
    }

    @Test
    void backEndThatCostsMore_isLeftOut() {
        CellResult before = behind(Samples.cell("before:nio", 0.5, COSTS), 0.1);
        CellResult after = behind(Samples.cell("margay:nio", 0.5, COSTS), 0.9);
        assertEquals(Verdict.EQUAL, compare(before, after).verdict());
    }

    private static CellResult behind(CellResult cell, double backSeconds) {
        return cell.with(
                cell.rounds().stream()
                        .map(round -> {
                            Map<String, ProcessSample> tiers = new LinkedHashMap<>();
                            tiers.put(
                                    "back",
                                    new ProcessSample(backSeconds, 0, backSeconds, 1, 0, 0, 1));
                            tiers.putAll(round.tiers());
                            return Samples.with(round, tiers);
                        })
                        .toList());
    }

    @Test
    void generatorThatSetThePace_leavesTheCostToJudge() {
        BuildComparison row =
                compare(
                        Samples.cell("before:nio", 0.99, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05),
                        Samples.cell("margay:nio", 0.99, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07));
        assertEquals(Verdict.NONE, row.throughput().verdict());
        assertEquals(List.of("CPU"), row.named(Verdict.WORSE));
    }

    @Test
    void buildThatDidNotStart_givesNoVerdict_andSaysWhy() {
        CellResult failed =
                new CellResult(
                        "margay:nio",
                        "",
                        "/",
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of(),
                        "did not start");
        BuildComparison row = compare(Samples.cell("before:nio", 0.5, COSTS), failed);
        assertEquals(Verdict.NONE, row.verdict());
        assertTrue(row.refusal().contains("did not start"), row.refusal());
    }
}
