package io.margay.gateway.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.CacheRule;
import io.margay.protocol.caching.CachePolicy;
import io.margay.protocol.caching.Freshness;
import io.margay.protocol.caching.Vary;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.MemoryBudget;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a cache keeps when the memory of all caches is less than its own room.
final class CacheStoreTest {
    private static final int CONTENT = 5_000;
    private static final long BUDGET = 20_000;

    private static StoredResponse response() {
        FieldList fields = new FieldList();
        fields.add("Cache-Control", "max-age=600");
        return new StoredResponse(
                "a",
                200,
                fields,
                Content.of(new byte[CONTENT]),
                Vary.of(fields, Fields.EMPTY),
                Freshness.of(200, fields, CachePolicy.EXPLICIT, 0, 0),
                false);
    }

    @Test
    void memoryThatIsUsedUp_isThatOfTheNewest() {
        MemoryBudget memory = new MemoryBudget(BUDGET);
        CacheStore store =
                new CacheStore(
                        new CacheRule.Room(1 << 20, CONTENT, 1),
                        memory,
                        new Removals(MemoryBudget.UNBOUNDED),
                        null);
        for (int i = 0; i < 20; i++) {
            String key = "http://shop.example/" + i;
            assertTrue(store.put(key, response(), store.mark(key)), key);
            assertNotNull(store.find(key, "a", Fields.EMPTY), key);
            assertTrue(memory.held() <= BUDGET, () -> memory.held() + " bytes");
        }
    }

    private final MemoryBudget plenty = new MemoryBudget(1 << 20);
    private final CacheStore large =
            new CacheStore(
                    new CacheRule.Room(1 << 20, CONTENT, 1),
                    plenty,
                    new Removals(MemoryBudget.UNBOUNDED),
                    null);

    private StoredResponse put(String key) {
        StoredResponse made = response();
        assertTrue(large.put(key, made, large.mark(key)));
        return made;
    }

    /// A slow client has it though the cache has not.
    @Test
    void contentThatIsBeingSent_countsUntilItIsSent() {
        Lent lent = put("http://shop.example/").content().lent();
        lent.begin();
        lent.begin();
        assertEquals(1, large.removeUrl("http://shop.example/"));
        assertEquals(CONTENT, plenty.held());
        lent.end();
        assertEquals(CONTENT, plenty.held());
        lent.end();
        assertEquals(0, plenty.held());
    }

    @Test
    void contentThatIsReplaced_whileItIsBeingSent_countsToo() {
        String key = "http://shop.example/";
        Lent lent = put(key).content().lent();
        long one = plenty.held();
        lent.begin();
        StoredResponse next = put(key);
        assertEquals(one + CONTENT, plenty.held());
        assertTrue(large.put(key, next.with(next.content()), large.mark(key)));
        assertEquals(one + CONTENT, plenty.held(), "the same content, refreshed");
        lent.end();
        assertEquals(one, plenty.held());
        large.close();
        assertEquals(0, plenty.held());
    }

    /// Another URL of the same counter, as there are 8192.
    private static String besides(String key) {
        return IntStream.range(0, 1_000_000)
                .mapToObj(i -> key + i)
                .filter(other -> Math.floorMod(other.hashCode() - key.hashCode(), 8_192) == 0)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsFetched_whileAnotherUrlIsRemoved_isKept() {
        String key = "http://shop.example/";
        String other = besides(key);
        long mark = large.mark(key);
        assertEquals(0, large.removeUrl(other));
        assertTrue(large.put(key, response(), mark));
        assertEquals(0, large.removeUrl(other));
        assertFalse(large.put(key, response(), mark), "the first may have been this one");
    }

    @Test
    void whatIsFetched_whileItsUrlIsRemoved_isNotKept() {
        String key = "http://shop.example/";
        long mark = large.mark(key);
        assertEquals(0, large.removeUrl(key));
        assertFalse(large.put(key, response(), mark));
        assertEquals(0, large.removeUrl(besides(key)));
        assertFalse(large.put(key, response(), mark));
        long later = large.mark(key);
        assertEquals(0, large.removeIf(_ -> true));
        assertFalse(large.put(key, response(), later));
    }
}
