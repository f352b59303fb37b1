package io.margay.lab.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BodyTemplateTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static BodyTemplate template(String... samples) {
        return BodyTemplate.of(Arrays.stream(samples).map(BodyTemplateTest::bytes).toList());
    }

    /// Whether the content is right, handed over in pieces cut at every position.
    private static boolean matches(BodyTemplate template, String content) {
        byte[] bytes = bytes(content);
        boolean first = true;
        for (int cut = 0; cut <= bytes.length; cut++) {
            BodyCheck check = new BodyCheck();
            check.begin(template);
            check.accept(bytes, 0, cut);
            check.accept(bytes, cut, bytes.length);
            if (cut == 0) {
                first = check.matches();
            }
            assertEquals(first, check.matches(), "cut at " + cut);
        }
        BodyCheck check = new BodyCheck();
        check.begin(template);
        for (int i = 0; i < bytes.length; i++) {
            check.accept(bytes, i, i + 1);
        }
        assertEquals(first, check.matches(), "byte by byte");
        return first;
    }

    @Test
    void equalSamples_areComparedWhole() {
        BodyTemplate template = template("abc", "abc");
        assertTrue(template.isExact());
        assertTrue(matches(template, "abc"));
        assertEquals(
                List.of(false, false, false, false),
                List.of(
                        matches(template, "abd"),
                        matches(template, "ab"),
                        matches(template, "abcc"),
                        matches(template, "")));
    }

    @ParameterizedTest
    @CsvSource({
        "<p>10:00:07</p>, true",
        "<p>23:59:59</p>, true",
        "<p>23:59:5</p>, false",
        "<b>10:00:07</p>, false",
        "<p>10:00:07</b>, false",
        "<p>10:00:07</p>x, false"
    })
    void samplesThatDiffer_areComparedAroundTheDifference(String content, boolean right) {
        assertEquals(right, matches(template("<p>10:00:01</p>", "<p>10:00:02</p>"), content));
    }

    @Test
    void samplesOfSeveralLengths_allowAnyLength() {
        BodyTemplate template = template("<p>9</p>", "<p>10</p>");
        assertTrue(matches(template, "<p>1000</p>"));
        assertTrue(!matches(template, "<p>"));
        assertTrue(!matches(template, "<p>1000</q>"));
    }
}
