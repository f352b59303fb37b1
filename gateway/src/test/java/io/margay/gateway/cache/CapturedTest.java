package io.margay.gateway.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.CacheRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.server.exchange.MemoryBudget;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What caches count in the memory budget beside what they keep.
final class CapturedTest {
    private static final int PIECE = 8 * 1024;

    private static Captured captured(MemoryBudget memory, int pieces) {
        Captured captured = new Captured(memory, 1 << 20);
        byte[] piece = new byte[PIECE];
        piece[0] = 1;
        for (int i = 0; i < pieces; i++) {
            captured.add(piece, 0, piece.length);
        }
        return captured;
    }

    @Test
    void content_isCountedAsItIsAllocated() {
        MemoryBudget memory = new MemoryBudget(12 * PIECE);
        Captured captured = captured(memory, 5); // an array of 8 pieces, grown from one of 4
        assertFalse(captured.isLost());
        assertEquals(8 * PIECE, memory.held());
        assertNull(captured.whole(), "8 and a copy of 5 are not there");
        assertTrue(captured.isLost());
        assertEquals(0, memory.held());
    }

    @Test
    void wholeContent_isCountedOnce() {
        MemoryBudget memory = new MemoryBudget(100 * PIECE);
        Captured captured = captured(memory, 6);
        byte[] whole = captured.whole();
        assertNotNull(whole);
        assertEquals(6 * PIECE, whole.length);
        assertEquals(1, whole[5 * PIECE]);
        assertEquals(6 * PIECE, memory.held());
        captured.drop();
        assertEquals(0, memory.held());
    }

    /// One set of counters for all caches of a host, which is in the budget; without room in it,
    /// the host has a single counter, and removals keep out more than they need.
    @Test
    void countersOfRemovals_areInTheBudget() {
        HostChanges changes =
                HostChanges.NONE.withCache(List.of(CacheRule.defaults(), CacheRule.defaults()));
        MemoryBudget memory = new MemoryBudget(1 << 20);
        HostCache cache = HostCache.of(changes, memory, System::nanoTime, () -> 0, _ -> {});
        assertNotNull(cache);
        assertEquals(64 * 1024, memory.held());
        cache.close();
        assertEquals(0, memory.held());

        MemoryBudget none = new MemoryBudget(1024);
        Removals one = new Removals(none);
        long before = one.mark("a");
        one.add("b");
        assertTrue(one.mark("a") != before);
        one.close();
        assertEquals(0, none.held());
    }
}
