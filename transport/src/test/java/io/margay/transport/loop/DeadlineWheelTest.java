package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DeadlineWheelTest {
    private static final long TICK = DeadlineWheel.TICK_NANOS;
    private static final long START = 1_000_000_007L;

    private final List<String> fired = new ArrayList<>();
    private final DeadlineWheel wheel = new DeadlineWheel(START);

    private DeadlineWheel.Entry entry(String name, long deadline, long now) {
        DeadlineWheel.Entry entry = new DeadlineWheel.Entry(() -> fired.add(name));
        if (entry.move(deadline)) {
            wheel.schedule(entry, now);
        }
        return entry;
    }

    @Test
    void deadline_passed_firesOnceWithinATick() {
        entry("a", START + 10 * TICK + 1, START);
        wheel.expire(START + 10 * TICK);
        assertEquals(List.of(), fired);
        wheel.expire(START + 11 * TICK + 1);
        wheel.expire(START + 2000 * TICK);
        assertEquals(List.of("a"), fired);
        assertEquals(-1, wheel.delayNanos(START + 2000 * TICK));
    }

    /// A thread that was kept from running sets a deadline that has passed long before.
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void deadline_longPassedWhenSet_firesAtTheNextTick() {
        long now = START + 100 * TICK;
        wheel.expire(now);
        entry("a", START + 3 * TICK, now);
        assertEquals(List.of(), fired);
        wheel.expire(now + TICK);
        assertEquals(List.of("a"), fired);
        assertEquals(-1, wheel.delayNanos(now + TICK));
    }

    @Test
    void deadline_movedLater_needsNoScheduling() {
        DeadlineWheel.Entry a = entry("a", START + 10 * TICK, START);
        assertFalse(a.move(START + 30 * TICK));
        wheel.expire(START + 20 * TICK);
        assertEquals(List.of(), fired);
        wheel.expire(START + 31 * TICK);
        assertEquals(List.of("a"), fired);
    }

    /// The only one, moved further ahead than the wheel reaches, and looked at a tick late: its new
    /// slot must not be the one that is being emptied.
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void deadline_beyondTheWheel_lookedAtATickLate_staysInIt() {
        DeadlineWheel.Entry a = entry("a", START + 600 * TICK, START);
        assertFalse(a.move(START + 1200 * TICK));
        wheel.expire(START + 512 * TICK);
        assertEquals(List.of(), fired);
        wheel.expire(START + 1199 * TICK);
        assertEquals(List.of(), fired);
        wheel.expire(START + 1200 * TICK);
        assertEquals(List.of("a"), fired);
    }

    /// The same for one that the action of another sets.
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void deadline_beyondTheWheel_setByAnActionATickLate_staysInIt() {
        DeadlineWheel.Entry[] self = new DeadlineWheel.Entry[1];
        self[0] =
                new DeadlineWheel.Entry(() -> {
                    fired.add("again");
                    if (fired.size() == 1 && self[0].move(START + 2000 * TICK)) {
                        wheel.schedule(self[0], START + 512 * TICK);
                    }
                });
        assertTrue(self[0].move(START + 511 * TICK));
        wheel.schedule(self[0], START);
        wheel.expire(START + 512 * TICK);
        wheel.expire(START + 2000 * TICK);
        assertEquals(List.of("again", "again"), fired);
    }

    @Test
    void deadline_movedEarlier_needsScheduling() {
        DeadlineWheel.Entry a = entry("a", START + 100 * TICK, START);
        assertTrue(a.move(START + 5 * TICK));
        wheel.schedule(a, START);
        wheel.expire(START + 6 * TICK);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void deadline_setToNever_leavesTheWheelAtItsNextLook() {
        DeadlineWheel.Entry a = entry("a", START + 10 * TICK, START);
        assertFalse(a.move(Connection.NEVER));
        wheel.expire(START + 11 * TICK);
        assertEquals(-1, wheel.delayNanos(START + 11 * TICK));
        assertTrue(a.move(START + 20 * TICK));
        wheel.schedule(a, START + 11 * TICK);
        wheel.expire(START + 21 * TICK);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void deadline_beyondTheHorizon_firesInTime() {
        entry("a", START + 5000 * TICK, START);
        for (long now = START; now < START + 4999 * TICK; now += wheel.delayNanos(now)) {
            wheel.expire(now);
            assertEquals(List.of(), fired);
        }
        wheel.expire(START + 5001 * TICK);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void action_movesAndCancelsOthersOfItsSlot_allAreKept() {
        DeadlineWheel.Entry[] others = new DeadlineWheel.Entry[3];
        DeadlineWheel.Entry first =
                new DeadlineWheel.Entry(() -> {
                    fired.add("first");
                    others[0].move(START + 50 * TICK);
                    wheel.schedule(others[0], START + 11 * TICK);
                    wheel.cancel(others[1]);
                });
        for (int i = 0; i < others.length; i++) {
            others[i] = entry("other " + i, START + 10 * TICK, START);
        }
        first.move(START + 10 * TICK);
        wheel.schedule(first, START);
        wheel.expire(START + 11 * TICK);
        assertEquals(List.of("first", "other 2"), fired);
        wheel.expire(START + 51 * TICK);
        assertEquals(List.of("first", "other 2", "other 0"), fired);
    }

    @Test
    void deadlinesOfOneMoment_fireInPortionsWithoutDelay() {
        int count = 3 * DeadlineWheel.ACTIONS_MAX + 1;
        for (int i = 0; i < count; i++) {
            entry("entry", START + 10 * TICK, START);
        }
        entry("later", START + 12 * TICK, START);
        long now = START + 12 * TICK;
        for (int i = 1; i <= 3; i++) {
            wheel.expire(now);
            assertEquals(i * DeadlineWheel.ACTIONS_MAX, fired.size());
            assertEquals(1, wheel.delayNanos(now), "there are more");
        }
        entry("passed", START, now);
        wheel.expire(now);
        assertEquals(count + 2, fired.size());
        assertTrue(fired.contains("later") && fired.contains("passed"));
        assertEquals(-1, wheel.delayNanos(now));
    }

    @Test
    void randomDeadlines_eachFiresWithin100Millis() {
        long seed = 20261120;
        Random random = new Random(seed);
        int count = 2000;
        long[] due = new long[count];
        long[] at = new long[count];
        long[] now = {START};
        for (int i = 0; i < count; i++) {
            int number = i;
            due[i] = START + (long) (random.nextDouble() * 3000 * TICK);
            DeadlineWheel.Entry entry = new DeadlineWheel.Entry(() -> at[number] = now[0]);
            if (entry.move(due[i])) {
                wheel.schedule(entry, START);
            }
        }
        while (wheel.delayNanos(now[0]) >= 0) {
            now[0] += wheel.delayNanos(now[0]);
            wheel.expire(now[0]);
        }
        for (int i = 0; i < count; i++) {
            long late = at[i] - due[i];
            assertTrue(late >= 0 && late <= 2 * TICK, "seed " + seed + ": late by " + late);
        }
    }
}
