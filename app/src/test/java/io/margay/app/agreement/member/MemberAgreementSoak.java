package io.margay.app.agreement.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The agreement on as many configurations as asked for: `make member-agreement`.
final class MemberAgreementSoak {
    private static final int CONFIGS = Integer.getInteger("margay.agreement.configs", 600);
    private static final long SEED = Long.getLong("margay.agreement.seed", 1);

    @Test
    void whatMembersReceive_ofHttpdAndOfMargay_agrees() throws Exception {
        try (MemberAgreement agreement = new MemberAgreement()) {
            agreement.run(SEED, CONFIGS);
            Files.writeString(Path.of("target", "member-agreement.txt"), agreement.report());
            assertEquals(0, agreement.disagreements().size(), agreement::report);
            assertTrue(agreement.refused() * 10 <= CONFIGS, agreement::report);
        }
    }
}
