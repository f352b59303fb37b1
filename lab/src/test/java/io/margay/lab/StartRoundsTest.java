package io.margay.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.Change;
import io.margay.lab.load.LoadJob;
import io.margay.lab.machine.Tools;
import io.margay.lab.preset.Page;
import io.margay.lab.preset.Scenario;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.MavenPeers;
import io.margay.lab.servers.kinds.Catalog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rounds that start a server anew, with the lab's own server of known cost.
@Tag("slow")
final class StartRoundsTest {
    private static final String SERVER = "known:a";
    private static final Page PAGE =
            new Page("known page", Map.of(Feature.KNOWN, "/"), Change.NEVER, "Heartbeat", false);

    private static final Pace PACE = new Pace(1, 2, 2, 500, 1, 500, 0, 0.1);

    @TempDir Path folder;

    private final Schedule schedule = new Schedule(PACE, 0, System.nanoTime());

    @Test
    void rounds_areStarts_upToTheFirstAnswer_orToTheEndOfALoad() throws IOException {
        try (Bench bench = bench()) {
            Cell started = measured(bench, LoadJob.closed(1, false, true), Metric.START, 2);
            assertEquals(List.of(1, 2), started.rounds.stream().map(RoundResult::launch).toList());
            for (RoundResult round : started.rounds) {
                assertTrue(round.counts(), round.toString());
                assertEquals(1, round.load().requests());
                // A JVM takes that much at least, and no start of it takes a minute.
                assertTrue(round.seconds() > 0.02 && round.seconds() < 60, round.toString());
                assertTrue(round.cpuSeconds() > 0.02, round.toString());
                assertTrue(round.residentMib() > 5, round.toString());
            }
            LoadJob hundred = LoadJob.closed(2, false, true).lasting(100, 0, 30_000);
            Cell loaded = measured(bench, hundred, Metric.MEMORY, 1);
            RoundResult round = loaded.rounds.getFirst();
            assertTrue(round.load().requests() >= 100, round.toString());
            assertTrue(round.residentMib() > 5, round.toString());
            assertFalse(loaded.checks.isEmpty(), "the answers were compared");
        }
    }

    @Test
    void roundsAfterALead_areOfServersStartedForThem() throws IOException {
        Scenario scenario =
                scenario(
                        LoadJob.rate(50, 2, false, true).lasting(0, 500, 0),
                        Metric.FRONT,
                        Duration.ofMillis(500));
        Set<Long> processes = new HashSet<>();
        try (Bench bench = bench()) {
            ScenarioRun run =
                    new ScenarioRun(
                            scenario,
                            List.of(Catalog.all().spec(SERVER)),
                            schedule,
                            bench,
                            folder,
                            new Progress(System.err, false),
                            () -> false);
            Cell cell = run.cells().getFirst();
            run.run(() ->
                    processes.addAll(
                            Objects.requireNonNull(cell.server).processes().values().stream()
                                    .flatMap(List::stream)
                                    .toList()));
            assertEquals("", cell.failure);
            assertEquals(2, processes.size(), "a process for each round");
            assertEquals(List.of(1, 2), cell.rounds.stream().map(RoundResult::launch).toList());
            for (RoundResult round : cell.rounds) {
                assertTrue(round.counts(), round.toString());
                // 50 a second for half a second: what came before the round is not counted.
                assertTrue(
                        round.load().requests() >= 15 && round.load().requests() <= 35,
                        round.toString());
                assertFalse(round.tiers().isEmpty(), round.toString());
            }
            assertNull(cell.server, "it has been stopped");
        }
    }

    private Bench bench() throws IOException {
        Tools tools = Tools.ofThisMachine(System.getenv());
        LabEnvironment here =
                new LabEnvironment(
                        folder,
                        Optional.empty(),
                        folder,
                        folder,
                        Path.of(System.getProperty("java.home")),
                        List.of("-Xmx64m", "-XX:+UseSerialGC"),
                        tools,
                        new MavenPeers(folder, tools),
                        Optional.empty());
        return new Bench(here, folder, folder, 0, 1, false);
    }

    private Cell measured(Bench bench, LoadJob load, Metric metric, int rounds) throws IOException {
        Scenario scenario = scenario(load, metric, Duration.ZERO);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Progress progress = new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), false);
        Cell cell = new Cell(Catalog.all().spec(SERVER));
        new StartRounds(scenario, schedule, bench, progress, () -> false)
                .run(List.of(cell), rounds, () -> assertNotNull(cell.server));
        assertEquals("", cell.failure, err.toString(StandardCharsets.UTF_8));
        assertNull(cell.server, "it has been stopped");
        return cell;
    }

    private static Scenario scenario(LoadJob load, Metric metric, Duration lead) {
        return Scenario.of("one", load, PAGE, List.of(SERVER), SERVER)
                .withTitle("one")
                .withMetric(metric)
                .withRest(Duration.ZERO)
                .withLead(lead);
    }
}
