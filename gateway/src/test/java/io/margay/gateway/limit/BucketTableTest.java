package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Token buckets in a table of a fixed size.
final class BucketTableTest {
    private static final long INTERVAL = 100;
    private static final int BURST = 5;

    private final BucketTable table = new BucketTable(INTERVAL, BURST, 1024);

    @Test
    void burst_isTakenAtOnce_andThenOneInEachInterval() {
        long now = 1_000_000;
        for (int i = 0; i < BURST; i++) {
            assertEquals(0, table.take(7, now, 0));
        }
        assertEquals(INTERVAL, table.take(7, now, 0));
        assertEquals(1, table.take(7, now + INTERVAL - 1, 0));
        assertEquals(0, table.take(7, now + INTERVAL, 0));
        assertEquals(INTERVAL, table.take(7, now + INTERVAL, 0));
        assertEquals(0, table.take(8, now, 0), "another key");
        long later = now + 1_000 * INTERVAL;
        for (int i = 0; i < BURST; i++) {
            assertEquals(0, table.take(7, later, 0), "full again, and not fuller");
        }
        assertEquals(INTERVAL, table.take(7, later, 0));
    }

    @Test
    void whoWaits_takesAPlaceInLine_andWhoDoesNotTakesNone() {
        for (int i = 0; i < BURST; i++) {
            assertEquals(0, table.take(7, 0, 0));
        }
        assertEquals(INTERVAL, table.take(7, 0, 2 * INTERVAL));
        assertEquals(2 * INTERVAL, table.take(7, 0, 2 * INTERVAL));
        assertEquals(3 * INTERVAL, table.take(7, 0, 2 * INTERVAL));
        assertEquals(3 * INTERVAL, table.take(7, 0, 2 * INTERVAL), "nothing was taken");
        assertEquals((BURST + 2) * INTERVAL, table.untilFull(7, 0));
    }

    @Test
    void table_ofAnotherProcess_isTakenOver_lessTheTimeBetween() throws IOException {
        for (int i = 0; i < BURST; i++) {
            assertEquals(0, table.take(7, 1_000_000, 0));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.write(new DataOutputStream(bytes), 1_000_000);
        BucketTable next = new BucketTable(INTERVAL, BURST, 1024);
        for (int i = 0; i < 2; i++) { // Twice is as once.
            byte[] written = bytes.toByteArray();
            next.read(new DataInputStream(new ByteArrayInputStream(written)), 50, INTERVAL);
        }
        assertEquals(0, next.take(7, 50, 0), "there was room for one meanwhile");
        assertEquals(INTERVAL, next.take(7, 50, 0));
        assertEquals(BURST, next.left(8, 50));
        byte[] cut = Arrays.copyOf(bytes.toByteArray(), 12);
        assertThrows(
                EOFException.class,
                () -> next.read(new DataInputStream(new ByteArrayInputStream(cut)), 50, 0));
    }

    @Test
    void clock_thatOverflows_changesNothing() {
        long now = Long.MAX_VALUE - INTERVAL / 2;
        for (int i = 0; i < BURST; i++) {
            assertEquals(0, table.take(7, now, 0));
        }
        assertEquals(INTERVAL, table.take(7, now, 0));
        assertEquals(0, table.take(7, now + INTERVAL, 0));
    }

    @Test
    void millionKeys_holdNoMoreMemory_andDoNotFreeWhoHasAskedForMuch() {
        Random random = new Random(11);
        long attacker = random.nextLong();
        for (int i = 0; i < BURST; i++) {
            table.take(attacker, 0, 0);
        }
        for (int i = 0; i < 1_000_000; i++) {
            table.take(random.nextLong(), 0, 0);
        }
        assertTrue(table.forgotten() > 990_000, () -> table.forgotten() + " forgotten");
        assertEquals(INTERVAL, table.take(attacker, 0, 0));
    }

    @Test
    void millionKeys_thatComeInTime_areAllRemembered() {
        BucketTable large = new BucketTable(INTERVAL, BURST, 65_536);
        SplittableRandom random = new SplittableRandom(12);
        // 10 000 at a time owe something; the places of the others are free again.
        for (int i = 0; i < 1_000_000; i++) {
            large.take(random.nextLong(), i * INTERVAL / 10_000, 0);
        }
        assertTrue(large.forgotten() < 200, () -> large.forgotten() + " forgotten");
    }
}
