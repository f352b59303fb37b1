package io.margay.app.agreement.httpd;

import org.junit.jupiter.api.Test;

/// What Apache httpd refuses, Margay refuses: twenty of the configurations of `make
/// access-agreement`.
final class AccessAgreementIT {
    @Test
    void access_inGeneratedConfigurations_isNeverLaxerThanHttpds() throws Exception {
        AccessAgreement.holds(20, false);
    }
}
