package io.margay.server.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RecentDurationsTest {
    private final RecentDurations durations = new RecentDurations();

    private long[] read(boolean forget) {
        long[] sums = new long[RecentDurations.STEPS];
        durations.read(sums, forget);
        return sums;
    }

    @Test
    void step_ofEveryDuration_isOfASixteenthAboutIt() {
        int before = -1;
        for (long micros = 0; micros < 1L << 30; micros += 1 + micros / 64) {
            int step = RecentDurations.step(micros);
            assertTrue(step >= before && step < RecentDurations.STEPS, "" + micros);
            assertEquals(micros, RecentDurations.middle(step), micros / 16.0);
            before = step;
        }
        assertEquals(RecentDurations.STEPS - 1, RecentDurations.step((1L << 30) - 1));
    }

    @Test
    void quantiles_ofManyDurations_areThoseOfAllOfThem() {
        durations.watch(true);
        Random chance = new Random(7);
        long[] micros = chance.longs(20_000, 1, 5_000_000).sorted().toArray();
        for (long each : micros) {
            assertTrue(durations.count(each * 1_000));
        }
        for (double share : new double[] {0.5, 0.9, 0.99, 0.999, 1}) {
            double exact = micros[(int) Math.ceil(micros.length * share) - 1] / 1e6;
            assertEquals(
                    exact, RecentDurations.quantile(read(false), share), exact / 16, "" + share);
        }
    }

    @Test
    void durations_outsideOfWhatIsCountedApart_countAsTheNearest() {
        durations.watch(true);
        assertTrue(durations.count(-5));
        assertTrue(durations.count(Long.MAX_VALUE));
        long[] sums = read(false);
        assertEquals(1, sums[0]);
        assertEquals(1, sums[RecentDurations.STEPS - 1]);
    }

    @Test
    void read_thatForgets_leavesNothing() {
        durations.watch(true);
        assertTrue(durations.count(1_000_000));
        assertEquals(1, Arrays.stream(read(true)).sum());
        assertEquals(0, Arrays.stream(read(false)).sum());
        assertEquals(0, RecentDurations.quantile(read(false), 0.99));
    }

    @Test
    void unwatched_countsNothing() {
        assertFalse(durations.count(1_000));
        durations.watch(true);
        assertTrue(durations.count(1_000));
        durations.watch(false);
        assertFalse(durations.count(1_000));
        assertEquals(0, Arrays.stream(read(false)).sum());
    }
}
