package io.margay.lab.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
    private static Comparison compare(CellResult cell, CellResult reference) {
        return Comparison.of(cell, reference, Metric.CPU, 1);
    }

    @Test
    void halfTheCpu_isSaidSo() {
        CellResult half = Samples.cell("a", 0.5, 0.05, 0.051, 0.049, 0.05, 0.05, 0.05);
        CellResult whole = Samples.cell("b", 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
        Comparison comparison = compare(half, whole);
        assertTrue(comparison.differs());
        assertEquals("a uses 0.50 × the CPU of b (0.49 to 0.51, n = 6)", comparison.words());
    }

    @Test
    void ratiosOnBothSides_showNoDifference() {
        CellResult a = Samples.cell("a", 0.5, 0.1, 0.104, 0.097, 0.1, 0.103, 0.096);
        CellResult b = Samples.cell("b", 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
        assertFalse(compare(a, b).differs());
        assertTrue(compare(a, b).words().startsWith("no difference in CPU"), compare(a, b).words());
    }

    @Test
    void onePercent_isSureButMattersToNobody() {
        CellResult a = Samples.cell("a", 0.5, 0.101, 0.101, 0.101, 0.101, 0.101, 0.101);
        CellResult b = Samples.cell("b", 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
        assertTrue(
                compare(a, b).words().startsWith("no difference of 2 % or more"),
                compare(a, b).words());
    }

    @Test
    void driftThatHitsBoth_isNoDifference() {
        CellResult a = Samples.cell("a", 0.5, 0.10, 0.12, 0.14, 0.16, 0.18, 0.20);
        CellResult b = Samples.cell("b", 0.5, 0.10, 0.12, 0.14, 0.16, 0.18, 0.20);
        assertEquals(1.0, compare(a, b).ratio().estimate(), 1e-9);
        assertFalse(compare(a, b).differs());
    }

    @Test
    void generatorThatWasTheBottleneck_givesNoVerdict() {
        CellResult a = Samples.cell("a", 0.99, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05);
        CellResult b = Samples.cell("b", 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
        assertFalse(compare(a, b).differs());
        assertTrue(compare(a, b).words().contains("bottleneck for a"), compare(a, b).words());
    }

    @Test
    void fewRounds_nameOnlyLargeDifferences_andSaySo() {
        CellResult b = Samples.cell("b", 0.5, 0.1, 0.1, 0.1);
        Comparison small = compare(Samples.cell("a", 0.5, 0.105, 0.105, 0.105), b);
        Comparison large = compare(Samples.cell("a", 0.5, 0.15, 0.15, 0.15), b);
        assertTrue(small.words().startsWith("rough: no difference"), small.words());
        assertTrue(large.words().startsWith("rough: a uses 1.50"), large.words());
    }

    @Test
    void roundsThatDoNotCount_areNoPairs() {
        CellResult b = Samples.cell("b", 0.5, 0.1);
        CellResult none =
                new CellResult(
                        "a",
                        "a",
                        "/",
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of(),
                        "did not start");
        assertTrue(compare(none, b).words().contains("no verdict"), compare(none, b).words());
    }
}
