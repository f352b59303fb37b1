package io.margay.lab.stats;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class WarmUpTest {
    @Test
    void costsThatFall_areNotWarm_untilFourAgree() {
        WarmUp warmUp = new WarmUp(0.05);
        for (double cost : new double[] {9, 4, 2, 1.5, 1.2, 1.03, 1.01}) {
            assertFalse(warmUp.add(cost, 0), "cost " + cost);
        }
        assertFalse(warmUp.add(1.0, 0));
        assertTrue(warmUp.add(1.0, 0));
    }

    @Test
    void sliceWithoutAnswers_isNeverWarm() {
        WarmUp warmUp = new WarmUp(0.05);
        for (int i = 0; i < 10; i++) {
            assertFalse(warmUp.add(0, 0));
        }
    }

    @Test
    void costsThatStandStill_areNotWarm_whileCodeIsCompiled() {
        WarmUp warmUp = new WarmUp(0.05);
        for (int i = 0; i < 10; i++) {
            assertFalse(warmUp.add(2.5, 0.3));
        }
        for (int i = 0; i < 3; i++) {
            assertFalse(warmUp.add(1, 0.01));
        }
        assertTrue(warmUp.add(1, 0.01));
    }
}
