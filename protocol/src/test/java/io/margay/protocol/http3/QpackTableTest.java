package io.margay.protocol.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class QpackTableTest {
    private static final class Entry implements QpackTable.Sized {
        private final int bytes;

        Entry(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public int bytes() {
            return bytes;
        }
    }

    @Test
    void entries_areFoundByNumber_asLongAsThereIsRoom() {
        Random random = new Random(1);
        QpackTable<Entry> table = new QpackTable<>();
        table.capacity(4_096);
        List<Entry> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            if (i % 500 == 499) {
                table.capacity(random.nextInt(4_097));
            }
            Entry entry = new Entry(32 + random.nextInt(i % 1_000 < 500 ? 1 : 900));
            if (table.add(entry)) {
                all.add(entry);
            } else {
                assertTrue(entry.bytes > table.capacity());
            }
            assertEquals(all.size(), table.inserted());
            long held = 0;
            for (long number = table.oldest(); number < table.inserted(); number++) {
                assertTrue(table.has(number));
                assertSame(all.get((int) number), table.get(number));
                held += table.get(number).bytes;
            }
            assertEquals(held, table.size());
            assertTrue(held <= table.capacity());
            assertFalse(table.has(table.oldest() - 1));
            assertFalse(table.has(table.inserted()));
        }
        assertThrows(IllegalStateException.class, () -> table.get(table.oldest() - 1));
    }

    /// Entries as large as the table would be held besides it, which nothing counts.
    @Test
    void entriesThatHaveGone_areNotHeld() {
        QpackTable<Entry> table = new QpackTable<>();
        table.capacity(4_096);
        List<WeakReference<Entry>> gone = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Entry entry = new Entry(4_096);
            assertTrue(table.add(entry));
            gone.add(new WeakReference<>(entry));
        }
        gone.removeLast();
        for (int i = 0; i < 100 && gone.stream().anyMatch(one -> !one.refersTo(null)); i++) {
            System.gc();
        }
        assertTrue(gone.stream().allMatch(one -> one.refersTo(null)));
        assertEquals(4_096, table.get(9).bytes);
    }
}
