package io.margay.lab.finding;

import io.margay.lab.load.LoadJob;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import io.margay.lab.stats.Interval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// Sentences that explain a run by its own figures. A sentence whose figures are missing is not
/// said. Confined to one thread.
public final class Findings {
    private final RunResult run;
    private final List<String> sentences = new ArrayList<>();

    public Findings(RunResult run) {
        this.run = run;
    }

    public List<String> sentences() {
        return List.copyOf(sentences);
    }

    public Optional<CellResult> cell(String scenario, String server) {
        return run.scenarios().stream()
                .filter(it -> it.id().equals(scenario))
                .findFirst()
                .flatMap(it -> it.cell(server))
                .filter(it -> !it.good().isEmpty());
    }

    /// The verdict on two servers of one scenario, and what it means.
    public Findings verdict(
            String scenario, String server, String other, Metric metric, String meaning) {
        Optional<CellResult> a = cell(scenario, server);
        Optional<CellResult> b = cell(scenario, other);
        if (a.isPresent() && b.isPresent()) {
            Comparison comparison = Comparison.of(a.get(), b.get(), metric, run.seed());
            sentences.add((scenario + ": " + comparison.words() + ". " + meaning).strip());
        }
        return this;
    }

    /// The share of the CPU of a front end alone.
    public Findings frontTarget(String scenario, String server, String other, double most) {
        return target(scenario, server, other, "CPU", Metric.FRONT, most);
    }

    /// A server's share of what another needs, beside the most that it is to be.
    public Findings target(
            String scenario, String server, String other, String what, Metric metric, double most) {
        Optional<CellResult> a = cell(scenario, server);
        Optional<CellResult> b = cell(scenario, other);
        if (a.isPresent() && b.isPresent()) {
            Interval ratio = Comparison.of(a.get(), b.get(), metric, run.seed()).ratio();
            String verdict =
                    ratio.high() <= most
                            ? "met"
                            : ratio.low() > most
                                    ? "missed"
                                    : ratio.estimate() <= most
                                            ? "met, not surely"
                                            : "missed, not surely";
            sentences.add(
                    String.format(
                            Locale.ROOT,
                            "%s: %s of %s %.2f of %s's (%.2f to %.2f, n = %d); target %s: %s.",
                            scenario,
                            what,
                            server,
                            ratio.estimate(),
                            other,
                            ratio.low(),
                            ratio.high(),
                            ratio.rounds(),
                            most,
                            verdict));
        }
        return this;
    }

    /// What the difference between two servers consists of: own code or kernel, which system calls,
    /// hand-offs.
    public Findings because(String scenario, String server, String other) {
        Optional<CellResult> a = cell(scenario, server);
        Optional<CellResult> b = cell(scenario, other);
        if (a.isPresent() && b.isPresent()) {
            boolean differs = Comparison.of(a.get(), b.get(), Metric.CPU, run.seed()).differs();
            sentences.add(Difference.words(scenario, a.get(), b.get(), differs));
        }
        return this;
    }

    /// How far apart a server's throughput lies in all scenarios whose names begin thus.
    public Findings spread(String prefix, String... servers) {
        List<String> parts = new ArrayList<>();
        for (String server : servers) {
            List<Double> rates =
                    run.scenarios().stream()
                            .filter(it -> it.id().startsWith(prefix))
                            .filter(it -> it.load().shape() == LoadJob.Shape.PAGES)
                            .flatMap(it -> cell(it.id(), server).stream())
                            .map(it -> it.median(round -> round.load().perSecond()))
                            .toList();
            if (rates.size() > 1) {
                double least = Collections.min(rates);
                double most = Collections.max(rates);
                parts.add(
                        String.format(
                                Locale.ROOT,
                                "%s %.0f to %.0f (%.2f ×)",
                                server,
                                least,
                                most,
                                most / least));
            }
        }
        if (!parts.isEmpty()) {
            sentences.add(
                    prefix
                            + "…: requests per second with the fewest and the most that the numbers"
                            + " of threads and sockets made of them: "
                            + String.join(", ", parts)
                            + ". Published: no change but for a single thread.");
        }
        return this;
    }

    /// Connections that the front end opened to its back end, per request.
    public static double opened(CellResult cell) {
        return cell.median(RoundResult::behindPerRequest);
    }

