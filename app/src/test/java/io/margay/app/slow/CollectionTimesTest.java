package io.margay.app.slow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.slow.CollectionTimes.Reading;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CollectionTimesTest {
    private static final long MS = 1_000_000;

    private static CollectionTimes times(Reading... readings) {
        Iterator<Reading> all = List.of(readings).iterator();
        CollectionTimes times = new CollectionTimes(all::next);
        for (Reading _ : readings) {
            times.tick();
        }
        return times;
    }

    private static Reading at(long millis, long stopped, long end) {
        return new Reading(millis * MS, stopped, end * MS);
    }

    @Test
    void collectionThatEndedBefore_doesNotCount_alsoWhereItWasReadLate() {
        CollectionTimes times = times(at(0, 0, 0), at(600, 400, 450), at(700, 400, 450));
        assertEquals(0, times.micros(500 * MS, 700 * MS));
        assertEquals(400_000, times.micros(0, 500 * MS));
    }

    @Test
    void collections_countOnceAndNoLongerThanTheRequest() {
        CollectionTimes times = times(at(0, 0, 0), at(100, 30, 90), at(200, 110, 195));
        assertEquals(110_000, times.micros(0, 300 * MS));
        assertEquals(80_000, times.micros(100 * MS, 300 * MS));
        assertEquals(20_000, times.micros(120 * MS, 140 * MS));
        assertEquals(0, times.micros(200 * MS, 300 * MS));
    }

    @Test
    void readingsWithoutCollections_displaceNone() {
        Reading[] many = new Reading[3_000];
        many[0] = at(0, 0, 0);
        for (int i = 1; i < many.length; i++) {
            many[i] = at(i, 1, 1);
        }
        assertEquals(1_000, times(many).micros(0, 3_000 * MS));
    }

    @Test
    void ring_forgetsTheOldest() {
        Reading[] many = new Reading[3_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = at(i, i, i);
        }
        assertEquals(2_047_000, times(many).micros(0, 3_000 * MS));
    }
}
