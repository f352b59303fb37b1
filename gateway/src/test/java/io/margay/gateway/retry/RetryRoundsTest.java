package io.margay.gateway.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryRoundsTest {
    private static final long MILLI = 1_000_000;

    private final RetryRounds rounds = new RetryRounds();

    private static Upstream upstream(BalanceDialect dialect, int rounds, Duration patience) {
        List<PeerConfig> peers =
                List.of(PeerConfig.of("a", PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", 9)));
        UpstreamConfig defaults = UpstreamConfig.of("up", peers);
        return new Upstream(defaults.withDialect(dialect).withRounds(rounds, patience));
    }

    /// mod_jk sleeps `retry_interval` and begins again, `retries` times in all.
    @Test
    void rounds_ofModJk_areSoManyAlsoWhenAllAreBusy() {
        Upstream upstream = upstream(BalanceDialect.MOD_JK, 3, Duration.ZERO);
        List<Peer> failed = upstream.peers();
        assertEquals(100 * MILLI, rounds.nextNanos(upstream, failed, 0));
        assertEquals(100 * MILLI, rounds.nextNanos(upstream, List.of(), 0));
        assertTrue(rounds.nextNanos(upstream, List.of(), 0) < 0);
    }

    @Test
    void oneRound_isTheDefault() {
        Upstream upstream = upstream(BalanceDialect.MOD_JK, 1, Duration.ZERO);
        assertTrue(rounds.nextNanos(upstream, upstream.peers(), 0) < 0);
    }

    /// mod_proxy_balancer looks every 100 ms until the balancer's `timeout` is over.
    @Test
    void patience_ofModProxy_endsWithItsTime() {
        Upstream upstream = upstream(BalanceDialect.MOD_PROXY, 1, Duration.ofMillis(250));
        long begin = Long.MAX_VALUE - 100 * MILLI;
        assertEquals(100 * MILLI, rounds.nextNanos(upstream, List.of(), begin));
        assertEquals(100 * MILLI, rounds.nextNanos(upstream, List.of(), begin + 200 * MILLI));
        assertTrue(rounds.nextNanos(upstream, List.of(), begin + 250 * MILLI) < 0);
    }

    @Test
    void patience_isForRequestsThatNoPeerHasFailed() {
        Upstream upstream = upstream(BalanceDialect.MOD_PROXY, 1, Duration.ofSeconds(9));
        assertTrue(rounds.nextNanos(upstream, upstream.peers(), 0) < 0);
    }
}
