package io.margay.lab;

import io.margay.lab.load.Course;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.load.LoadResultBuilder;
import io.margay.lab.machine.CallCounter;
import io.margay.lab.machine.CompilerTime;
import io.margay.lab.machine.FlightRecording;
import io.margay.lab.machine.Profile;
import io.margay.lab.preset.Mine;
import io.margay.lab.preset.Scenario;
import io.margay.lab.report.TextReport;
import io.margay.lab.result.Metric;
import io.margay.lab.result.Ramp;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RoundResultBuilder;
import io.margay.lab.result.ScenarioResult;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.stats.WarmUp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Measures one scenario: warms each server up, then rounds in the order A B C, C B A, … until the
/// last two of each agree. Confined to the lab's thread.
final class ScenarioRun {
    /// A share of failed requests above it voids a round.
    private static final double FAILED_MAX = 0.001;

    /// A job that lasts longer than it should by this ends all the same.
    private static final long GRACE_MILLIS = 15_000;

    /// Load beside a round begins before it and lasts longer, by this in all.
    private static final long BESIDE_MILLIS = 1000;

    /// Time for the lab to hear of a signal that has ended a server.
    private static final long CANCEL_NANOS = 300_000_000L;

    /// How long samples are taken.
    private static final long PROFILED_MILLIS = 5_000;

    /// Calls per request that are rarer are not told by name.
    private static final double COUNT_LEAST = 0.02;

    /// So many servers are started even when the time is short.
    private static final int SERVERS_LEAST = 2;

    /// So many rounds are measured even when the time is up.
    private static final int ROUNDS_LEAST = 2;

    private final Scenario scenario;
    private final Schedule schedule;
    private final Bench bench;
    private final Path site;
    private final Progress progress;
    private final BooleanSupplier over;
    private final List<Cell> cells = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<Cell, Double> expected = new HashMap<>();
    private final Map<String, Profile> profiles = new LinkedHashMap<>();
    private Pace pace;
    private int launch;

    /// @param over whether no further round may begin
    ScenarioRun(
            Scenario scenario,
            List<ServerSpec> servers,
            Schedule schedule,
            Bench bench,
            Path site,
            Progress progress,
            BooleanSupplier over) {
        this.scenario = scenario;
        this.schedule = schedule;
        this.bench = bench;
        this.site = site;
        this.progress = progress;
        this.over = over;
        pace = schedule.unbound();
        servers.forEach(server -> cells.add(new Cell(server)));
    }

    /// What has been measured so far.
    ScenarioResult result() {
        return new ScenarioResult(
                scenario.id(),
                scenario.title(),
                scenario.load(),
                scenario.metric(),
                reference(),
                cells.stream().map(Cell::result).toList(),
                profiles);
    }

    /// The server that ratios refer to: the preset's, or, where that has failed, the first that has
    /// not.
    private String reference() {
        String wanted = scenario.reference();
        boolean failed =
                cells.stream().anyMatch(it -> it.spec.name().equals(wanted) && !it.isWell());
        return failed
                ? cells.stream()
                        .filter(Cell::isWell)
                        .map(it -> it.spec.name())
                        .findFirst()
                        .orElse(wanted)
                : wanted;
    }

    List<Cell> cells() {
        return cells;
    }

    /// What a reader must know.
    List<String> notes() {
        return notes;
    }

    /// What is done once all servers of a start answer.
    interface Ready {
        void run() throws IOException;
    }

    void run(Ready ready) throws IOException {
        try {
            runAll(ready);
        } finally {
            progress.keep();
        }
    }

    private void runAll(Ready ready) throws IOException {
        if (scenario.metric().isOfStarts()) {
            schedule.begin(scenario);
            new StartRounds(scenario, schedule, bench, progress, over)
                    .run(cells, pace.roundsMin(), ready);
            return;
        }
        if (!scenario.lead().isZero()) {
            freshRounds(ready);
            return;
        }
        int launches = 1;
        for (launch = 1; launch <= launches && !over.getAsBoolean(); launch++) {
            if (launch > 1) {
                bench.keepOnly(List.of());
            }
            bench.keepOnly(cells.stream().map(cell -> cell.spec.name()).toList());
            schedule.begin(scenario);
            start();
            ready.run();
            List<Cell> well = cells.stream().filter(Cell::isWell).toList();
            pace = schedule.warmUp(well.size());
            launches = pace.launches();
            for (Cell cell : well) {
                warmUp(cell);
            }
            boolean counted = launch == launches && counted();
            pace = schedule.rounds(scenario, well.size(), counted);
            rounds(well);
            for (Cell cell : well) {
                if (counted && cell.isWell() && !over.getAsBoolean()) {
                    calls(cell);
                }
                boolean last = launch == launches && !over.getAsBoolean();
                if (last && cell.isWell() && scenario.id().equals(Mine.NAME)) {
                    profile(cell);
                }
            }
        }
    }

