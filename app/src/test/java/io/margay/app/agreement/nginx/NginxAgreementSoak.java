package io.margay.app.agreement.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Many of the same: `make nginx-agreement CONFIGS=400 SEED=1`.
final class NginxAgreementSoak {
    @Test
    void answers_ofManyServers_areThoseOfNginxOrStricter() throws Exception {
        try (NginxAgreement agreement = new NginxAgreement()) {
            agreement.run(
                    Long.getLong("margay.agreement.seed", 1),
                    Integer.getInteger("margay.agreement.configs", 400));
            Files.writeString(Path.of("target/nginx-agreement.txt"), agreement.report() + "\n");
            assertEquals(0, agreement.disagreements().size(), agreement::report);
        }
    }
}
