package io.margay.server.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignedNoncesTest {
    private static final Duration LIFE = Duration.ofMinutes(5);

    @Test
    void nonce_livesAsLongAsSaid_forItsRealm() {
        AtomicLong time = new AtomicLong(17);
        SignedNonces nonces = new SignedNonces(time::get);
        String nonce = nonces.next("a");
        assertEquals(SignedNonces.State.GOOD, nonces.check(nonce, "a", LIFE));
        assertEquals(SignedNonces.State.FOREIGN, nonces.check(nonce, "b", LIFE));
        assertEquals(SignedNonces.State.FOREIGN, nonces.check("", "a", LIFE));
        assertEquals(SignedNonces.State.FOREIGN, nonces.check("AAAAAAAAAAA", "a", LIFE));
        assertEquals(SignedNonces.State.FOREIGN, nonces.check("B" + nonce.substring(1), "a", LIFE));
        assertEquals(
                SignedNonces.State.FOREIGN, new SignedNonces(time::get).check(nonce, "a", LIFE));
        time.addAndGet(TimeUnit.MINUTES.toNanos(5) - 1);
        assertEquals(SignedNonces.State.GOOD, nonces.check(nonce, "a", LIFE));
        time.addAndGet(1);
        assertEquals(SignedNonces.State.STALE, nonces.check(nonce, "a", LIFE));
        Duration hour = Duration.ofHours(1);
        assertEquals(SignedNonces.State.GOOD, nonces.check(nonce, "a", hour));
        assertEquals(SignedNonces.State.STALE, nonces.check(nonce, "a", Duration.ofSeconds(1)));
        assertEquals(SignedNonces.State.FOREIGN, nonces.check("%", "a", LIFE));
        assertNotEquals(nonce, nonces.next("a"));
    }
}
