package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {
    private static final long EXAMPLE = 784_111_777;

    @Test
    void format_isFixdate() {
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE));
        assertEquals("Thu, 01 Jan 1970 00:00:00 GMT", HttpDate.format(0));
        assertEquals("Wed, 31 Dec 1969 23:59:59 GMT", HttpDate.format(-1));
        assertEquals("Fri, 31 Dec 9999 23:59:59 GMT", HttpDate.format(253_402_300_799L));
        assertThrows(IllegalArgumentException.class, () -> HttpDate.format(253_402_300_800L));
    }

    @Test
    void line_isWholeFieldLine() {
        assertEquals(
                "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
                new String(HttpDate.line(EXAMPLE), StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994"
            })
    void parse_eachForm_isRead(String text) {
        assertEquals(EXAMPLE, HttpDate.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "Sun, 06 Nov 1994 08:49:37",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 31 Feb 1994 08:49:37 GMT",
                "Sun, 00 Nov 1994 08:49:37 GMT",
                "Sun, 06 NOV 1994 08:49:37 GMT",
                "Sun, 06 ovD 1994 08:49:37 GMT",
                "Xxx, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:49:37 GMT",
                "Sun, 06 Nov 1994 08:60:37 GMT",
                "Sun, 06 Nov 1994 08:49:61 GMT",
                "Sun, 06 Nov 1994 +8:49:37 GMT",
                "Sun, 06-Nov-1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 08.49.37 GMT",
                "Sunday, 06-Nov-1994 08:49:37 GMT",
                "Sunday, 06-Nov--1 08:49:37 GMT",
                "Sun Nov 06 08:49:37 94",
                "Sun Nov  6 08:49:37 1994 ",
                "Sun, 06 Nov 1994 08:49:37 GMT; length=5"
            })
    void parse_anythingElse_isInvalid(String text) {
        assertEquals(HttpDate.INVALID, HttpDate.parse(text));
    }

    @Test
    void parse_twoDigitYear_liesAtMost50YearsAhead() {
        long in2026 = 1_780_000_000L;
        String text = "Sunday, 06-Nov-76 08:49:37 GMT";
        assertEquals(
                "Fri, 06 Nov 2076 08:49:37 GMT", HttpDate.format(HttpDate.parse(text, in2026)));
        text = "Sunday, 06-Nov-77 08:49:37 GMT";
        assertEquals(
                "Sun, 06 Nov 1977 08:49:37 GMT", HttpDate.format(HttpDate.parse(text, in2026)));
    }

    @Test
    void formatAndParse_random_agreeWithTheJdk() {
        long seed = System.nanoTime();
        System.out.println("HttpDateTest seed " + seed);
        Random random = new Random(seed);
        DateTimeFormatter jdk =
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                        .withZone(ZoneOffset.UTC);
        for (int i = 0; i < 2000; i++) {
            long second = random.nextLong(-62_135_596_800L, 253_402_300_800L);
            String text = HttpDate.format(second);
            assertEquals(jdk.format(Instant.ofEpochSecond(second)), text, "seed " + seed);
            assertEquals(second, HttpDate.parse(text), "seed " + seed);
        }
    }
}
