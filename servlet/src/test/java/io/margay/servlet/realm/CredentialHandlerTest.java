package io.margay.servlet.realm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stored credentials, made with Python's hashlib.
class CredentialHandlerTest {
    private static CredentialHandler digest(String algorithm) {
        return new CredentialHandler.Digest(algorithm, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "SHA-256, 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
        "SHA-256, 2BB80D537B1DA3E38BD30361AA855686BDE0EACD7162FEF6A25FE97BF527A25B",
        "SHA-1, {SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=",
        "SHA-1, {SSHA}1G904nLkTkGWjKNnQuB/hpWXC/hzYWx0c2FsdA==",
        "MD5, {MD5}Xr4ilOzQ4PCOq3aQ0qbuaQ==",
        "SHA-512, 73616c7473616c74$3$d25bc58c4f7134e706f4de267511f3fe651080258ee76da219f546c38e6"
                + "21ad12b076382afaf839b8b73a8691fe9353592d45c3b81253578a785ed878049897f"
    })
    void digest_ofEachForm_matchesItsPasswordAlone(String algorithm, String stored) {
        CredentialHandler handler = digest(algorithm);
        assertTrue(handler.matches("secret", stored));
        assertFalse(handler.matches("Secret", stored));
        assertFalse(handler.matches("", stored));
        assertFalse(handler.matches(stored, stored));
        assertNull(handler.clear(stored));
    }

    @ParameterizedTest
    @CsvSource({
        "PBKDF2WithHmacSHA1, 73616c7473616c74$1000$8b09c61e3ddee1285f60003548fcfb0963b1e8e2",
        "PBKDF2WithHmacSHA512, 73616c7473616c74$1000$"
                + "b26d3dad4cd2dfefb7f9caac5b3888a1614ef1b1249cac09c0612fc83d6b6b83"
    })
    void secretKey_matchesItsPasswordAlone(String algorithm, String stored) {
        CredentialHandler handler = new CredentialHandler.SecretKey(algorithm, 1000);
        assertTrue(handler.matches("secret", stored));
        assertFalse(handler.matches("secret ", stored));
        assertFalse(handler.matches("", stored));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "00",
                "$",
                "$$",
                "00$1$",
                "00$0$00",
                "00$99999999$00",
                "00$-1$00",
                "zz$1$00",
                "00$1$zz",
                "{SSHA}",
                "{SSHA}AAAA",
                "{SHA}",
                "{MD5}",
                "{SHA}*"
            })
    void stored_damaged_matchesNothing(String stored) {
        for (CredentialHandler handler :
                List.of(
                        digest("SHA-256"),
                        new CredentialHandler.SecretKey("PBKDF2WithHmacSHA256", 1))) {
            assertFalse(handler.matches("secret", stored));
            assertFalse(handler.matches("", stored));
        }
    }

    @Test
    void asInFile_isClearOrPbkdf2() {
        CredentialHandler handler = new CredentialHandler.AsInFile();
        assertTrue(handler.matches("secret", "secret"));
        assertFalse(handler.matches("secret", "secre"));
        assertEquals("secret", handler.clear("secret"));
        assertNull(handler.clear("{PBKDF2}1$00$00"));
        assertFalse(handler.matches("{PBKDF2}1$00$00", "{PBKDF2}1$00$00"));
    }

    @Test
    void anyOf_takesWhicheverMatches() {
        CredentialHandler both =
                new CredentialHandler.AnyOf(
                        List.of(digest("SHA-256"), new CredentialHandler.AsInFile()));
        assertTrue(both.matches("secret", "secret"));
        assertTrue(
                both.matches(
                        "secret",
                        "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"));
        assertFalse(both.matches("secret", "other"));
    }

    @Test
    void decoys_matchNothing() {
        CredentialHandler key = new CredentialHandler.SecretKey("PBKDF2WithHmacSHA1", 1000);
        assertFalse(key.matches("secret", key.decoy()));
        assertFalse(digest("MD5").matches("secret", digest("MD5").decoy()));
    }

    @Test
    void algorithm_unknown_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> digest("ROT13"));
        assertThrows(
                IllegalArgumentException.class, () -> new CredentialHandler.SecretKey("ROT13", 1));
    }
}
