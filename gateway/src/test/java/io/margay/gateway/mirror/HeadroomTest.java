package io.margay.gateway.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// When requests are compared, and when the processors are left to clients.
final class HeadroomTest {
    private long now = -5;
    private double load;
    private int reads;
    private final Headroom room = new Headroom(75, this::load, () -> now);

    private double load() {
        reads++;
        return load;
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void load_isReadFiveTimesASecond() {
        for (int i = 0; i < 1_000; i++) {
            assertTrue(room.isThere());
            pass(1);
        }
        assertEquals(5, reads);
    }

    @Test
    void busyProcessors_leaveATenthOfTheTime() {
        load = 0.76;
        int compared = 0;
        for (int i = 0; i < 10_000; i++) {
            boolean may = room.isThere() && room.begin();
            pass(1);
            if (may) {
                compared++;
                room.ended();
            }
        }
        assertEquals(1_000, compared);
    }

    @Test
    void busyProcessors_compareOneAtATime_andEverySecond() {
        load = 1;
        assertTrue(room.isThere());
        assertTrue(room.begin());
        assertFalse(room.isThere());
        assertFalse(room.begin(), "another request has ended meanwhile");
        pass(30_000);
        room.ended();
        pass(999);
        assertFalse(room.isThere());
        pass(1);
        assertTrue(room.isThere());
        assertTrue(room.begin());
        load = 0.75;
        pass(200);
        assertTrue(room.isThere());
        assertTrue(room.begin());
    }

    @Test
    void unknownLoad_isNone() {
        load = -1;
        assertTrue(room.isThere());
    }
}
