package io.margay.lab.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {
    enum Colour {
        RED,
        BLUE
    }

    record Inner(String name, double share) {}

    record Outer(
            String text,
            long count,
            int small,
            boolean flag,
            Colour colour,
            List<Inner> list,
            Map<String, Long> map,
            Inner inner) {}

    private static final Outer OUTER =
            new Outer(
                    "a \"b\"\n<c> é",
                    1L << 60,
                    -3,
                    true,
                    Colour.BLUE,
                    List.of(new Inner("x", 0.125), new Inner("", 1e-9)),
                    Map.of("k", 7L),
                    new Inner("y", 2));

    @Test
    void record_writtenAndRead_isEqual() {
        Object tree = JsonRecords.tree(OUTER);
        assertEquals(OUTER, JsonRecords.record(Outer.class, Json.parse(Json.line(tree))));
        assertEquals(OUTER, JsonRecords.record(Outer.class, Json.parse(Json.pretty(tree))));
    }

    @Test
    void membersThatAreAbsentOrUnknown_arePassedOver() {
        Inner inner = JsonRecords.record(Inner.class, Json.parse("{\"new\": 1, \"name\": null}"));
        assertEquals(new Inner("", 0), inner);
    }

    @Test
    void memberOfAnotherType_isNamed() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> JsonRecords.record(Inner.class, Json.parse("{\"share\": \"x\"}")));
        assertTrue(String.valueOf(e.getMessage()).startsWith("share: "), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\" 1}",
                "{a: 1}",
                "01",
                "1.",
                "tru",
                "\"\\x\"",
                "\"\\u12\"",
                "\"a",
                "1 2",
                "\"\u0001\"",
                "[1}",
                "+1"
            })
    void text_thatIsNoJson_isRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
    }

    @Test
    void nesting_withoutEnd_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> Json.parse("[".repeat(100_000)));
    }
}
