package io.margay.app.agreement.httpd;

import org.junit.jupiter.api.Test;

/// What Apache httpd refuses, Margay refuses, where users may have to log in: twenty of the
/// configurations of `make access-agreement`.
final class UsersAccessAgreementIT {
    @Test
    void access_withUsers_isHttpds() throws Exception {
        AccessAgreement.holds(20, true);
    }
}
