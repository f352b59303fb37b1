package io.margay.gateway.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.UpstreamConfig;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RetryBudgetTest {
    private final RetryBudget budget = new RetryBudget();

    private static long at(int seconds) {
        return Long.MAX_VALUE - 5_000_000_000L + TimeUnit.SECONDS.toNanos(seconds);
    }

    private int granted(UpstreamConfig.Retries config, int asked, long now) {
        int granted = 0;
        for (int i = 0; i < asked; i++) {
            granted += budget.retry(config, now) ? 1 : 0;
        }
        return granted;
    }

    @Test
    void retries_areAShareOfTheRequests_andAFloor() {
        UpstreamConfig.Retries config = new UpstreamConfig.Retries(2, 10, 3);
        budget.request(0);
        assertEquals(3, granted(config, 10, 0));
        for (int i = 0; i < 1000; i++) {
            budget.request(TimeUnit.SECONDS.toNanos(i / 200));
        }
        assertEquals(97, granted(config, 1000, TimeUnit.SECONDS.toNanos(5)));
        assertFalse(budget.retry(config, TimeUnit.SECONDS.toNanos(9)));
        assertEquals(3, granted(config, 10, TimeUnit.SECONDS.toNanos(40)), "all is forgotten");
    }

    @Test
    void hundredPercent_isAnyNumber_andNothingIsNone() {
        assertEquals(50, granted(new UpstreamConfig.Retries(2, 100, 0), 50, at(0)));
        assertFalse(budget.retry(new UpstreamConfig.Retries(2, 0, 0), at(0)));
        assertTrue(budget.retry(new UpstreamConfig.Retries(2, 0, 51), at(0)));
    }
}
