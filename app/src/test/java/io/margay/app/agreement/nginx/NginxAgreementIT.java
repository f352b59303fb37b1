package io.margay.app.agreement.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// What nginx answers, Margay answers from the same file, or refuses: forty of the servers of `make
/// nginx-agreement`.
final class NginxAgreementIT {
    private static final int CONFIGS = 40;

    @Test
    void answers_ofGeneratedServers_areThoseOfNginxOrStricter() throws Exception {
        try (NginxAgreement agreement = new NginxAgreement()) {
            agreement.run(1, CONFIGS);
            assertEquals(0, agreement.disagreements().size(), agreement::report);
            assertTrue(agreement.refused() * 10 <= CONFIGS, agreement::report);
            assertEquals(CONFIGS, agreement.compared() + agreement.refused());
        }
    }
}
