package io.margay.server.host;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.server.exchange.Handler;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
    private final Handler exact = exchange -> {};
    private final Handler prefix = exchange -> {};
    private final Handler longer = exchange -> {};
    private final Handler extension = exchange -> {};
    private final Handler fallback = exchange -> {};

    private final Routes routes =
            Routes.of(
                    Map.of(
                            "/a/b", exact,
                            "/a/*", prefix,
                            "/a/b/*", longer,
                            "*.jsp", extension,
                            "/", fallback));

    @Test
    void order_isExactPrefixExtensionDefault() {
        assertSame(exact, routes.find("/a/b"));
        assertSame(longer, routes.find("/a/b/c"));
        assertSame(prefix, routes.find("/a/c.jsp"));
        assertSame(prefix, routes.find("/a"));
        assertSame(prefix, routes.find("/a/"));
        assertSame(extension, routes.find("/x/y.jsp"));
        assertSame(fallback, routes.find("/ab"));
        assertSame(fallback, routes.find("/x.jsp/y"));
    }

    @Test
    void withoutDefault_unknownPath_hasNoHandler() {
        assertNull(Routes.of(Map.of("/a/*", prefix)).find("/b"));
    }

    @Test
    void prefixOfAll_takesAll() {
        assertSame(prefix, Routes.of(Map.of("/*", prefix)).find("/any/thing"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "/a*", "/*/b", "*.a/b", "", "/a/*b"})
    void pattern_malformed_isRefused(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> Routes.of(Map.of(pattern, prefix)));
    }
}
