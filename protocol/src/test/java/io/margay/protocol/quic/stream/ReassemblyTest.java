package io.margay.protocol.quic.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ReassemblyTest {
    private static byte[] octets(int count) {
        byte[] octets = new byte[count];
        new Random(1).nextBytes(octets);
        return octets;
    }

    private static byte[] readAll(Reassembly reassembly) {
        byte[] all = new byte[reassembly.readable()];
        assertEquals(all.length, reassembly.read(all, 0, all.length));
        return all;
    }

    @Test
    void data_cutAnywhereAndTurnedAround_isPutBackInOrder() {
        byte[] data = octets(5_000);
        for (int cut = 1; cut < data.length; cut += 7) {
            Reassembly reassembly = new Reassembly();
            assertTrue(reassembly.put(cut, data, cut, data.length));
            assertEquals(0, reassembly.readable());
            assertTrue(reassembly.hasGap());
            assertTrue(reassembly.put(0, data, 0, cut));
            assertFalse(reassembly.hasGap());
            assertArrayEquals(data, readAll(reassembly), "cut at " + cut);
            assertFalse(reassembly.hasGap());
        }
    }

    @Test
    void pieces_inAnyOrderRepeatedAndOverlapping_arePutBackInOrder() {
        byte[] data = octets(40_000);
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            List<int[]> pieces = new ArrayList<>();
            for (int at = 0; at < data.length; ) {
                int to = Math.min(data.length, at + 1 + random.nextInt(1_300));
                int from = Math.max(0, at - random.nextInt(100));
                pieces.add(new int[] {from, to});
                at = to;
            }
            pieces.addAll(pieces.subList(0, pieces.size() / 3));
            Collections.shuffle(pieces, random);
            Reassembly reassembly = new Reassembly();
            byte[] got = new byte[data.length];
            int count = 0;
            for (int[] piece : pieces) {
                assertTrue(reassembly.put(piece[0], data, piece[0], piece[1]));
                if (random.nextBoolean()) {
                    count += reassembly.read(got, count, got.length);
                }
            }
            count += reassembly.read(got, count, got.length);
            assertEquals(data.length, count, "seed " + seed);
            assertArrayEquals(data, got, "seed " + seed);
            assertTrue(reassembly.held() <= 2);
        }
    }

    @Test
    void dataThatCameFirst_counts() {
        Reassembly reassembly = new Reassembly();
        assertTrue(reassembly.put(1, new byte[] {1, 1}, 0, 2));
        assertTrue(reassembly.put(0, new byte[] {2, 2, 2, 2}, 0, 4));
        assertArrayEquals(new byte[] {2, 1, 1, 2}, readAll(reassembly));
    }

    @Test
    void gaps_moreThanAnHonestPeerMakes_areRefused() {
        Reassembly reassembly = new Reassembly();
        byte[] one = {1};
        for (int i = 1; i <= Reassembly.GAPS_MAX; i++) {
            assertTrue(reassembly.put(2L * i, one, 0, 1), "gap " + i);
        }
        assertFalse(reassembly.put(2L * (Reassembly.GAPS_MAX + 1), one, 0, 1));
    }

    @Test
    void octetFarAhead_costsNoMoreThanItsWindow() {
        Reassembly reassembly = new Reassembly();
        int window = 131_072;
        for (int at = window - 1; at > 0; at -= Chunks.CHUNK_BYTES) {
            assertTrue(reassembly.put(at, new byte[1], 0, 1));
        }
        assertTrue(reassembly.held() <= window / Chunks.CHUNK_BYTES);
        reassembly.clear();
        assertEquals(0, reassembly.held());
    }
}
