package io.margay.app.sight;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
    private final TextTable table = new TextTable("host", List.of("req/s", "p99"));

    @Test
    void columns_withoutRoom_areLeftOut_andLongNamesCutOff() {
        table.add("shop.example", List.of("1.5", "12ms"));
        table.add("a-very-long-name.example", List.of("20.0", "1.2s"));
        assertEquals(
                List.of(
                        "host               req/s   p99",
                        "shop.example         1.5  12ms",
                        "a-very-long-name~   20.0  1.2s"),
                table.lines(30).stream().toList());
        assertEquals(
                List.of("host          req/s", "shop.example    1.5", "a-very-long~   20.0"),
                table.lines(19));
        table.lines(12).forEach(line -> assertEquals(true, line.length() <= 12, line));
    }

    @Test
    void whatATerminalWouldObey_isNotWritten() {
        assertEquals("?31m?a?b", TextTable.printable("\u009b31m\u202ea\nb"));
        table.add("\u001b[2Jevil", List.of("1", "\u0007"));
        assertEquals("?[2Jevil", table.lines(40).getLast().split("  ")[0]);
        assertEquals(false, table.lines(40).getLast().contains("\u0007"));
    }

    @Test
    void durationsAndBytes_areInTheUnitInWhichTheyAreShort() {
        assertEquals(
                List.of("-", "250us", "1.5ms", "20ms", "999ms", "1.0s", "75.3s"),
                List.of(0.0, 0.00025, 0.0015, 0.02, 0.999, 1.0, 75.3).stream()
                        .map(SightText::time)
                        .toList());
        assertEquals(
                List.of("0B", "999B", "1.0K", "10K", "1.5M", "2.0T"),
                List.of(0L, 999L, 1_024L, 10_240L, 3L << 19, 2L << 40).stream()
                        .map(SightText::bytes)
                        .toList());
    }
}
