package io.margay.lab;

import io.margay.lab.load.Course;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.load.LoadResultBuilder;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.preset.Scenario;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RoundResultBuilder;
import io.margay.lab.servers.RunningServer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Measures servers by starting each anew in every round, one at a time, in the order A B C, C B A,
/// …: how long it is until the first answer, or the memory after a load. Confined to the lab's
/// thread.
record StartRounds(
        Scenario scenario,
        Schedule schedule,
        Bench bench,
        Progress progress,
        BooleanSupplier over) {
    /// So many rounds are measured even when the time is up.
    private static final int ROUNDS_LEAST = 2;

    /// Time for the lab to hear of a signal that has ended a server.
    private static final long CANCEL_NANOS = 300_000_000L;

    /// Measures; as many rounds as are wanted, unless the scenario's time is up before.
    ///
    /// @param ready is run once while each server runs
    void run(List<Cell> cells, int rounds, ScenarioRun.Ready ready) throws IOException {
        Cell.Turns turns = new Cell.Turns(cells);
        for (int number = 1; number <= rounds; number++) {
            int current = number;
            boolean late = number > ROUNDS_LEAST && schedule.isScenarioOver();
            if (late || !turns.round(over, cell -> round(cell, current, ready))) {
                return;
            }
        }
    }

    private void round(Cell cell, int number, ScenarioRun.Ready ready) throws IOException {
        progress.now("%s: start %d of %s", scenario.id(), number, cell.spec.name());
        bench.keepOnly(List.of());
        try {
            RoundResult round = start(cell, number);
            if (number == 1) {
                ready.run();
            }
            cell.rounds.add(round);
            progress.done(
                    "%-10s start %d  %-32s %6.0f ms%s  %5.2f CPU-s  %4.0f MiB%s",
                    scenario.id(),
                    number,
                    cell.spec.name(),
                    round.seconds() * 1e3,
                    scenario.metric() == Metric.MEMORY ? " of load" : "",
                    round.cpuSeconds(),
                    round.residentMib(),
                    round.objection().isEmpty() ? "" : "  not counted: " + round.objection());
        } catch (IOException e) {
            // Ctrl-C reaches the servers and the lab at the same time.
            LockSupport.parkNanos(CANCEL_NANOS);
            if (over.getAsBoolean()) {
                throw e;
            }
            cell.failure = String.valueOf(e.getMessage());
            progress.done("%s: %s failed: %s", scenario.id(), cell.spec.name(), cell.failure);
        } finally {
            bench.keepOnly(List.of());
            cell.server = null;
        }
    }

    private RoundResult start(Cell cell, int number) throws IOException {
        cell.path = scenario.page().path(cell.spec.features()).orElseThrow();
        double coreBefore = bench.coreSeconds();
        long begun = System.nanoTime();
        RunningServer server = bench.server(cell.spec);
        cell.server = server;
        server.awaitAnswer(cell.path);
        long nanos = System.nanoTime() - begun;
        Map<String, ProcessSample> used = server.sample();
        double cpu = used.values().stream().mapToDouble(ProcessSample::cpuSeconds).sum();
        double others = Math.max(0, bench.coreSeconds() - coreBefore - cpu);
        LoadResult load =
                LoadResultBuilder.builder()
                        .requests(1)
                        .nanos(nanos)
                        .errors(Map.of())
                        .opened(1)
                        .course(Course.NONE)
                        .latency("")
                        .build();
        String objection = "";
        if (scenario.metric() == Metric.MEMORY) {
            load = load(cell, server);
            used = server.sample();
            objection = ScenarioRun.objection(load);
        }
        LockSupport.parkNanos(scenario.rest().toNanos());
        server.requireAlive();
        Map<String, ProcessSample> rested = new LinkedHashMap<>();
        Map<String, ProcessSample> last = server.sample();
        used.forEach((tier, sample) ->
                rested.put(tier, sample.holding(last.getOrDefault(tier, sample).residentKib())));
        return RoundResultBuilder.builder()
                .launch(number)
                .number(1)
                .load(load)
                .tiers(rested)
                .othersSeconds(others)
                .behind(0)
                .timeWait(0)
                .objection(objection)
                .build();
    }

    /// The same number of requests to each server, as many as the scenario says.
    private LoadResult load(Cell cell, RunningServer server) throws IOException {
        LoadJob job =
                scenario.load()
                        .to(
                                server.setting().http(),
                                List.of(cell.path),
                                bench.certificate().pem().toString());
        cell.checks =
                bench.generator().learn(job, scenario.page().change(), scenario.page().contains());
        return bench.generator().load(job, () -> {}, _ -> {}, () -> {});
    }
}
