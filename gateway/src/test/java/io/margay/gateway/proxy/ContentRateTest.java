package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ContentRateTest {
    private static final long SECOND = 1_000_000_000L;

    private final ContentRate pace = new ContentRate(Duration.ofSeconds(2), 1_024);

    @Test
    void client_thatPauses_isSlow() {
        assertFalse(pace.isSlow(5 * SECOND, 0), "nobody waits");
        pace.awaited(0);
        pace.awaited(SECOND);
        assertFalse(pace.isSlow(2 * SECOND - 1, 1_000_000));
        assertTrue(pace.isSlow(2 * SECOND, 1_000_000));
        pace.came(2 * SECOND);
        assertFalse(pace.isSlow(2 * SECOND, 1_000_000), "it has sent something");
    }

    @Test
    void client_thatDrips_isSlow() {
        for (int i = 0; i < 10; i++) {
            pace.awaited(i * SECOND);
            pace.came((i + 1) * SECOND);
        }
        pace.awaited(10 * SECOND);
        assertTrue(pace.isSlow(10 * SECOND, 10 * 1_024 - 1));
        assertFalse(pace.isSlow(10 * SECOND, 10 * 1_024));
    }
}
