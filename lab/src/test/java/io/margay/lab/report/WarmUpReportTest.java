package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.report.WarmUpReport.Run;
import io.margay.lab.stats.RateCurve.Warmth;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WarmUpReportTest {
    private static Run run(String server, double seconds, long requests) {
        return new Run(
                "page",
                server,
                0.5,
                new Warmth(seconds, requests, seconds / 2, seconds / 4, 1000, 0.05));
    }

    @Test
    void table_hasMediansOfTheRuns_withTheirRange() {
        String text =
                new WarmUpReport(
                                List.of(
                                        run("a", 4, 100),
                                        run("b", 1, 7),
                                        run("a", 8, 300),
                                        run("a", 6, 200)))
                        .markdown();
        assertTrue(
                text.contains(
                        "| page | a | 0.50 | 200 | 6.0 (4.0..8.0) | 3.00 | 1.50 (1.00..2.00)"
                                + " | 1000 | 0.0500 |"),
                text);
        assertTrue(text.contains("| page | b | 0.50 | 7 | 1.0 | 0.50 | 0.25 | 1000 |"), text);
    }
}
