package io.margay.gateway.rules.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.RuleLimits;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class BoundedRegexTest {
    /// As sites have them.
    private static final List<String> OF_SITES =
            List.of(
                    "\\s*JSESSIONID=[^;]*;?\\s*$",
                    "(.*)(\\?.*)$",
                    "MSIE.*Win.*NT.*x",
                    "id=.*union.*select.*from",
                    "^(.*)\\.(php|html?)$",
                    "^/([^/]+)/([^/]+)/?$",
                    "(?:^|;\\s*)lang=([a-z]{2})",
                    "^Bearer\\s+(.+)$",
                    "(.*);\\s*Secure(.*)",
                    "^(?:www\\.)?(.+)$",
                    "[[:alpha:]]+[[:space:]]*=.*;.*",
                    "(a|b|ab)(c|bcd)(d*)",
                    ",\\s*",
                    "x*",
                    "(foo|foobar)(bar)?$");

    private static List<String> hostile() {
        return List.of(
                "a" + " ".repeat(8_000) + "b",
                "http://a/" + "a".repeat(8_000),
                "MSIE" + "Win".repeat(1_000) + "NT".repeat(1_000),
                "id=" + "union".repeat(800) + "select".repeat(600),
                "a".repeat(8_192),
                "; Secure".repeat(1_000) + ";",
                "/".repeat(8_192),
                "JSESSIONID=x;".repeat(600) + " ".repeat(300) + "z",
                ", ".repeat(4_000),
                "foobar".repeat(1_300) + "!");
    }

    @Test
    void expressionsOfSites_inFieldsOf8KiB_comeToAnEnd() {
        for (String regex : OF_SITES) {
            for (boolean anyCase : List.of(false, true)) {
                BoundedRegex bounded = BoundedRegex.of(regex, anyCase, RuleLimits.defaults());
                for (String text : hostile()) {
                    MatchResult found = bounded.find(text);
                    assertTrue(found == null || found.end() <= text.length(), regex);
                    String replaced = bounded.replace(text, true, _ -> "");
                    assertTrue(replaced == null || replaced.length() <= text.length(), regex);
                }
            }
        }
    }

    @Test
    void linearEngine_findsWhatTheOtherFinds() {
        long seed = 20_261_129;
        Random random = new Random(seed);
        String letters = "ab cd;=/?.xJSESSIONIDfoobar,wWinMSIE";
        for (String regex : OF_SITES) {
            String translated = BoundedRegex.translate(regex);
            for (boolean anyCase : List.of(false, true)) {
                LinearRegex linear = assertNotNull2(LinearRegex.of(translated, anyCase), regex);
                Pattern other =
                        Pattern.compile(
                                translated,
                                anyCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
                for (int i = 0; i < 400; i++) {
                    String text = text(random, letters);
                    String message = seed + ": " + regex + " in " + text;
                    assertEquals(all(other.matcher(text)), all(linear.search(text)), message);
                }
            }
        }
    }

    private static <T> T assertNotNull2(T value, String message) {
        assertNotNull(value, message);
        return value;
    }

    private static String text(Random random, String letters) {
        int length = random.nextInt(24);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            int at = random.nextInt(letters.length());
            int end = Math.min(letters.length(), at + 1 + random.nextInt(4));
            text.append(letters, at, end);
        }
        return text.toString();
    }

    private static List<String> all(Matcher matcher) {
        List<String> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(told(matcher));
        }
        return found;
    }

    private static List<String> all(LinearRegex.Search search) {
        List<String> found = new ArrayList<>();
        while (search.find()) {
            found.add(told(search));
        }
        return found;
    }

    private static String told(MatchResult found) {
        StringBuilder told = new StringBuilder();
        for (int group = 0; group <= found.groupCount(); group++) {
            told.append(found.start(group))
                    .append('-')
                    .append(found.end(group))
                    .append(found.group(group))
                    .append(' ');
        }
        return told.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a+)+\\1$",
                "(a*)*b",
                "(?=a)a*b",
                "a++b",
                "(?>a*)b",
                "\\p{L}+x",
                "(?i)a",
                "a\\Z",
                "(?<n>a)b",
                "[]a]+b",
                "\u00e4+b"
            })
    void expression_thatRe2ReadsOtherwiseOrNot_isNotGivenToIt(String regex) {
        assertNull(LinearRegex.of(regex, false));
    }

    @Test
    void search_thatDoesNotEnd_isARefusal() {
        String text = "a".repeat(5_000) + "!";
        BoundedRegex regex = BoundedRegex.of("(a+)+\\1$");
        assertThrows(UndecidedException.class, () -> regex.find(text));
        assertThrows(UndecidedException.class, () -> regex.replace(text, false, _ -> ""));
    }

    @Test
    void search_inTextThatRe2MayReadOtherwise_isARefusal() {
        BoundedRegex regex = BoundedRegex.of("(?:a+)+$");
        assertNull(regex.find("a".repeat(5_000) + "!"));
        assertThrows(UndecidedException.class, () -> regex.find("a".repeat(5_000) + "\u00e4"));
    }

    @Test
    void replacement_ofAllOrTheFirst_leavesTheRest() {
        BoundedRegex regex = BoundedRegex.of("(\\w)=(\\w)");
        assertEquals("b:a, d=c", regex.replace("a=b, d=c", false, one -> one.group(2) + ":a"));
        assertEquals("b:, c:", regex.replace("a=b, d=c", true, one -> one.group(2) + ":"));
        assertNull(regex.replace("none", true, _ -> ""));
    }
}
