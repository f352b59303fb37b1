package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.lab.report.BuildStartReport.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BuildStartReportTest {
    @Test
    void builds_areComparedWithTheFirst_roundByRound() {
        String text =
                new BuildStartReport(
                                List.of(
                                        new Start("page", "a", 1, 1000, 80, 30, 0.1),
                                        new Start("page", "b", 2, 1500, 90, 31, 0.2),
                                        new Start("page", "a", 2, 1200, 84, 30, 0.1),
                                        new Start("page", "b", 2, 1200, 84, 31, 0.2),
                                        new Start("gateway", "a", 3, 900, 70, 20, 0)))
                        .markdown();
        List<String> rows = text.lines().skip(2).toList();
        assertEquals(
                List.of(
                        "| page | a | 1.50 (1.00..2.00) | 1.00 | 1100 (1000..1200) | 1.00 |"
                                + " 82 (80..84) | 1.00 | 30 | 0.10 |",
                        "| page | b | 2.00 (2.00..2.00) | 1.50 | 1350 (1200..1500) | 1.25 |"
                                + " 87 (84..90) | 1.06 | 31 | 0.20 |",
                        "| gateway | a | 3.00 (3.00..3.00) | 1.00 | 900 (900..900) | 1.00 |"
                                + " 70 (70..70) | 1.00 | 20 | 0.00 |"),
                rows);
    }
}
