package io.margay.servlet.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import jakarta.servlet.http.MappingMatch;
import org.junit.jupiter.api.Test;

final class UrlPatternTest {
    @Test
    void patterns_areEqual_whenAllOfThemIs() {
        UrlPattern pattern = UrlPattern.of("/a/*");
        assertEquals(pattern, UrlPattern.of("/a/*"));
        assertEquals(pattern.hashCode(), UrlPattern.of("/a/*").hashCode());
        assertNotEquals(pattern, UrlPattern.of("/b/*"));
        assertNotEquals(pattern, new UrlPattern("/a/*", MappingMatch.EXACT, pattern.key()));
        assertNotEquals(pattern, new UrlPattern("/a/*", pattern.kind(), "/b"));
    }
}
