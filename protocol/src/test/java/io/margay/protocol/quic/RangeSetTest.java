package io.margay.protocol.quic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RangeSetTest {
    @Test
    void ranges_thatTouch_areOne() {
        RangeSet set = new RangeSet();
        set.add(10, 20);
        set.add(30, 40);
        assertEquals("10-20 30-40", set.toString());
        assertEquals(10, set.add(20, 30));
        assertEquals("10-40", set.toString());
        set.remove(15, 16);
        assertEquals("10-15 16-40", set.toString());
        set.remove(12, 39);
        assertEquals("10-12 39-40", set.toString());
    }

    @Test
    void anyOperations_doWhatABitSetDoes() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            RangeSet set = new RangeSet();
            BitSet bits = new BitSet();
            for (int i = 0; i < 200; i++) {
                int from = random.nextInt(100);
                int to = from + random.nextInt(12);
                if (random.nextInt(3) > 0) {
                    int before = bits.cardinality();
                    bits.set(from, to);
                    assertEquals(bits.cardinality() - before, set.add(from, to), "seed " + seed);
                } else {
                    bits.clear(from, to);
                    set.remove(from, to);
                }
                check(set, bits, seed);
            }
        }
    }

    private static void check(RangeSet set, BitSet bits, int seed) {
        int known = 0;
        for (int i = 0; i < set.count(); i++) {
            assertTrue(set.from(i) < set.to(i), "seed " + seed);
            assertTrue(i == 0 || set.to(i - 1) < set.from(i), "seed " + seed);
            known += (int) (set.to(i) - set.from(i));
        }
        assertEquals(bits.cardinality(), known, "seed " + seed);
        for (int i = 0; i < 120; i++) {
            assertEquals(bits.get(i), set.contains(i), "seed " + seed + " at " + i);
        }
    }
}
