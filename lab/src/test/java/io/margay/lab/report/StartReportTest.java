package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.report.StartReport.Front;
import io.margay.lab.report.StartReport.Held;
import io.margay.lab.report.StartReport.Memory;
import io.margay.lab.report.StartReport.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StartReportTest {
    @Test
    void tables_haveMediansOfTheStarts_andWhatWasHeld() {
        String text =
                new StartReport(
                                List.of(
                                        new Start("a", 900, 1.5, 100),
                                        new Start("b", 400, 0.5, 50),
                                        new Start("a", 700, 1.3, 120),
                                        new Start("a", 800, 1.4, 110)),
                                List.of(new Memory("a", 100, 200, 150, 12345)),
                                List.of(new Front("g", 55.4, 61.6, 17)),
                                List.of(new Held("10000 plain, native", 14)),
                                10,
                                5)
                        .markdown();
        assertTrue(text.contains("| a | 800 (900, 700, 800) | 1.40 | 110 |"), text);
        assertTrue(text.contains("| b | 400 (400) | 0.50 | 50 |"), text);
        assertTrue(text.contains("after 10 s of load"), text);
        assertTrue(text.contains("| a | 100 | 200 | 150 | 12345 |"), text);
        assertTrue(text.contains("| g | 55 | 62 | 17 |"), text);
        assertTrue(text.contains("| 10000 plain, native | 14 |"), text);
    }

    @Test
    void whatWasNotMeasured_hasNoTable() {
        String text =
                new StartReport(
                                List.of(new Start("a", 1, 1, 1)),
                                List.of(),
                                List.of(),
                                List.of(),
                                0,
                                0)
                        .markdown();
        assertFalse(text.contains("heap"), text);
        assertFalse(text.contains("connections"), text);
        assertFalse(text.contains("front end"), text);
    }
}
