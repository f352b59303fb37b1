package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.agreement.Agreement.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The agreement on as many configurations as asked for: `make access-agreement`.
final class AccessAgreementSoak {
    private static final int CONFIGS = Integer.getInteger("margay.agreement.configs", 400);
    private static final long SEED = Long.getLong("margay.agreement.seed", 1);

    @Test
    void access_ofHttpdAndOfMargay_agrees() throws Exception {
        try (AccessAgreement agreement = new AccessAgreement()) {
            for (int i = 0; i < CONFIGS; i++) {
                agreement.run(SEED + i, false);
                agreement.run(SEED + i, true);
            }
            Files.writeString(Path.of("target", "access-agreement.txt"), agreement.report());
            assertEquals(0, agreement.count(Verdict.LAXER), agreement::report);
            assertEquals(0, agreement.count(Verdict.UNEXPLAINED), agreement::report);
            assertTrue(agreement.refused() * 2 <= CONFIGS, agreement::report);
            assertTrue(agreement.invalid() * 5 <= CONFIGS, agreement::report);
        }
    }
}
