package io.margay.gateway.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines that `htpasswd` and `openssl passwd` have written for the password "secret".
final class PasswordHashTest {
    private static final LoginLimits LIMITS = LoginLimits.defaults();
    private static final String BCRYPT =
            "$2y$05$zFtZ9TbDUPWOWub6xKYMdONcC8HMOFavyjH6KwBMBVYdV4s/bQTL6";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean matches(String password, String stored) {
        return PasswordHash.isKnown(stored, LIMITS)
                && PasswordHash.matches(bytes(password), stored);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                BCRYPT,
                "$apr1$wwgko7hg$cwxkbcbRC.lybDr58VGG80",
                "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=",
                "saHW9GdxihkGQ",
                "$1$abcdefgh$cHJi5PXp/ki/ktXzqlk6I1",
                "$5$ljQf1EqnNkPiYjle$imwr7vrLigMekKJACRUQXM96S9Q5KAxi..hkoEyHmTB",
                "$6$abcdefgh$ltjgWl6579NluT/Vi1nwEvcil.G5Nbc4NiXZaNGStk8PSwGfQv72N2CKPPrVACtLtip/cZ"
                        + "/1GM/O6IND4WQhG."
            })
    void password_ofEachKind_matchesItsOwnOnly(String stored) {
        assertTrue(matches("secret", stored));
        assertFalse(matches("Secret", stored));
        assertFalse(matches("", stored));
    }

    @Test
    void password_withLettersBeyondAscii_isTakenAsOctets() {
        assertTrue(
                matches(
                        "s\u00e9cret",
                        "$2y$05$bv0XWATWEXj1vWJL4iAbs.KwgckM2oTTS0ouq3wW4kvI5s.lkeoZa"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "",
                "{SHA}short",
                "$2y$31$zFtZ9TbDUPWOWub6xKYMdONcC8HMOFavyjH6KwBMBVYdV4s/bQTL6",
                "$2y$03$zFtZ9TbDUPWOWub6xKYMdONcC8HMOFavyjH6KwBMBVYdV4s/bQTL6",
                "$2x$05$zFtZ9TbDUPWOWub6xKYMdONcC8HMOFavyjH6KwBMBVYdV4s/bQTL6",
                "$5$rounds=999999999$abc$imwr7vrLigMekKJACRUQXM96S9Q5KAxi..hkoEyHmTB",
                "$apr1$wwgko7hg$",
                "$argon2id$v=19$m=1$abc"
            })
    void stored_inClearOrTooCostly_isOfNoKnownKind(String stored) {
        assertFalse(PasswordHash.isKnown(stored, LIMITS));
    }

    @Test
    void users_ofAFile_areFoundByName() {
        UserLines users =
                UserLines.users(
                        "# users\n\nada:"
                                + BCRYPT
                                + ":a comment\nbob:secret\r\n"
                                + "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n"
                                + ":"
                                + BCRYPT
                                + "\nno colon\n",
                        LIMITS);
        assertTrue(users.matches(new Credentials("ada", bytes("secret"))));
        assertFalse(users.matches(new Credentials("bob", bytes("secret"))));
        assertFalse(users.matches(new Credentials("# users", bytes("secret"))));
        assertFalse(users.matches(new Credentials("no colon", bytes("secret"))));
        assertFalse(users.matches(new Credentials("", bytes("secret"))));
        assertEquals(java.util.List.of("bob"), users.unusable());
    }

    @Test
    void groups_ofAFile_areThoseOfAllItsLines() {
        var groups = UserLines.groups("# none: ada\nadmins: ada  bob\nstaff:ada\n\nAdmins: eve\n");
        assertEquals(Set.of("admins", "staff"), groups.get("ada"));
        assertEquals(Set.of("admins"), groups.get("bob"));
        assertEquals(Set.of("admins"), groups.get("eve"));
        assertEquals(3, groups.size());
    }
}
