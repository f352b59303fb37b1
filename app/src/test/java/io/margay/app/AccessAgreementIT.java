package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.agreement.Agreement.Verdict;
import org.junit.jupiter.api.Test;

/// What Apache httpd refuses, Margay refuses: twenty of the configurations of `make
/// access-agreement`.
final class AccessAgreementIT {
    private static final int CONFIGS = 20;
    private static final int REFUSED_MAX = CONFIGS / 4;

    @Test
    void access_withUsers_isHttpds() throws Exception {
        try (AccessAgreement agreement = new AccessAgreement()) {
            for (int seed = 1; seed <= CONFIGS; seed++) {
                agreement.run(seed, true);
            }
            assertEquals(0, agreement.count(Verdict.LAXER), agreement::report);
            assertEquals(0, agreement.count(Verdict.UNEXPLAINED), agreement::report);
            assertEquals(0, agreement.invalid(), agreement::report);
            assertTrue(agreement.refused() <= REFUSED_MAX, agreement::report);
        }
    }

    @Test
    void access_inGeneratedConfigurations_isNeverLaxerThanHttpds() throws Exception {
        try (AccessAgreement agreement = new AccessAgreement()) {
            for (int seed = 1; seed <= CONFIGS; seed++) {
                agreement.run(seed, false);
            }
            assertEquals(0, agreement.count(Verdict.LAXER), agreement::report);
            assertEquals(0, agreement.count(Verdict.UNEXPLAINED), agreement::report);
            assertEquals(0, agreement.invalid(), agreement::report);
            assertTrue(agreement.refused() <= REFUSED_MAX, agreement::report);
        }
    }
}
