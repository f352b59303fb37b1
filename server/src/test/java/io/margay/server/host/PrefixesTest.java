package io.margay.server.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PrefixesTest {
    /// No two are the same.
    private static final class Named implements Handler {
        @Override
        public void handle(Exchange exchange) {}
    }

    private static Handler handler() {
        return new Named();
    }

    @Test
    void longestPrefix_thatEndsWithASegment_isFound() {
        Handler whole = handler();
        Handler shop = handler();
        Handler admin = handler();
        Prefixes prefixes = new Prefixes(Map.of("", whole, "/shop", shop, "/shop/admin", admin));
        assertSame(whole, prefixes.longest("/"));
        assertSame(whole, prefixes.longest("/shopping"));
        assertSame(whole, prefixes.longest("/sho"));
        assertSame(shop, prefixes.longest("/shop"));
        assertSame(shop, prefixes.longest("/shop/"));
        assertSame(shop, prefixes.longest("/shop/administrator"));
        assertSame(admin, prefixes.longest("/shop/admin"));
        assertSame(admin, prefixes.longest("/shop/admin/x/y"));
        assertNull(new Prefixes(Map.of()).longest("/shop"));
    }

    /// "Aa" and "BB" have the same hash.
    @Test
    void pathsOfTheSameHash_areToldApart() {
        Handler first = handler();
        Handler second = handler();
        Prefixes prefixes = new Prefixes(Map.of("/Aa", first, "/BB", second));
        assertSame(first, prefixes.longest("/Aa/page"));
        assertSame(second, prefixes.longest("/BB/page"));
        assertNull(new Prefixes(Map.of("/Aa", first)).longest("/BB/page"));
    }

    @Test
    void hundreds_areFoundAsByAWalkOverAll() {
        Random random = new Random(20_261_128);
        for (int count : new int[] {1, 3, 7, 31, 255, 600}) {
            Map<String, Handler> handlers = new HashMap<>();
            while (handlers.size() < count) {
                handlers.put(path(random, 1 + random.nextInt(3)), handler());
            }
            Prefixes prefixes = new Prefixes(handlers);
            for (int i = 0; i < 2_000; i++) {
                String path = path(random, 1 + random.nextInt(5)) + (i % 3 == 0 ? "/" : "");
                assertEquals(walk(handlers, path), prefixes.longest(path), path);
            }
        }
    }

    private static String path(Random random, int segments) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < segments; i++) {
            path.append('/').append("a".repeat(random.nextInt(2))).append(random.nextInt(12));
        }
        return path.toString();
    }

    private static @Nullable Handler walk(Map<String, Handler> handlers, String path) {
        return handlers.entrySet().stream()
                .filter(each -> path.equals(each.getKey()) || path.startsWith(each.getKey() + "/"))
                .max(Map.Entry.comparingByKey(Comparator.comparingInt(String::length)))
                .map(Map.Entry::getValue)
                .orElse(null);
    }
}
