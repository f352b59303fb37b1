package io.margay.app.agreement.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// What members and browsers receive behind Margay is what they receive behind Apache httpd: sixty
/// of the configurations of `make member-agreement`.
final class MemberAgreementIT {
    private static final int CONFIGS = 60;

    @Test
    void whatMembersReceive_inGeneratedConfigurations_isWhatHttpdSends() throws Exception {
        try (MemberAgreement agreement = new MemberAgreement()) {
            agreement.run(1, CONFIGS);
            assertEquals(0, agreement.disagreements().size(), agreement::report);
            assertEquals(CONFIGS, agreement.compared(), agreement::report);
            assertTrue(agreement.refused() * 10 <= CONFIGS, agreement::report);
        }
    }

    /// Where `PT` leads into a `Location` with a `ProxyPass`, and the path as it came is elsewhere.
    @Test
    void path_thatARuleHasLedIntoALocation_isPassedOnAsByHttpd() throws Exception {
        try (MemberAgreement agreement = new MemberAgreement()) {
            agreement.run(428, 1);
            assertEquals(0, agreement.disagreements().size(), agreement::report);
        }
    }

    @Test
    void webSocket_thatARulePassesOn_isOpenedAsByHttpd_whereverTheRuleStands() throws Exception {
        try (MemberAgreement agreement = new MemberAgreement()) {
            agreement.run(WrittenCases.sockets(agreement.member()));
            assertEquals(0, agreement.disagreements().size(), agreement::report);
        }
    }

    @Test
    void variables_ofSetEnvAndSetEnvIf_areWhatHttpdLooksUpAndTellsPrograms() throws Exception {
        try (MemberAgreement agreement = new MemberAgreement()) {
            agreement.run(WrittenCases.variables());
            assertEquals(0, agreement.disagreements().size(), agreement::report);
        }
    }
}
