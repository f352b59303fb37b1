package io.margay.servlet.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.settings.LibraryScan.Names;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LibraryScanTest {
    @ParameterizedTest
    @CsvSource({
        "*, a.jar, true",
        "*.jar, a.jar, true",
        "*.jar, a.zip, false",
        "a.jar, a.jar, true",
        "a.jar, A.jar, false",
        "a.jar, a.jar2, false",
        "a?.jar, ab.jar, true",
        "a?.jar, a.jar, false",
        "log4j*.jar, log4j-web-2.0.jar, true",
        "log4j*.jar, slf4j.jar, false",
        "*-a-*.jar, x-a-b-a-1.jar, true",
        "*-a-*-b.jar, x-a-b.jar, false",
        "**a**, bab, true",
        "a*, a, true",
        "a, '', false",
        "*, '', true",
    })
    void pattern_matchesWholeNames(String pattern, String file, boolean matches) {
        assertEquals(!matches, new Names(List.of(pattern), List.of(), true).has(file));
    }

    @Test
    void library_inBothLists_isScanned_unlessNoneIsByDefault() {
        List<String> skip = List.of("log4j*.jar");
        List<String> scan = List.of("log4j-web*.jar");
        Names names = new Names(skip, scan, true);
        assertFalse(names.has("log4j-core.jar"));
        assertTrue(names.has("log4j-web-2.jar"));
        assertTrue(names.has("other.jar"));
        Names none = new Names(skip, List.of("log4j*.jar", "mine.jar"), false);
        assertFalse(none.has("log4j-web-2.jar"));
        assertTrue(none.has("mine.jar"));
        assertFalse(none.has("other.jar"));
    }

    @Test
    void pattern_ofManyStars_costsLittle() {
        Names names = new Names(List.of("*a".repeat(2000) + "b"), List.of(), true);
        assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> assertTrue(names.has("a".repeat(10_000))));
    }
}
