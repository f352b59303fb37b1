package io.margay.gateway.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.SubstitutionRule.Replacement;
import io.margay.gateway.rules.lines.LineReplacement;
import io.margay.server.exchange.UndecidedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is replaced in lines, and what the longest line and its pieces are held to.
final class LineReplacementTest {
    private static LineReplacement regex(String find, String by) {
        return LineReplacement.of(new Replacement(find, by, false, false, false));
    }

    private static LineReplacement apart(String find, String by) {
        return LineReplacement.of(new Replacement(find, by, false, false, true));
    }

    private static String all(LineReplacement one, String line, int max) {
        return String.join("", one.apply(List.of(line), max, false));
    }

    @ParameterizedTest
    @CsvSource({
        "'(\\w)(\\d)?', '<$1$2>', 'a1b', '<a1><b>'",
        "'^a', 'b', 'aaba', 'bbba'",
        "'a$', 'b', 'aXa', 'aXb'",
        "'[$a]', 'b', 'a$', 'bb'",
        "'a', '\\$0 & \\\\', 'a', '$0 & \\'",
    })
    void finds_areReplacedAsModSubstituteDoes(String find, String by, String line, String made) {
        assertEquals(made, all(regex(find, by), line, 100));
    }

    @Test
    void endOfALine_isNotTheEndOfTheText() {
        assertEquals("a\n", all(regex("a$", "b"), "a\n", 100));
        assertEquals("a\rb\n", all(regex("(.)b\n$", "$1b\n"), "a\rb\n", 100));
    }

    @Test
    void text_thatIsLiteral_isComparedByItsBytes() {
        LineReplacement any = LineReplacement.of(new Replacement("A.[$1", "$1", true, true, false));
        assertEquals("x$1y", all(any, "xa.[$1y", 100));
        List<String> line = List.of("none");
        assertSame(line, any.apply(line, 100, true));
    }

    /// As sub_filter does without sub_filter_once off.
    @Test
    void firstFindAlone_isReplaced_whereItIsSaidSo() {
        LineReplacement once =
                LineReplacement.of(new Replacement("a", "$b", true, true, true, true));
        assertTrue(once.isOnce());
        assertEquals("x$bxaA", all(once, "xAxaA", 100));
        assertEquals(List.of("x", "$b", "a"), once.apply(List.of("x", "a", "a"), 100, true));
    }

    @Test
    void pieces_areSearchedOnTheirOwn() {
        List<String> pieces = apart("b", "c").apply(List.of("abd"), 100, false);
        assertEquals(List.of("a", "c", "d"), pieces);
        assertEquals(pieces, regex("cd", "x").apply(pieces, 100, false));
    }

    @Test
    void line_thatGrows_orHasTooManyPieces_isRefused() {
        assertThrows(UndecidedException.class, () -> all(regex("a", "bbb"), "aaaa", 11));
        assertEquals("b".repeat(12), all(regex("a", "bbb"), "aaaa", 12));
        String line = "a".repeat(100_000);
        assertEquals(100_000, all(regex("a", "b"), line, 100_000).length());
        assertThrows(UndecidedException.class, () -> all(apart("a", "b"), line, 100_000));
        assertThrows(
                UndecidedException.class, () -> all(regex("a+", "$0$0$0$0$0$0"), line, 100_000));
    }

    @Test
    void searches_thatDoNotEnd_areRefused() {
        assertThrows(
                UndecidedException.class, () -> all(regex("(a+)+\\1!", "b"), "a".repeat(60), 100));
        assertThrows(UndecidedException.class, () -> all(regex("x*", "y"), "ab", 100));
        assertTrue(regex("x*", "y").findsNothing());
    }
}
