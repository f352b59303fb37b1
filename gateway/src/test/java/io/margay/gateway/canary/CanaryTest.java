package io.margay.gateway.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.canary.CanaryConfig.Step;
import io.margay.gateway.canary.CanaryConfig.Stop;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CanaryTest {
    private static final int SESSIONS = 100_000;
    private static final int FEW = 10_000;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private static final CanaryConfig STEPS =
            CanaryConfig.of("next")
                    .withSteps(
                            List.of(
                                    new Step(5, Duration.ofMinutes(10)),
                                    new Step(25, Duration.ofMinutes(10)),
                                    new Step(50, Duration.ZERO)));

    private long now = 5;

    private Canary canary(CanaryConfig config) {
        return new Canary("shop", config, () -> now);
    }

    private static BitSet taken(Canary canary, int sessions) {
        BitSet taken = new BitSet(sessions);
        for (int i = 0; i < sessions; i++) {
            taken.set(i, canary.takes("session " + i));
        }
        return taken;
    }

    private static void assertShare(double share, BitSet taken) {
        assertEquals(share, (double) taken.cardinality() / SESSIONS, 0.005);
    }

    private static void assertHalf(BitSet taken) {
        assertEquals(0.5, (double) taken.cardinality() / FEW, 0.02);
    }

    @Test
    void sessions_changeSidesAtStepsAlone_andOnlyToTheNewVersion() {
        Canary canary = canary(STEPS);
        BitSet before = taken(canary, SESSIONS);
        assertShare(0.05, before);
        now += 10 * MINUTE - 1;
        assertEquals(before, taken(canary, SESSIONS), "the step is not over");
        now += 1;
        BitSet then = taken(canary, SESSIONS);
        assertShare(0.25, then);
        BitSet back = (BitSet) before.clone();
        back.andNot(then);
        assertTrue(back.isEmpty(), "none goes back");
        now += 10 * MINUTE;
        assertHalf(taken(canary, FEW));
        now += 1_000 * MINUTE;
        assertHalf(taken(canary, FEW));
    }

    @Test
    void sides_areTheSameAtAllGatewaysOfASecret_andOthersByAnother() {
        CanaryConfig half = STEPS.withSteps(List.of(new Step(50, Duration.ZERO)));
        BitSet one = taken(canary(half.withSecret("a secret")), FEW);
        assertEquals(one, taken(canary(half.withSecret("a secret")), FEW));
        assertNotEquals(one, taken(canary(half.withSecret("another")), FEW));
    }

    @Test
    void lastStepThatEnds_givesItAll_andNothingIsNone() {
        Canary canary = canary(STEPS.withSteps(List.of(new Step(1, Duration.ofMinutes(1)))));
        now += MINUTE;
        assertEquals(1, canary.share());
        assertTrue(canary.takes("any"));
        assertFalse(canary(STEPS.withSteps(List.of(new Step(0, Duration.ZERO)))).takes("any"));
    }

    /// Also a crash must not have a bad version come back.
    @Test
    void nextProcess_goesOnWhereThisOneIs() throws IOException {
        CanaryConfig config = STEPS.withStop(new Stop(1, 0));
        Canary canary = canary(config);
        now += 11 * MINUTE;
        long second = canary.revision();
        Canary next = canary(config);
        handOver(canary, next);
        assertEquals(0.25, next.share());
        for (int i = 0; i < 100; i++) {
            canary.answered(true, 500, 10);
            canary.answered(false, 200, 10);
        }
        assertEquals(0, canary.share());
        assertTrue(canary.revision() > second, "it is written before the process ends");
        String why = canary.read().stopped();
        assertTrue(why != null && why.contains("1 % more of its answers fail"), why);
        Canary after = canary(config);
        handOver(canary, after);
        assertEquals(0, after.share());
        assertEquals(why, after.read().stopped());
        assertEquals(canary.name(), after.name());
        assertNotEquals(canary.name(), canary(STEPS).name(), "another one begins anew");
    }

    private static void handOver(Canary from, Canary to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        from.write(new DataOutputStream(bytes));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        to.read(in, Duration.ZERO);
        assertEquals(-1, in.read(), "all of it is read");
    }
}
