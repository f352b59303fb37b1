package io.margay.gateway.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.canary.CanaryConfig.Step;
import io.margay.gateway.canary.CanaryConfig.Stop;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a bad version costs clients, in fifty runs of the steps of `margay move` by a clock of the
/// test: 50 requests a second, of which 1 in 200 fails in the old version, too.
final class CanaryBudgetTest {
    private static final int RUNS = 50;
    private static final int CLIENTS = 100_000;
    private static final double USUAL = 0.005;
    private static final long REQUEST = Duration.ofMillis(20).toNanos();
    private static final CanaryConfig STEPS =
            CanaryConfig.of("next")
                    .withStop(new Stop(1, 0))
                    .withSteps(
                            List.of(
                                    new Step(1, Duration.ofMinutes(10)),
                                    new Step(10, Duration.ofMinutes(10)),
                                    new Step(50, Duration.ofMinutes(10))));

    private long now;

    /// How a run has ended.
    ///
    /// @param errors that clients got of the new version
    private record Run(Canary canary, int errors) {}

    private Run run(int seed, double fails) {
        Random random = new Random(seed);
        now = seed;
        Canary canary = new Canary("shop", STEPS, () -> now);
        int errors = 0;
        while (canary.share() > 0 && canary.share() < 1) {
            now += REQUEST;
            boolean fresh = canary.takes("client " + random.nextInt(CLIENTS));
            boolean failed = random.nextDouble() < (fresh ? fails : USUAL);
            errors += fresh && failed ? 1 : 0;
            canary.answered(fresh, failed ? 500 : 200, 1_000);
        }
        return new Run(canary, errors);
    }

    /// @param most errors that clients get until then
    @ParameterizedTest
    @CsvSource({"1, 25", "0.5, 25", "0.2, 30", "0.1, 50", "0.05, 120"})
    void badVersion_isTakenBack_withinItsErrors_inEachRun(double fails, int most) {
        for (int seed = 1; seed <= RUNS; seed++) {
            Run run = run(seed, fails);
            int of = seed;
            assertNotNull(run.canary.read().stopped(), () -> "run " + of);
            assertTrue(run.errors <= most, () -> run.errors + " errors in run " + of);
            assertFalse(run.canary.takes("any"));
            assertEquals(0, run.canary.share());
        }
    }

    @Test
    void versionThatDoesAsTheOldOne_getsAllClients_inEachRun() {
        for (int seed = 1; seed <= RUNS; seed++) {
            Run run = run(seed, USUAL);
            assertNull(run.canary.read().stopped());
            assertEquals(1, run.canary.share());
        }
    }
}
