package io.margay.lab.preset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.Samples;
import io.margay.lab.result.ScenarioResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the preset says of its targets.
final class BootTest {
    private static final LoadJob LOAD = LoadJob.closed(1, false, true);

    private static ScenarioResult scenario(
            String id, Metric metric, CellResult tomcat, CellResult margay) {
        return new ScenarioResult(id, id, LOAD, metric, tomcat.server(), List.of(tomcat, margay));
    }

    @Test
    void targets_areMetOrMissed_surelyOrNot() {
        CellResult tomcat = Samples.cell("boot:tomcat", 0, 1, 1, 1, 1, 1, 1);
        CellResult margay = Samples.cell("boot:margay", 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5);
        CellResult wide = Samples.cell("boot:margay", 0, 0.3, 0.9, 0.5, 0.5, 0.7, 0.55);
        RunResult run =
                Samples.run(tomcat, margay)
                        .with(
                                List.of(
                                        scenario("json", Metric.CPU, tomcat, margay),
                                        scenario("page", Metric.CPU, tomcat, wide),
                                        scenario(
                                                "start",
                                                Metric.START,
                                                Samples.started("boot:tomcat", 100, 100),
                                                Samples.started("boot:margay", 95, 93))));
        assertEquals(
                List.of(
                        "json: CPU per request of boot:margay 0.50 of boot:tomcat's"
                                + " (0.50 to 0.50, n = 6); target 0.6: met.",
                        "page: CPU per request of boot:margay 0.53 of boot:tomcat's"
                                + " (0.30 to 0.90, n = 6); target 0.6: met, not surely.",
                        "start: time to the first answer of boot:margay 0.94 of boot:tomcat's"
                                + " (0.93 to 0.95, n = 2); target 0.9: missed.",
                        "start: CPU of the start of boot:margay 0.94 of boot:tomcat's"
                                + " (0.93 to 0.95, n = 2); target 0.9: missed.",
                        "start: memory when idle of boot:margay 0.94 of boot:tomcat's"
                                + " (0.93 to 0.95, n = 2); target 0.7: missed."),
                new Boot().why(run));
    }

    /// A rough run has no time for more.
    @Test
    void quickRun_hasTheCostOfARequestAndTheStarts() {
        assertEquals(
                List.of("json", "start"),
                new Boot().scenarios().stream().filter(Scenario::quick).map(Scenario::id).toList());
    }
}
