package io.margay.gateway.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Logging in by Digest, with the example of RFC 7616 §3.9.1.
final class DigestTest {
    private static final String MUFASA =
            "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", uri=\"/dir/index.html\","
                    + " algorithm=MD5, nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\","
                    + " nc=00000001, cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\","
                    + " qop=auth, response=\"8ca523f5e9506fed4657c9700eebdbec\","
                    + " opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";

    /// Of `Mufasa:http-auth@example.org:Circle of Life`.
    private static final String SECRET = "3d78807defe7de2157e2b0b6573a855f";

    @Test
    void field_ofTheStandard_isFromWhoKnowsThePassword() {
        DigestField field = DigestField.parse(MUFASA);
        assertNotNull(field);
        assertEquals("Mufasa", field.name());
        assertTrue(field.isFrom(SECRET, "GET"));
        assertFalse(field.isFrom(SECRET, "POST"));
        assertFalse(field.isFrom("", "GET"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "qop=auth|qop=auth-int",
                " qop=auth,|",
                "nc=00000001|nc=1",
                "algorithm=MD5|algorithm=MD5-sess",
                "algorithm=MD5|algorithm=SHA-256",
                "Mufasa|Muf:asa",
                "Mufasa\"|Mufasa",
                "username=\"Mufasa\"|username*=UTF-8''Mufasa",
                "nc=00000001|nc=00000001, nc=00000002",
                "response=|response ",
                "Digest |Basic ",
                "8ca523f5|8ca523fg"
            })
    void field_thatIsOtherwise_isNone(String change) {
        int bar = change.indexOf('|');
        String field = MUFASA.replace(change.substring(0, bar), change.substring(bar + 1));
        assertFalse(field.equals(MUFASA), change);
        assertNull(DigestField.parse(field), field);
    }

    @Test
    void field_thatIsLong_isReadInOneGo() {
        assertNull(DigestField.parse("Digest username=\"" + "\\a".repeat(50_000)));
        assertNull(DigestField.parse("Digest " + "a=b,".repeat(5_000)));
    }

    @Test
    void lines_ofHtdigest_areReadByNameAndRealm() {
        assertEquals(
                Map.of("ada:a b", SECRET, "ada:c", "0".repeat(32)),
                UserLines.digests(
                        "# comment\nada:a b:"
                                + SECRET
                                + "\nada:a b:"
                                + "1".repeat(32)
                                + "\nada:c:"
                                + "0".repeat(32)
                                + "\nbob:c:secret\n:c:"
                                + SECRET
                                + "\n"));
    }
}
