package io.margay.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.preset.Presets;
import io.margay.lab.preset.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How a run is fitted into its time.
final class ScheduleTest {
    private static final Pace PACE = new Pace(1, 6, 12, 6000, Pace.LONGER, 2000, 40_000, 0.03);
    private static final List<Scenario> SCENARIOS =
            Presets.find("heartbeat").orElseThrow().scenarios();

    private static Schedule schedule(double minutes) {
        Schedule schedule = new Schedule(PACE, minutes, System.nanoTime());
        SCENARIOS.forEach(it -> schedule.plan(it, 4, 4));
        return schedule;
    }

    @Test
    void withoutABound_thePaceIsThatWhichWasAskedFor() {
        Schedule schedule = schedule(0);
        schedule.begin(SCENARIOS.getFirst());
        assertFalse(schedule.isLateToStart());
        assertEquals(PACE, schedule.warmUp(4));
        assertEquals(PACE, schedule.rounds(SCENARIOS.getFirst(), 4, true));
        assertFalse(schedule.isOver());
        assertEquals("", schedule.words());
    }

    @Test
    void bound_isSharedByScenarios_andHoldsTheRoundsOfAll() {
        Schedule schedule = schedule(10);
        schedule.begin(SCENARIOS.getFirst());
        assertFalse(schedule.isLateToStart());
        Pace warm = schedule.warmUp(4);
        assertTrue(warm.warmUpMillisMax() < 15_000, warm.toString());
        Pace pace = schedule.rounds(SCENARIOS.getFirst(), 4, true);
        assertEquals(6, pace.roundsMin());
        double seconds = 4 * 6 * pace.roundMillis() / 1e3;
        assertTrue(seconds > 60 && seconds < 150, pace.toString());
        assertTrue(schedule.words().contains("fitted into 10 minutes"), schedule.words());
    }

    @Test
    void boundThatIsTooShort_leavesShortRounds_andIsOver() {
        Schedule schedule = schedule(0.01);
        schedule.begin(SCENARIOS.getFirst());
        assertTrue(schedule.isLateToStart());
        schedule.warmUp(4);
        Pace pace = schedule.rounds(SCENARIOS.getFirst(), 4, true);
        assertEquals(3, pace.roundsMin());
        assertEquals(400, pace.roundMillis());
        assertTrue(schedule.isOver());
    }
}
