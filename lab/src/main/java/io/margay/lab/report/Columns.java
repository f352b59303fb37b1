package io.margay.lab.report;

import io.margay.lab.load.Latency;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The columns of a scenario's table, which depend on what its servers are compared by. Stateless.
final class Columns {
    private static final List<String> LOADED =
            List.of(
                    "server",
                    "CPU-s/10k",
                    "user",
                    "system",
                    "requests/s",
                    "mean ms",
                    "p50 ms",
                    "p99 ms",
                    "MiB",
                    "server CPU",
                    "client CPU",
                    "rounds");

    private static final List<String> STARTED = List.of("server", "ms", "CPU-s", "MiB", "starts");

    private static final List<String> HELD = List.of("server", "MiB", "requests", "starts");

    private Columns() {}

    static List<String> head(Metric metric) {
        return switch (metric) {
            case CPU, FRONT, BOTH_ENDS, THROUGHPUT, KNEE -> LOADED;
            case START -> STARTED;
            case MEMORY -> HELD;
        };
    }

    /// The cells under that head for one server.
    static List<String> row(Metric metric, CellResult cell) {
        List<RoundResult> good = cell.good();
        if (good.isEmpty()) {
            List<String> row = new ArrayList<>();
            row.add(cell.server());
            head(metric).stream().skip(1).forEach(_ -> row.add("–"));
            return row;
        }
        String counted = good.size() + " of " + cell.rounds().size();
        return switch (metric) {
            case CPU, FRONT, BOTH_ENDS, THROUGHPUT, KNEE -> loaded(cell, counted);
            case START ->
                    List.of(cell.server(), startMillis(cell), startCpu(cell), mib(cell), counted);
            case MEMORY ->
                    List.of(
                            cell.server(),
                            mib(cell),
                            Figures.count(cell.median(round -> round.load().requests())),
                            counted);
        };
    }

    private static List<String> loaded(CellResult cell, String counted) {
        Latency latency = cell.latency();
        return List.of(
                cell.server(),
                Figures.of(cell.median(RoundResult::cpuPer10k)),
                Figures.of(per10k(cell, ProcessSample::userSeconds)),
                Figures.of(per10k(cell, ProcessSample::systemSeconds)),
                Figures.count(cell.median(round -> round.load().perSecond())),
                Figures.millis(latency.meanMillis()),
                Figures.millis(latency.percentileMillis(50)),
                Figures.millis(latency.percentileMillis(99)),
                mib(cell),
                Figures.percent(cell.median(RoundResult::serverShare)),
                Figures.percent(cell.median(RoundResult::generatorShare)),
                counted);
    }

    private static double per10k(CellResult cell, ToDoubleFunction<ProcessSample> figure) {
        return cell.tiers().stream().mapToDouble(tier -> cell.tierPer10k(tier, figure)).sum();
    }

    /// Of [Metric#START]: from the start of the process to its first answer.
    static String startMillis(CellResult cell) {
        return Figures.count(cell.median(round -> round.seconds() * 1e3));
    }

    /// Of [Metric#START]: CPU-seconds until then.
    static String startCpu(CellResult cell) {
        return Figures.of(cell.median(RoundResult::cpuSeconds));
    }

    static String mib(CellResult cell) {
        return Figures.count(cell.median(RoundResult::residentMib));
    }
}
