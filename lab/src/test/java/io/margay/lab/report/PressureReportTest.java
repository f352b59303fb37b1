package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PressureReportTest {
    @Test
    void tables_haveARowForEachMeasurement_andNoTimesWhereNobodyWasAnswered() {
        String text =
                new PressureReport(
                                List.of(
                                        new PressureReport.Seen(
                                                "nothing else",
                                                1000,
                                                0.5,
                                                2,
                                                0,
                                                0,
                                                0.25,
                                                1,
                                                3,
                                                300,
                                                10),
                                        new PressureReport.Seen(
                                                "readers", 0, 0, 0, 7, 0, 1, 1, 0, 300, 10)),
                                List.of(new PressureReport.Grown(1000, 301)),
                                List.of("a note"))
                        .markdown();
        List<String> lines = text.lines().toList();
        assertEquals(
                "| nothing else | 1000 | 0.50 | 2.00 | 0 | 0 | 25 | 100 | 3 | 300 | 10 |",
                lines.get(2));
        assertTrue(lines.get(3).startsWith("| readers | 0 | – | – | 7 |"), lines.get(3));
        assertTrue(lines.contains("| 1000 | 301 |"), text);
        assertEquals("- a note", lines.getLast());
    }
}
