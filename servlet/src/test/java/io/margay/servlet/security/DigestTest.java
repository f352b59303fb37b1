package io.margay.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The parts of DIGEST (RFC 7616).
final class DigestTest {
    private static final String EXAMPLE =
            "Digest username=\"Mufasa\", realm=\"http-auth@example.org\","
                    + " uri=\"/dir/index.html\","
                    + " nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", nc=00000001,"
                    + " cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", qop=auth,"
                    + " response=\"x\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";

    @ParameterizedTest
    @CsvSource({
        "MD5, 8ca523f5e9506fed4657c9700eebdbec",
        "SHA-256, 753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    })
    void response_ofTheExample_isThatOfTheRfc(String algorithm, String response) {
        DigestCredentials given = DigestCredentials.parse(EXAMPLE + ", algorithm=" + algorithm);
        String ha1 = given.algorithm().hash("Mufasa", "http-auth@example.org", "Circle of Life");
        assertEquals(response, given.expected(ha1, "GET"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Digest ",
                "Basic dTpw",
                "Digest username",
                "Digest username=\"u",
                "Digest username=\"u\" x, realm=\"r\"",
            })
    void field_malformed_isNone(String field) {
        assertNull(DigestCredentials.parse(field));
    }

    /// White space around "=" (RFC 9110 §11.2), and parameters that nobody knows (RFC 7616 §3.4).
    @ParameterizedTest
    @ValueSource(
            strings = {
                "username = \"Mufasa\"",
                "username\t=\t\"Mufasa\"",
                "x_y=1, username=Mufasa",
            })
    void field_asOthersWriteIt_isRead(String parameter) {
        String field = EXAMPLE.replace("username=\"Mufasa\"", parameter);
        assertEquals("Mufasa", DigestCredentials.parse(field).username());
    }

    @ParameterizedTest
    @ValueSource(strings = {"qop=auth", "nc=00000001", "username=\"Mufasa\""})
    void field_changed_isNone(String parameter) {
        assertNull(DigestCredentials.parse(EXAMPLE.replace(parameter, "x=y")));
        assertNull(DigestCredentials.parse(EXAMPLE + ", " + parameter));
        assertNull(DigestCredentials.parse(EXAMPLE + ", algorithm=SHA-1"));
    }

    @Test
    void nonce_usedTwice_isNoticed() {
        Nonces nonces = new Nonces(() -> 0);
        assertTrue(nonces.use("n", 1));
        assertFalse(nonces.use("n", 1));
        assertTrue(nonces.use("n", 70));
        assertFalse(nonces.use("n", 6));
        assertTrue(nonces.use("n", 7));
        assertFalse(nonces.use("n", 7));
        assertTrue(nonces.use("n", 69));
        assertFalse(nonces.use("n", 69));
        assertTrue(nonces.use("n", 71));
        assertFalse(nonces.use("n", 70));
        assertFalse(nonces.use("n", 0));
        assertTrue(nonces.use("m", 1));
    }
}