    /// CPU-seconds per 10 000 requests of the tiers behind the front end.
    public static double backCost(CellResult cell) {
        List<String> tiers = cell.tiers();
        return tiers.subList(0, Math.max(0, tiers.size() - 1)).stream()
                .mapToDouble(tier -> cell.tierPer10k(tier, ProcessSample::cpuSeconds))
                .sum();
    }

    /// How many new connections a request took between the tiers.
    public Findings connectionsBehind(String scenario) {
        return each(
                scenario,
                "Connections opened between front end and back end, per request: ",
                Findings::opened);
    }

    /// CPU-seconds per 10 000 requests of all tiers, by one of their times.
    public static double cost(CellResult cell, ToDoubleFunction<ProcessSample> time) {
        return cell.tiers().stream().mapToDouble(tier -> cell.tierPer10k(tier, time)).sum();
    }

    /// Times per request that a thread had nothing to do, or handed its work on.
    public static double waited(CellResult cell) {
        return cost(cell, ProcessSample::switchesWaiting) / 1e4;
    }

    private List<CellResult> cells(String scenario) {
        return run.scenarios().stream()
                .filter(it -> it.id().equals(scenario))
                .flatMap(it -> it.cells().stream())
                .filter(it -> !it.good().isEmpty())
                .toList();
    }

    /// The share of the servers' CPU time that was spent inside the kernel.
    public Findings kernelShare(String scenario) {
        return each(
                scenario,
                "Share of the CPU time inside the kernel: ",
                cell ->
                        cell.median(round ->
                                round.tiers().values().stream()
                                                .mapToDouble(ProcessSample::systemSeconds)
                                                .sum()
                                        / Math.max(1e-9, round.cpuSeconds())));
    }

    /// CPU-seconds per 10 000 requests of the front ends alone.
    public Findings frontCost(String scenario) {
        return each(
                scenario,
                "CPU-seconds per 10 000 requests of the front process alone: ",
                cell ->
                        cell.tiers().size() < 2
                                ? 0
                                : cell.tierPer10k(
                                        cell.tiers().getLast(), ProcessSample::cpuSeconds));
    }

    /// How often the same server costs more when each request opens a connection.
    public Findings connectionCost(String closing, String keeping, String what) {
        List<String> parts = new ArrayList<>();
        for (ScenarioResult scenario : run.scenarios()) {
            if (!scenario.id().equals(closing)) {
                continue;
            }
            for (CellResult close : scenario.cells()) {
                cell(keeping, close.server())
                        .filter(_ -> !close.good().isEmpty())
                        .ifPresent(keep ->
                                parts.add(
                                        close.server()
                                                + " "
                                                + digits(
                                                        close.median(RoundResult::cpuPer10k)
                                                                - keep.median(
                                                                        RoundResult::cpuPer10k))));
            }
        }
        if (!parts.isEmpty()) {
            sentences.add(what + ": " + String.join(", ", parts) + ".");
        }
        return this;
    }

    public Findings say(String sentence) {
        sentences.add(sentence);
        return this;
    }

    /// The time in which nearly all answers came.
    public Findings latency(String scenario) {
        return each(
                scenario,
                "99 % of the answers came within so many ms: ",
                cell -> cell.latency().percentileMillis(99));
    }

    /// What the client received of each answer, its head included.
    public Findings bytes(String scenario) {
        return each(
                scenario,
                "KiB that an answer takes of the line: ",
                cell ->
                        cell.median(round ->
                                round.load().bytesIn()
                                        / 1024.0
                                        / Math.max(1, round.load().requests())));
    }

    /// The memory of all processes under load.
    public Findings memory(String scenario) {
        return each(
                scenario,
                "MiB of all processes under load: ",
                cell -> cell.median(RoundResult::residentMib));
    }

    private Findings each(String scenario, String what, ToDoubleFunction<CellResult> figure) {
        List<String> parts = new ArrayList<>();
        for (CellResult cell : cells(scenario)) {
            parts.add(cell.server() + " " + digits(figure.applyAsDouble(cell)));
        }
        if (!parts.isEmpty()) {
            sentences.add(scenario + ": " + what + String.join(", ", parts) + ".");
        }
        return this;
    }

    public static String digits(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.3f" : "%.1f", value);
    }
}
