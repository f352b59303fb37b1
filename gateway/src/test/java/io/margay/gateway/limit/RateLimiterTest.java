package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.exchange.DialingExchange;
import io.margay.transport.Dialer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Rates that requests wait for.
@Tag("slow")
final class RateLimiterTest {
    private static final int ROUNDS = 150_000;

    private final AtomicLong nanos = new AtomicLong(1);

    /// A type whose methods all do nothing; those that return a type of `made` return that.
    private static <T> T fake(Class<T> type, Object... made) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, _) -> {
                            if (method.getReturnType() == boolean.class) {
                                return true;
                            }
                            for (Object one : made) {
                                if (method.getReturnType().isInstance(one)) {
                                    return one;
                                }
                            }
                            return null;
                        }));
    }

    /// The last token may be taken by another thread at any time: who may wait waits.
    @Test
    void requestsAtOnce_onTwoThreads_waitForTheirTurn_andNoneIsRefused() throws Exception {
        DialingExchange exchange =
                fake(
                        DialingExchange.class,
                        fake(
                                DialingExchange.Carrier.class,
                                fake(Dialer.class, fake(Dialer.Timer.class))));
        RequestLimit limit =
                new RequestLimit(
                        "limit-1",
                        PathMatch.ANY,
                        List.of(),
                        List.of(),
                        new LimitKey.Everybody(),
                        new RequestLimit.Rate(1, Duration.ofSeconds(1), 1, false),
                        0,
                        Duration.ofSeconds(10),
                        false,
                        false);
        RateLimiter limiter =
                new RateLimiter(
                        limit,
                        limit.rate(),
                        new RequestKeys(limit.key(), new Random(1)),
                        new LimitCounters(limit, "*", 1_000_000, nanos::get),
                        LimiterLimits.defaults(),
                        nanos::get,
                        null);
        AtomicInteger arrived = new AtomicInteger();
        Map<Limiter.Outcome, Integer> outcomes = new EnumMap<>(Limiter.Outcome.class);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Map<Limiter.Outcome, Integer>> other =
                    threads.submit(() -> ask(limiter, exchange, arrived));
            Future<Map<Limiter.Outcome, Integer>> one =
                    threads.submit(() -> ask(limiter, exchange, arrived));
            outcomes.putAll(one.get());
            other.get().forEach((key, count) -> outcomes.merge(key, count, Integer::sum));
        }
        assertEquals(
                Map.of(Limiter.Outcome.ADMITTED, ROUNDS, Limiter.Outcome.WAITS, ROUNDS), outcomes);
    }

    /// Meets the other thread by spinning before each request, for who sleeps wakes too late.
    private Map<Limiter.Outcome, Integer> ask(
            RateLimiter limiter, DialingExchange exchange, AtomicInteger arrived) throws Exception {
        Map<Limiter.Outcome, Integer> outcomes = new EnumMap<>(Limiter.Outcome.class);
        for (int i = 0; i < ROUNDS; i++) {
            if (arrived.incrementAndGet() == 3 * i + 2) {
                nanos.set(1 + i * Duration.ofSeconds(20).toNanos());
                arrived.incrementAndGet();
            }
            for (int spins = 0; arrived.get() < 3 * i + 3; spins++) {
                if (spins % 1000 == 999) {
                    Thread.yield();
                }
            }
            outcomes.merge(outcome(limiter, exchange), 1, Integer::sum);
        }
        return outcomes;
    }

    /// A refusal fails at writing its response.
    private static Limiter.Outcome outcome(RateLimiter limiter, DialingExchange exchange)
            throws Exception {
        try {
            return limiter.ask(exchange, () -> {});
        } catch (NullPointerException e) {
            return Limiter.Outcome.REFUSED;
        }
    }
}
