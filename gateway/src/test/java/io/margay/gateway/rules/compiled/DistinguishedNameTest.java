package io.margay.gateway.rules.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.compiled.DistinguishedName.Part;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;

final class DistinguishedNameTest {
    /// Written with the last part first (RFC 2253).
    private static final DistinguishedName ADA =
            DistinguishedName.of(
                    new X500Principal(
                            "EMAILADDRESS=ada@example.org, CN=\"Ada, OU=admins\", OU=second,"
                                    + " OU=first, O=Example \\+ Sons, C=GB"));

    @Test
    void parts_areInTheOrderOfTheCertificate_byModSslsNames() {
        assertEquals("Ada, OU=admins", ADA.value("CN"));
        assertEquals("first", ADA.value("OU"));
        assertEquals("first", ADA.value("ou_0"));
        assertEquals("second", ADA.value("OU_1"));
        assertEquals("", ADA.value("OU_2"));
        assertEquals("", ADA.value("OU_x"));
        assertEquals("ada@example.org", ADA.value("EMAIL"));
        assertEquals("Example + Sons", ADA.value("O"));
        assertEquals("", ADA.value("L"));
    }

    @Test
    void part_thatStandsInTheValueOfAnother_isNone() {
        assertTrue(ADA.has(Part.parse("OU=second")));
        assertFalse(ADA.has(Part.parse("OU=admins")));
        assertFalse(ADA.has(Part.parse("OU=Second")));
        assertTrue(ADA.has(Part.parse("cn=Ada, OU=admins")));
        assertThrows(IllegalArgumentException.class, () -> Part.parse("OU="));
        assertThrows(IllegalArgumentException.class, () -> Part.parse("staff"));
    }
}