    /// Starts all servers, the reference first. In a run that must end in time those that would be
    /// started too late are left out.
    private void start() throws IOException {
        List<Cell> order = new ArrayList<>(cells);
        order.sort(Comparator.comparing(cell -> !cell.spec.name().equals(scenario.reference())));
        List<String> leftOut = new ArrayList<>();
        int started = 0;
        for (Cell cell : order) {
            if (launch == 1 && started >= SERVERS_LEAST && schedule.isLateToStart()) {
                leftOut.add(cell.spec.name());
                cells.remove(cell);
            } else {
                ready(cell);
                started++;
            }
        }
        if (!leftOut.isEmpty()) {
            String words =
                    "Left out of %s, as starting the others took most of its time: %s."
                            .formatted(scenario.id(), String.join(", ", leftOut));
            notes.add(words);
            progress.done("%s", words);
        }
    }

    /// Whether system calls are counted: where they can be, and in a run that must end in time only
    /// in the scenarios that stand for the others. Those of a server of known cost explain nothing.
    private boolean counted() {
        return bench.calls().isPresent()
                && (scenario.quick() || !schedule.isBound())
                && cells.stream().noneMatch(it -> it.spec.features().contains(Feature.KNOWN));
    }

    private void ready(Cell cell) throws IOException {
        try {
            progress.now("%s: starting %s", scenario.id(), cell.spec.name());
            RunningServer server = bench.server(cell.spec);
            cell.server = server;
            cell.path = scenario.page().path(cell.spec.features()).orElseThrow();
            List<String> paths = scenario.page().all(cell.path, site);
            boolean tls = scenario.load().tls();
            LoadJob job =
                    scenario.load()
                            .to(
                                    tls ? server.setting().https() : server.setting().http(),
                                    paths,
                                    bench.certificate().pem().toString());
            cell.job = bench.pinned() ? job : job.patient();
            cell.checks =
                    bench.generator()
                            .learn(job, scenario.page().change(), scenario.page().contains());
        } catch (IOException e) {
            if (over.getAsBoolean()) {
                throw e;
            }
            cell.failure = String.valueOf(e.getMessage());
            progress.done("%s: %s left out: %s", scenario.id(), cell.spec.name(), cell.failure);
        }
    }

    /// Closed load, whatever the shape of the rounds: a few requests per second would take hours to
    /// have a page compiled.
    private void warmUp(Cell cell) throws IOException {
        WarmUp warmth = new WarmUp(pace.tolerance() * 1.5);
        LoadJob rounds = Objects.requireNonNull(cell.job);
        LoadJob closed =
                LoadJob.closed(
                                Math.max(1, Math.min(100, rounds.connections())),
                                rounds.tls(),
                                rounds.keepAlive())
                        .withStreams(rounds.streams())
                        .withQuic(rounds.quic())
                        .to(rounds.port(), rounds.paths(), rounds.certificate())
                        .lasting(0, pace.sliceMillis(), pace.sliceMillis() + GRACE_MILLIS);
        long until = System.nanoTime() + pace.warmUpMillisMax() * 1_000_000;
        boolean warm = bench.isWarm(cell.spec.name(), closed);
        RunningServer server = Objects.requireNonNull(cell.server);
        while (!warm && System.nanoTime() - until < 0 && !over.getAsBoolean() && cell.isWell()) {
            double compiled = CompilerTime.seconds(server.processes().values());
            RoundResult slice = measure(cell, closed, 0);
            expected.put(cell, slice.load().perSecond());
            double compiling = CompilerTime.seconds(server.processes().values()) - compiled;
            double used = slice.cpuSeconds();
            warm = warmth.add(slice.cpuPer10k(), used > 0 ? compiling / used : 0);
            progress.now(
                    "%s: warming %s up, %.0f requests/s",
                    scenario.id(), cell.spec.name(), slice.load().perSecond());
        }
        if (!over.getAsBoolean()) {
            bench.warmed(cell.spec.name(), closed);
        }
        if (launch == 1) {
            cell.warmUp.addAll(warmth.slices());
        }
    }

