package io.margay.lab.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.lab.stats.RateCurve.Warmth;
import org.junit.jupiter.api.Test;

final class RateCurveTest {
    private static final double STEP = 0.1;

    /// A server that is busy all the time: a tenth of its final rate for so long, then all of it.
    private static RateCurve curve(int slow, int all) {
        RateCurve curve = new RateCurve();
        long answers = 0;
        for (int i = 1; i <= all; i++) {
            answers += i <= slow ? 100 : 1000;
            curve.add(i * STEP, answers, i * STEP);
        }
        return curve;
    }

    @Test
    void slowBeginning_isWarm_whereTheFinalRateBegins() {
        Warmth warmth = curve(20, 120).warmth();
        assertEquals(2.0, warmth.seconds(), 1e-9);
        assertEquals(2000, warmth.requests());
        assertEquals(2.0, warmth.cpuSeconds(), 1e-9);
        assertEquals(10_000, warmth.finalPerSecond(), 1e-6);
        assertEquals(1.0, warmth.finalCpu(), 1e-9);
    }

    @Test
    void timeBeyondTheFinalCost_isThatOfTheSlowBeginning() {
        // 2 s for 2 000 requests that cost 0.2 s at the end.
        assertEquals(1.8, curve(20, 120).warmth().beyondSeconds(), 1e-9);
    }

    @Test
    void evenRate_isWarmFromTheFirstRequest() {
        Warmth warmth = curve(0, 60).warmth();
        assertEquals(0, warmth.seconds());
        assertEquals(0, warmth.requests());
        assertEquals(0, warmth.beyondSeconds(), 1e-9);
    }

    @Test
    void oneFastMoment_isNotWarm() {
        RateCurve curve = new RateCurve();
        long answers = 0;
        for (int i = 1; i <= 90; i++) {
            answers += i == 3 || i > 30 ? 1000 : 100;
            curve.add(i * STEP, answers, i * STEP);
        }
        assertEquals(3.0, curve.warmth().seconds(), 1e-9);
    }

    @Test
    void shortOrSilentCurve_saysNothing() {
        assertThrows(IllegalStateException.class, new RateCurve()::warmth);
        assertThrows(IllegalStateException.class, curve(0, 10)::warmth);
        RateCurve silent = new RateCurve();
        for (int i = 1; i <= 60; i++) {
            silent.add(i * STEP, 0, i * STEP);
        }
        assertThrows(IllegalStateException.class, silent::warmth);
    }
}
