package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.report.ApplicationsReport.Held;
import io.margay.lab.report.ApplicationsReport.Round;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ApplicationsReportTest {
    @Test
    void costs_areComparedRoundByRound_withTheFewestApplications() {
        String text =
                new ApplicationsReport(
                                List.of(
                                        new Round("a", 1, 0.10, 500),
                                        new Round("a", 11, 0.11, 450),
                                        new Round("a", 11, 0.24, 250),
                                        new Round("a", 1, 0.20, 250),
                                        new Round("b", 1, 0.30, 100)),
                                List.of(
                                        new Held("a", 1, 50),
                                        new Held("a", 11, 75),
                                        new Held("b", 1, 90)))
                        .markdown();
        assertTrue(text.contains("| a | 1 | 0.1500 | 1 | 375 | 50 |  |"), text);
        assertTrue(
                text.contains("| a | 11 | 0.1750 | 1.15 (1.10..1.20) | 350 | 75 | 2.50 |"), text);
        assertTrue(text.contains("| b | 1 | 0.3000 | 1 | 100 | 90 |  |"), text);
    }
}
