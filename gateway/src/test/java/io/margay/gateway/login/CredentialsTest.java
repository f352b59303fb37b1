package io.margay.gateway.login;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CredentialsTest {
    private static final LoginLimits LIMITS = LoginLimits.defaults();

    private static String field(String pair) {
        byte[] octets = pair.getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(octets);
    }

    @Test
    void field_withNameAndPassword_isSplitAtTheFirstColon() {
        Credentials found = Credentials.parse(field("ada:a:b"), LIMITS);
        assertNotNull(found);
        assertEquals("ada", found.name());
        assertArrayEquals(new byte[] {'a', ':', 'b'}, found.password());
    }

    @Test
    void name_beyondAscii_isReadAsUtf8() {
        Credentials found = Credentials.parse(field("\u00e9ve:x"), LIMITS);
        assertNotNull(found);
        assertEquals("\u00e9ve", found.name());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Basic",
                "Basic ",
                "Basic !!!!",
                "Basic YWRh",
                "BasicYWRhOng=",
                "Bearer YWRhOng=",
                "Negotiate YWRhOng=",
                "Basic YWRhOng=, Basic YWRhOng="
            })
    void field_thatIsMalformed_isNone(String field) {
        assertNull(Credentials.parse(field, LIMITS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {":x", "ada\u0000:x", "ada:x\u0000y", "ad\na:x", "ada:x\u007f", "ada\t:"})
    void pair_withoutANameOrWithControls_isNone(String pair) {
        assertNull(Credentials.parse(field(pair), LIMITS));
    }

    @Test
    void password_thatIsTooLong_isNone() {
        int max = LIMITS.passwordBytesMax();
        assertNotNull(Credentials.parse(field("ada:" + "x".repeat(max)), LIMITS));
        assertNull(Credentials.parse(field("ada:" + "x".repeat(max + 1)), LIMITS));
    }
}