    private void rounds(List<Cell> well) throws IOException {
        Cell.Turns turns = new Cell.Turns(well);
        for (int number = 1; number <= pace.roundsMax(); number++) {
            if (number > pace.roundsMin()
                    && well.stream().allMatch(cell -> cell.lastTwoAgree(pace.tolerance()))) {
                return;
            }
            int current = number;
            int least = scenario.metric() == Metric.KNEE ? 1 : ROUNDS_LEAST;
            if (!turns.round(
                    () -> over.getAsBoolean() || (schedule.isOver() && current > least),
                    cell -> round(cell, current))) {
                return;
            }
        }
    }

    /// Rounds of servers that are started anew for each and measured when they have been under the
    /// same load for a while, one server at a time.
    private void freshRounds(Ready ready) throws IOException {
        schedule.begin(scenario);
        Cell.Turns turns = new Cell.Turns(cells);
        for (launch = 1; launch <= pace.roundsMin(); launch++) {
            if (!turns.round(
                    () ->
                            over.getAsBoolean()
                                    || (schedule.isScenarioOver() && launch > ROUNDS_LEAST),
                    cell -> freshRound(cell, ready))) {
                return;
            }
        }
    }

    private void freshRound(Cell cell, Ready ready) throws IOException {
        bench.keepOnly(List.of());
        try {
            ready(cell);
            if (!cell.isWell()) {
                return;
            }
            ready.run();
            long millis = scenario.lead().toMillis();
            measure(
                    cell,
                    Objects.requireNonNull(cell.job).lasting(0, millis, millis + GRACE_MILLIS),
                    0);
            if (cell.isWell() && !over.getAsBoolean()) {
                round(cell, launch);
            }
        } finally {
            bench.keepOnly(List.of());
            cell.server = null;
        }
    }

    private void round(Cell cell, int number) throws IOException {
        long millis = pace.roundMillis(scenario.load());
        LoadJob job =
                Objects.requireNonNull(cell.job)
                        .lasting(scenario.load().requests(), millis, millis + GRACE_MILLIS);
        RoundResult round =
                scenario.metric() == Metric.KNEE
                        ? ramp(cell, job, number)
                        : measure(cell, job, number);
        cell.rounds.add(round);
        if (progress.isLive()) {
            progress.table(TextReport.live(result()));
            if (!round.objection().isEmpty()) {
                progress.done("%s: not counted: %s", cell.spec.name(), round.objection());
            }
            return;
        }
        progress.done(
                "%-10s round %d  %-32s %9.0f req/s  %.4f CPU-s/10k%s%s",
                scenario.id(),
                number,
                cell.spec.name(),
                round.load().perSecond(),
                round.cpuPer10k(),
                round.generatorBound() ? "  (generator was the limit)" : "",
                round.objection().isEmpty() ? "" : "  not counted: " + round.objection());
    }

    /// Counts system calls during a short piece of the same load, which is not measured: counting
    /// slows the servers.
    private void calls(Cell cell) throws IOException {
        List<RoundResult> good = cell.rounds.stream().filter(RoundResult::counts).toList();
        if (good.isEmpty()) {
            return;
        }
        RunningServer server = Objects.requireNonNull(cell.server);
        CallCounter counter = bench.calls().orElseThrow();
        long millis = Schedule.COUNTED_MILLIS * 2;
        LoadJob job = Objects.requireNonNull(cell.job).lasting(0, millis, millis + GRACE_MILLIS);
        if (scenario.metric() == Metric.KNEE) {
            job = job.at(Math.max(1, good.getLast().load().perSecond() / 2));
        }
        progress.now("%s: counting system calls of %s", scenario.id(), cell.spec.name());
        counter.attach(server.processes());
        Map<String, Map<String, Double>> counted = Map.of();
        LoadResult load;
        try {
            load = bench.generator().load(job, counter::begin, _ -> {}, counter::pause);
        } finally {
            counted = counter.end();
        }
        for (Map.Entry<String, Map<String, Double>> tier : counted.entrySet()) {
            Map<String, Double> perRequest = new LinkedHashMap<>();
            for (Map.Entry<String, Double> call : tier.getValue().entrySet()) {
                double count = call.getValue() / load.requests();
                if (count >= COUNT_LEAST) {
                    perRequest.put(call.getKey(), count);
                }
            }
            cell.calls.put(tier.getKey(), perRequest);
        }
    }

