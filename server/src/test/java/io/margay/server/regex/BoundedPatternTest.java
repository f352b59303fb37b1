package io.margay.server.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.UndecidedException;
import java.util.regex.MatchResult;
import org.junit.jupiter.api.Test;

final class BoundedPatternTest {
    @Test
    void match_isOfTheWhole_withItsGroups() {
        MatchResult match = BoundedPattern.of("/(.*)/B", true).match("/a/b");
        assertNotNull(match);
        assertEquals("a", match.group(1));
        assertNull(BoundedPattern.of("/(.*)/b", false).match("/a/b/c"));
        assertFalse(BoundedPattern.of("A", false).matches("a"));
    }

    @Test
    void match_thatDoesNotEnd_isARefusal() {
        assertThrows(
                UndecidedException.class,
                () -> BoundedPattern.of("(a+)+\\1!", false).matches("a".repeat(100)));
        assertThrows(
                UndecidedException.class,
                () -> BoundedPattern.of("(?:a|b)*", false).matches("ab".repeat(1_000_000)));
    }

    /// What Tomcat's valves have by default comes to an end with the longest field.
    @Test
    void usualExpressions_endWithTheLongestField() {
        String agents = ".*[bB]ot.*|.*Yahoo! Slurp.*|.*Feedfetcher-Google.*";
        assertFalse(BoundedPattern.of(agents, false).matches("b".repeat(8192)));
        assertTrue(BoundedPattern.of(agents, false).matches("b".repeat(8000) + "bot"));
    }

    @Test
    void patterns_writtenAlike_areEqual() {
        assertEquals(BoundedPattern.of("a", true), BoundedPattern.of("a", true));
        assertNotEquals(BoundedPattern.of("a", true), BoundedPattern.of("a", false));
    }
}
