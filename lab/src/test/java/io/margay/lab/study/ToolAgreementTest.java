package io.margay.lab.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ToolAgreementTest {
    /// Of `rate` the first figure counts, of the others the second.
    @ParameterizedTest
    @CsvSource({
        "rate, ab, 1000, 1015, 0.1, 0.1, true",
        "rate, ab, 1000, 1100, 0.1, 0.1, false",
        "cost, wrk, 1000, 2000, 0.14, 0.1, true",
        "cost, wrk, 1000, 2000, 0.16, 0.1, false",
        "cost, ab, 1000, 2000, 0.16, 0.1, true",
        "tls, openssl, 10, 20, 4.2, 4.0, true",
        "tls, openssl, 10, 20, 5.0, 4.0, false"
    })
    void lab_besideATool(
            String kind,
            String tool,
            double ownRate,
            double rate,
            double ownCpu,
            double cpu,
            boolean agrees) {
        ToolAgreement agreement = new ToolAgreement();
        agreement.add(kind, ToolAgreement.LAB, ownRate, ownCpu);
        agreement.add(kind, tool, rate, cpu);
        assertEquals(agrees, agreement.agrees(), agreement.text());
        assertEquals(!agrees, agreement.text().contains("MISS"));
        assertTrue(agreement.text().contains(tool));
    }

    @ParameterizedTest
    @CsvSource({"1000, 1200, true", "1000, 1040, false"})
    void rates_whoseRoundsOverlap_agree(double first, double second, boolean agrees) {
        ToolAgreement agreement = new ToolAgreement();
        agreement.add("rate", ToolAgreement.LAB, first, 0.1);
        agreement.add("rate", ToolAgreement.LAB, second, 0.1);
        agreement.add("rate", "wrk", 1150, 0.1);
        assertEquals(agrees, agreement.agrees(), agreement.text());
    }
}
