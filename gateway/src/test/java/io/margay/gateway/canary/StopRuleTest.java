package io.margay.gateway.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.canary.CanaryConfig.Stop;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `docs/guide/canary.md` says of how soon bad versions are taken back, and how seldom good
/// ones.
final class StopRuleTest {
    private static final int RUNS = 50;
    private static final double USUAL_MICROS = 20_000;

    /// What a version does.
    ///
    /// @param failing part of its answers that fail
    /// @param slower times the usual time
    private record Version(double failing, double slower) {}

    private static final Version OLD = new Version(0.01, 1);

    /// Answers of both versions at random, by a share.
    ///
    /// @return how many answers of the new version there were when it was taken back; 0 = it was
    ///   not
    private static int run(StopRule rule, Version fresh, double share, int answers, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int ofNew = 0;
        while (ofNew < answers) {
            boolean isNew = random.nextDouble() < share;
            Version version = isNew ? fresh : OLD;
            ofNew += isNew ? 1 : 0;
            boolean failed = random.nextDouble() < version.failing;
            double micros = USUAL_MICROS * version.slower * Math.exp(random.nextGaussian() / 2);
            if (rule.add(isNew, failed, (long) micros) != null) {
                return ofNew;
            }
        }
        return 0;
    }

    @ParameterizedTest
    @CsvSource({
        "0.50, 1, 0.05, 60",
        "0.10, 1, 0.05, 600",
        "0.05, 1, 0.05, 2500",
        "0.10, 1, 0.50, 1000",
        "0.01, 3, 0.05, 300",
        "0.01, 2, 0.05, 2000",
    })
    void badVersion_isTakenBack_withinItsBudget(
            double failing, double slower, double share, int budget) {
        for (int seed = 0; seed < RUNS; seed++) {
            StopRule rule = new StopRule(new Stop(1, 1.5));
            int run = run(rule, new Version(failing, slower), share, budget, seed);
            assertTrue(run > 0, "run " + seed + " went on");
        }
    }

    /// 200 canaries of 1000 answers each, of which two may be taken back.
    @Test
    void goodVersion_isTakenBack_noMoreOftenThanPromised() {
        int taken = 0;
        for (int seed = 0; seed < 200; seed++) {
            StopRule rule = new StopRule(new Stop(0, 1));
            taken += run(rule, OLD, 0.5, 1000, seed) > 0 ? 1 : 0;
        }
        int most = taken;
        assertTrue(taken <= 200 * StopRule.RISK, () -> most + " of 200");
    }

    @Test
    void whatBothDependOn_isNobodysFault() {
        StopRule rule = new StopRule(new Stop(1, 1.5));
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            boolean outage = i / 1000 % 2 == 1;
            boolean failed = outage && random.nextDouble() < 0.9;
            long micros = outage ? 900_000 : 20_000;
            assertEquals(null, rule.add(random.nextDouble() < 0.05, failed, micros));
        }
    }

    /// What was good for long does not speak for what has become bad.
    @Test
    void versionThatBecomesBad_isTakenBackSoon() {
        StopRule rule = new StopRule(new Stop(1, 1.5));
        assertEquals(0, run(rule, OLD, 0.5, 50_000, 1));
        int run = run(rule, new Version(0.5, 1), 0.05, 2000, 2);
        assertTrue(run > 0 && run < 150, () -> "after " + run + " answers");
    }
}
