package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Sliding windows in a table of a fixed size.
final class WindowTableTest {
    private static final long WINDOW = 1_000;
    private static final int MAX = 10;
    private static final long START = 1_000_000_000;

    private final WindowTable table = new WindowTable(MAX, WINDOW, 1024, START);

    @Test
    void window_takesItsNumber_andTheNextOneByWhatItStillCovers() {
        for (int i = 0; i < MAX; i++) {
            assertEquals(MAX - i, table.left(7, START));
            assertEquals(0, table.take(7, START, 0));
        }
        long wait = table.take(7, START, 0);
        assertTrue(wait > WINDOW && wait <= WINDOW + WINDOW / MAX + 1, () -> wait + " to wait");
        assertEquals(0, table.take(8, START, 0), "another key");
        assertEquals(0, table.take(7, START + wait, 0), "it was worth waiting so long");
        assertTrue(table.take(7, START + wait, 0) > 0);
        int half = 0;
        while (table.take(7, START + WINDOW + WINDOW / 2, 0) == 0) {
            half++;
        }
        assertEquals(MAX / 2 - 1, half, "half of what came before counts, and the one just now");
        assertEquals(MAX, table.left(7, START + 3 * WINDOW));
        assertEquals(0, table.untilFull(7, START + 3 * WINDOW));
    }

    @Test
    void table_ofAnotherProcess_isTakenOver_asFarAsItStillCounts() throws IOException {
        for (int i = 0; i < MAX; i++) {
            assertEquals(0, table.take(7, START, 0));
        }
        assertEquals(0, takenOver(0).left(7, 5));
        assertEquals(0, takenOver(WINDOW).left(7, 5), "all of it is in the window before");
        assertEquals(MAX, takenOver(2 * WINDOW).left(7, 5));
        assertEquals(MAX, takenOver(0).left(8, 5));
    }

    private WindowTable takenOver(long since) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.write(new DataOutputStream(bytes), START);
        WindowTable next = new WindowTable(MAX, WINDOW, 1024, 5);
        next.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), 5, since);
        return next;
    }

    @Test
    void anyWindow_hasNoMoreThanItsNumber_byMuch() {
        SplittableRandom random = new SplittableRandom(3);
        long[] taken = new long[10_000];
        int count = 0;
        for (long now = START; now < START + 40 * WINDOW; now += random.nextLong(40)) {
            if (table.take(7, now, 0) == 0) {
                taken[count++] = now - START;
            }
        }
        for (int from = 0, to = 0; to < count; to++) {
            while (taken[from] <= taken[to] - WINDOW) {
                from++;
            }
            int within = to - from + 1;
            assertTrue(within <= MAX + MAX / 5 + 1, () -> within + " in one window");
        }
        assertTrue(count > 30 * MAX, "and about its number in each");
    }

    @Test
    void whoWaits_isCounted_andWhoDoesNotIsNot() {
        for (int i = 0; i < MAX; i++) {
            assertEquals(0, table.take(7, START, 0));
        }
        long first = table.take(7, START, 2 * WINDOW);
        long second = table.take(7, START, 2 * WINDOW);
        assertTrue(first < second, () -> first + ", " + second);
        long third = table.take(7, START, 0);
        assertEquals(third, table.take(7, START, 0));
    }

    @Test
    void millionKeys_holdNoMoreMemory_andDoNotFreeWhoHasAskedForMuch() {
        Random random = new Random(11);
        long attacker = random.nextLong();
        for (int i = 0; i < MAX; i++) {
            table.take(attacker, START, 0);
        }
        for (int i = 0; i < 1_000_000; i++) {
            table.take(random.nextLong(), START, 0);
        }
        assertTrue(table.forgotten() > 990_000, () -> table.forgotten() + " forgotten");
        assertTrue(table.take(attacker, START, 0) > 0);
    }
}
