package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.result.BuildComparison.Verdict;
import io.margay.lab.result.Samples;
import org.junit.jupiter.api.Test;

final class BuildReportTest {
    private static final double[] COSTS = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};

    @Test
    void worseRow_isATableLine_withTheCommandThatMeasuresItAgain() {
        BuildReport report =
                new BuildReport(
                        Samples.run(
                                Samples.cell("before:nio", 0.5, COSTS),
                                Samples.cell(
                                        "margay:nio", 0.5, 0.12, 0.12, 0.12, 0.12, 0.12, 0.12)));
        String text = report.markdown();
        assertTrue(
                text.contains("| 0.1000 → 0.1200 | 1.20 (1.20 to 1.20) | – | – | **worse: CPU** |"),
                text);
        assertTrue(text.contains("1 worse, 0 equal, 0 better, 0 without a verdict."), text);
        assertTrue(text.contains("`./margay lab run heartbeat --scenarios one`"), text);
        assertTrue(text.contains("Note: a <note>"), text);
        assertEquals(1, report.count(Verdict.WORSE));
    }

    @Test
    void fewRounds_areCalledRough() {
        String text =
                new BuildReport(
                                Samples.run(
                                        Samples.cell("before:nio", 0.5, 0.1, 0.1),
                                        Samples.cell("margay:nio", 0.5, 0.102, 0.102)))
                        .markdown();
        assertTrue(text.contains("| rough: equal |"), text);
    }
}
