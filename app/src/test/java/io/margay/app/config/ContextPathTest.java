package io.margay.app.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class ContextPathTest {
    @Test
    void pattern_ofEveryForm_givesOnePath() {
        for (String text : new String[] {"/", "/*", ""}) {
            assertEquals("", ContextPath.parse(text));
        }
        for (String text : new String[] {"/shop", "/shop/", "/shop/*"}) {
            assertEquals("/shop", ContextPath.parse(text));
        }
        assertEquals("/a/b", ContextPath.parse("/a/b"));
    }

    @Test
    void path_thatNoRequestCanMean_isRefused() {
        for (String text :
                new String[] {
                    "shop", "//", "/a//b", "/..", "/a/../b", "/a b", "/a?b", "/a;b", "/%2e",
                    "*.jsp", "/*.jsp", "/a\\b"
                }) {
            assertThrows(IllegalArgumentException.class, () -> ContextPath.parse(text), text);
        }
    }
}
