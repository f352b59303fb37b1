package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.lab.report.AppsReport.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AppsReportTest {
    @Test
    void table_hasARowForEachCountServerAndKindOfStart() {
        String text =
                new AppsReport(
                                List.of(
                                        new Start(1, "a", false, 900, 1.5, 100),
                                        new Start(1, "a", true, 400, 0.5, 50),
                                        new Start(1, "a", false, 700, 1.3, 120),
                                        new Start(10, "a", false, 2000, 4, 110)))
                        .markdown();
        assertEquals(
                List.of(
                        "| 1 | a | first | 800 | 1.40 | 110 |",
                        "| 1 | a | again | 400 | 0.50 | 50 |",
                        "| 10 | a | first | 2000 | 4.00 | 110 |"),
                text.lines().skip(2).toList());
    }
}
