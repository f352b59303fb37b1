package io.margay.gateway.simulation;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.gateway.simulation.ClusterPlan.Way;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The simulation at length, by `make simulation`: `-Dmargay.simulation.seeds` seeds, and what
/// there is to send in clusters of several sizes. The report is `target/simulation.md`.
final class ClusterSimulationSoak {
    private record Size(int gateways, int containers) {}

    private static final List<Size> SIZES =
            List.of(
                    new Size(2, 3),
                    new Size(2, 100),
                    new Size(10, 1_000),
                    new Size(30, 3_000),
                    new Size(100, 10_000));
    private static final int SECONDS = 15;

    private final StringBuilder report = new StringBuilder();

    private void tell(String format, Object... values) {
        report.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    @Test
    void clusters_ofManySeedsAndSizes_holdWhatTheyPromise() throws Exception {
        long seeds = Long.getLong("margay.simulation.seeds", 100_000);
        tell("| way | runs | stops | requests | none known | came to a killed one | violations |");
        tell("|---|---|---|---|---|---|---|");
        for (Way way : Way.values()) {
            Traffic all = new Traffic();
            for (long seed = 0; seed < seeds / 2; seed++) {
                ClusterSimulation cluster =
                        new ClusterSimulation(ClusterSimulationTest.plan(way, seed), seed);
                all.add(cluster.faulty(ClusterSimulationTest.FAULTY_MILLIS));
                assertNull(cluster.violation(), way + ", seed " + seed);
            }
            tell(
                    "| %s | %d | %d | %d | %d | %d | 0 |",
                    word(way), seeds / 2, all.stops, all.requests, all.unserved, all.refused);
        }
        tell("");
        tell("| gateways | containers | way | announcements/s | engine: commands/s, keys read/s |");
        tell("|---|---|---|---|---|");
        for (Size size : SIZES) {
            for (Way way : Way.values()) {
                ClusterPlan plan =
                        ClusterPlan.of(way, size.gateways, size.containers).withoutRequests();
                ClusterSimulation cluster = new ClusterSimulation(plan, 1);
                Traffic counted = cluster.quiet(SECONDS);
                assertNull(cluster.violation(), way + ", " + size);
                tell(
                        "| %d | %d | %s | %d | %d, %d |",
                        size.gateways,
                        size.containers,
                        word(way),
                        Math.round((double) counted.announcements / SECONDS),
                        Math.round((double) counted.commands / SECONDS),
                        Math.round((double) counted.keysRead / SECONDS));
            }
        }
        Files.writeString(Path.of("target", "simulation.md"), report);
    }

    private static String word(Way way) {
        return way.name().toLowerCase(Locale.ROOT);
    }
}
