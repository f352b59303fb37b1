package io.margay.gateway.shield;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.shield.ClearanceTokens.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Signed texts that challenges and cookies are.
final class ClearanceTokensTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final byte[] HOLDER = "network and host".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OTHER = "network and hosu".getBytes(StandardCharsets.UTF_8);

    private long now = 1_700_000_000_000L;
    private final ClearanceTokens tokens = tokens("one secret of many");

    private ClearanceTokens tokens(String secret) {
        return new ClearanceTokens(
                secret.getBytes(StandardCharsets.UTF_8), HOUR, () -> now, new SplittableRandom(1));
    }

    private long age(String token) {
        return tokens.age(token, Kind.PASS, HOLDER, HOUR);
    }

    @Test
    void token_isTheHolders_forItsTime_acrossRotatedKeys() {
        String token = tokens.make(Kind.PASS, HOLDER);
        assertEquals(ClearanceTokens.CHARS, token.length());
        assertEquals(0, age(token));
        now += 3_600_000;
        assertEquals(3_600, age(token), "by the key of its time");
        now += 1_000;
        assertEquals(-1, age(token));
        now -= 3_700_000;
        assertEquals(-1, age(token), "it is not of a later time");
    }

    @Test
    void token_ofAnotherHolder_kindOrSecret_isNone() {
        String token = tokens.make(Kind.PASS, HOLDER);
        assertEquals(-1, tokens.age(token, Kind.PASS, OTHER, HOUR));
        assertEquals(-1, tokens.age(token, Kind.QUESTION, HOLDER, HOUR));
        assertEquals(-1, tokens("another secret here").age(token, Kind.PASS, HOLDER, HOUR));
        assertEquals(0, tokens("one secret of many").age(token, Kind.PASS, HOLDER, HOUR));
        assertNotEquals(token, tokens.make(Kind.PASS, HOLDER));
    }

    @Test
    void token_thatIsForged_anywhere_isNone() {
        byte[] token = Base64.getUrlDecoder().decode(tokens.make(Kind.PASS, HOLDER));
        for (int bit = 0; bit < token.length * 8; bit++) {
            byte[] forged = token.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            assertEquals(-1, age(Base64.getUrlEncoder().withoutPadding().encodeToString(forged)));
        }
        for (String text :
                new String[] {"", "x", "é".repeat(44), "=".repeat(44), "A".repeat(5_000)}) {
            assertEquals(-1, age(text));
        }
    }

    @Test
    void proof_isANumberWithWhichTheHashBeginsWithZeros() {
        int number = 0;
        while (!ClearanceTokens.isProof("text", String.valueOf(number), 12)) {
            number++;
        }
        assertTrue(number > 0);
        assertFalse(ClearanceTokens.isProof("texu", String.valueOf(number), 12));
        assertTrue(ClearanceTokens.isProof("anything", "1", 0));
    }
}
