package io.margay.protocol.quic.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RoutedIdsTest {
    private final Random random = new Random(49);

    private RoutedIds ids(int seed) {
        byte[] key = new byte[RoutedIds.KEY_BYTES];
        new Random(seed).nextBytes(key);
        return new RoutedIds(key);
    }

    @Test
    void id_isReadByWhoeverHasTheKey() {
        byte[] id = ids(1).make(255, 65_535, random);
        assertEquals(RoutedIds.BYTES, id.length);
        assertEquals(255 << 16 | 65_535, ids(1).read(id));
        assertEquals(3, ids(1).read(ids(1).make(0, 3, random)));
        assertEquals(RoutedIds.NONE, ids(2).read(id));
    }

    @Test
    void ids_ofOneConnection_haveNothingInCommon() {
        byte[] one = ids(1).make(1, 2, random);
        byte[] other = ids(1).make(1, 2, random);
        for (int i = 0; i < 4; i++) {
            int from = 4 * i;
            assertFalse(Arrays.equals(one, from, from + 4, other, from, from + 4));
        }
    }

    @Test
    void whatClientsMakeUp_leadsNowhere() {
        byte[] made = new byte[RoutedIds.BYTES];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(made);
            assertEquals(RoutedIds.NONE, ids(1).read(made));
        }
        assertEquals(RoutedIds.NONE, ids(1).read(new byte[8]));
        byte[] changed = ids(1).make(1, 2, random);
        changed[15] ^= 1;
        assertEquals(RoutedIds.NONE, ids(1).read(changed));
    }
}
