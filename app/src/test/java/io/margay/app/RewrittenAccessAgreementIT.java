package io.margay.app;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What Apache httpd refuses, Margay refuses, where the path that sections ask for is not the one
/// of the file: rules lead elsewhere, or another page takes its place.
final class RewrittenAccessAgreementIT {
    @ParameterizedTest
    @ValueSource(
            strings = {"fallback.conf", "index.conf", "rewritten.conf", "rewritten-twice.conf"})
    void access_byPathThatIsNotTheFiles_isNeverLaxerThanHttpds(String file) throws Exception {
        AccessAgreement.holds(file);
    }
}