    /// Has the JVM of a server sampled under the same load, which is not measured.
    private void profile(Cell cell) throws IOException {
        RunningServer server = Objects.requireNonNull(cell.server);
        OptionalLong jvm = FlightRecording.jvm(server.processes().values());
        if (jvm.isEmpty() || cell.rounds.stream().noneMatch(RoundResult::counts)) {
            return;
        }
        progress.now("%s: samples of %s", scenario.id(), cell.spec.name());
        LoadJob job =
                Objects.requireNonNull(cell.job)
                        .lasting(0, PROFILED_MILLIS, PROFILED_MILLIS + GRACE_MILLIS);
        try (FlightRecording recording = bench.record(jvm.getAsLong())) {
            LoadResult _ = bench.generator().load(job, () -> {}, _ -> {}, () -> {});
            profiles.put(cell.spec.name(), recording.profile());
        } catch (IOException e) {
            notes.add("No samples of " + cell.spec.name() + ": " + e.getMessage());
        }
    }

    private RoundResult ramp(Cell cell, LoadJob job, int number) throws IOException {
        Ramp ramp =
                new Ramp(
                        rate -> measure(cell, job.at(rate), number),
                        () -> over.getAsBoolean() || (schedule.isOver() && number > 1));
        double limit = expected.getOrDefault(cell, 0.0);
        try {
            RoundResult round = ramp.run(Ramp.first(job.perSecond(), limit));
            if (ramp.isCut() && round.counts()) {
                return round.refused("the time was up before the limit was found");
            }
            expected.put(cell, round.load().perSecond() * 2);
            return round;
        } finally {
            cell.ramp.addAll(ramp.steps());
        }
    }

    private RoundResult measure(Cell cell, LoadJob job, int number) throws IOException {
        RunningServer server = Objects.requireNonNull(cell.server);
        UsageWindow window = new UsageWindow(bench, server);
        LoadResult load;
        try (Background _ = background(server, job, number)) {
            load =
                    bench.generator()
                            .load(
                                    job,
                                    window::open,
                                    answers ->
                                            progress.now(
                                                    "%s: %s, round %d, %d answers",
                                                    scenario.id(),
                                                    cell.spec.name(),
                                                    number,
                                                    answers),
                                    window::close);
            server.requireAlive();
        } catch (IOException e) {
            // Ctrl-C reaches the servers and the lab at the same time.
            LockSupport.parkNanos(CANCEL_NANOS);
            if (over.getAsBoolean()) {
                throw e;
            }
            cell.failure = String.valueOf(e.getMessage());
            progress.done("%s: %s failed: %s", scenario.id(), cell.spec.name(), cell.failure);
            load =
                    LoadResultBuilder.builder()
                            .errors(Map.of(cell.failure, 1L))
                            .course(Course.NONE)
                            .latency("")
                            .build();
        }
        return RoundResultBuilder.builder()
                .launch(launch)
                .number(number)
                .load(load)
                .tiers(window.used())
                .othersSeconds(window.othersSeconds())
                .behind(window.openedBeside(load.opened()))
                .timeWait(window.waiting())
                .objection(objection(load))
                .build();
    }

    /// The scenario's other load, already under way; none while warming up.
    private Background background(RunningServer server, LoadJob job, int number)
            throws IOException {
        if (scenario.beside().isEmpty() || number == 0) {
            return Background.NONE;
        }
        Scenario.Beside beside = scenario.beside().get();
        LoadJob other =
                beside.load()
                        .to(
                                beside.load().tls()
                                        ? server.setting().https()
                                        : server.setting().http(),
                                List.of(beside.page().path(server.features()).orElseThrow()),
                                server.setting().certificate().pem().toString())
                        .lasting(0, job.millis() + BESIDE_MILLIS, job.millisMax() + BESIDE_MILLIS);
        return Background.of(bench.otherGenerator(), other);
    }

    static String objection(LoadResult load) {
        if (load.requests() == 0) {
            return "no answer" + (load.errors().isEmpty() ? "" : ": " + load.errors());
        }
        return load.failed() > load.requests() * FAILED_MAX
                ? "requests failed: " + load.errors()
                : "";
    }
}
