package io.margay.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `tomcat-users.xml` and its passwords.
final class UsersFileTest {
    private static UsersFile read(String content) {
        String file =
                "<tomcat-users xmlns='http://tomcat.apache.org/xml'>" + content + "</tomcat-users>";
        return UsersFile.read("users.xml", file.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void user_withRolesAndGroups_hasBoth() {
        UsersFile users =
                read(
                        "<role rolename='a'/><group groupname='g' roles='b, c'/>"
                                + "<user username='u' password='s' roles='a' groups='g'/>"
                                + "<user name='v' password='t'/>");
        assertEquals(new User("u", Set.of("a", "b", "c")), users.authenticate("u", "s"));
        assertEquals(new User("v", Set.of()), users.authenticate("v", "t"));
        assertNull(users.authenticate("u", "t"));
        assertNull(users.authenticate("u", ""));
        assertNull(users.authenticate("w", ""));
    }

    @Test
    void user_withoutPassword_cannotLogInByOne() {
        UsersFile users = read("<user username='u' roles='r'/>");
        assertNull(users.authenticate("u", ""));
        assertNull(users.authenticate("u", "null"));
    }

    @Test
    void password_hashed_isChecked() {
        byte[] salt = {1, 2, 3};
        String hash = HexFormat.of().formatHex(Password.Hashed.derive("päss", 1000, salt));
        String kept = "{PBKDF2}1000$010203$" + hash;
        UsersFile users = read("<user username='u' password='" + kept + "'/>");
        assertEquals("u", users.authenticate("u", "päss").name());
        assertEquals("u", users.authenticate("u", "päss").name());
        assertNull(users.authenticate("u", kept));
        assertNull(users.authenticate("u", "pass"));
        assertNull(users.secret("u", "realm", DigestAlgorithm.MD5));
    }

    @Test
    void passwordHash_known_matches() {
        // Another implementation's: hashlib.pbkdf2_hmac('sha256', b'secret', bytes(range(16)), 2).
        String hash = "b7dcf3781e6cb8bc75ff4d6f4310e22e43af83be53e10d22b048ebaea6899319";
        String known = "{PBKDF2}2$000102030405060708090a0b0c0d0e0f$" + hash;
        assertTrue(Password.of(known).matches("secret"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<user password='u'/>",
                "<group roles='r'/>",
                "<user username='u' password='{PBKDF2}1$00$00'/>",
                "<user username='u' password='{PBKDF2}0$00$00'/>",
                "<user username='u' password='{PBKDF2}x'/>",
                "<user username='u'",
            })
    void file_malformed_isRefusedByLine(String content) {
        WebAppException e = assertThrows(WebAppException.class, () -> read(content));
        assertTrue(e.getMessage().contains("users.xml:1"), e.getMessage());
    }
}
