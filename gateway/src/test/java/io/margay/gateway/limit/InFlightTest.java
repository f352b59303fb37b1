package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.handover.StateLimits;
import io.margay.server.handover.StateSection;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Requests in flight, as the next process counts them until they have ended.
final class InFlightTest {
    private static final RequestLimit LIMIT =
            new RequestLimit(
                    "two",
                    PathMatch.ANY,
                    List.of(),
                    List.of(),
                    new LimitKey.Everybody(),
                    null,
                    2,
                    Duration.ofSeconds(10),
                    false,
                    false);

    private final ConcurrencyLimiter before = limiter(1);
    private final ConcurrencyLimiter next = limiter(2);

    private static ConcurrencyLimiter limiter(int seed) {
        return new ConcurrencyLimiter(
                LIMIT,
                new RequestKeys(LIMIT.key(), new Random(seed)),
                new LimitCounters(LIMIT, "*", 100, System::nanoTime),
                System::nanoTime,
                null);
    }

    /// A request, and what is run when it ends and when it may go on.
    private static final class Request {
        private final List<Runnable> ends = new ArrayList<>();
        private final Limiter.Outcome outcome;
        private boolean goesOn;

        private final ExchangeNotes notes = new ExchangeNotes();

        Request(ConcurrencyLimiter limiter) throws IOException {
            this(limiter, 0);
        }

        Request(ConcurrencyLimiter limiter, long used) throws IOException {
            if (used > 0) {
                RequestLimiters.noteUsed(notes, used);
            }
            outcome = limiter.ask(fake(DialingExchange.class), () -> goesOn = true);
        }

        private <T> T fake(Class<T> type) {
            return type.cast(
                    Proxy.newProxyInstance(
                            type.getClassLoader(),
                            new Class<?>[] {type},
                            (_, method, args) -> {
                                if (method.getName().equals("onEnd")) {
                                    ends.add((Runnable) args[0]);
                                } else if (method.getName().equals("execute")) {
                                    ((Runnable) args[0]).run();
                                } else if (method.getName().equals("carrier")) {
                                    return fake(DialingExchange.Carrier.class);
                                } else if (method.getName().equals("notes")) {
                                    return notes;
                                } else if (method.getReturnType() == Dialer.class) {
                                    return fake(Dialer.class);
                                } else if (method.getReturnType() == Dialer.Timer.class) {
                                    return fake(Dialer.Timer.class);
                                }
                                return method.getReturnType() == boolean.class ? true : null;
                            }));
        }

        void end() {
            ends.forEach(Runnable::run);
        }
    }

    private void tell() throws IOException {
        byte[] section =
                StateSection.of(
                        new ConcurrencyLimiter.Travelling("*", before), StateLimits.defaults());
        ConcurrencyLimiter.Travelling to = new ConcurrencyLimiter.Travelling("*", next);
        assertTrue(StateSection.restore(to, section, Duration.ZERO));
    }

    @Test
    void requestsOfTheProcessBefore_count_untilTheyHaveEnded() throws IOException {
        Request one = new Request(before);
        Request two = new Request(before);
        tell();
        Request waits = new Request(next);
        assertEquals(Limiter.Outcome.WAITS, waits.outcome);
        one.end();
        tell();
        assertTrue(waits.goesOn);
        Request more = new Request(next);
        assertEquals(Limiter.Outcome.WAITS, more.outcome);
        two.end();
        tell();
        assertTrue(more.goesOn);
    }

    @Test
    void processThatHasEnded_countsNothing() throws IOException {
        Request _ = new Request(before);
        Request _ = new Request(before);
        tell();
        Request waits = new Request(next);
        new ConcurrencyLimiter.Travelling("*", next).ended();
        assertTrue(waits.goesOn);
        assertEquals(Limiter.Outcome.ADMITTED, new Request(next).outcome);
    }

    /// Crawlers that wait do not keep visitors waiting.
    @Test
    void clientsThatHaveUsedLess_areNext() throws IOException {
        Request one = new Request(before);
        Request two = new Request(before);
        Request much = new Request(before, 3_000);
        Request little = new Request(before, 20);
        Request none = new Request(before);
        Request asLittle = new Request(before, 20);
        assertEquals(Limiter.Outcome.WAITS, none.outcome);
        one.end();
        assertTrue(none.goesOn && !little.goesOn);
        two.end();
        assertTrue(little.goesOn && !asLittle.goesOn);
        none.end();
        assertTrue(asLittle.goesOn && !much.goesOn);
        little.end();
        assertTrue(much.goesOn);
    }

    /// The numbers of keys are those of one process alone where requests have come before.
    @Test
    void otherKeys_countNothing() throws IOException {
        assertEquals(Limiter.Outcome.ADMITTED, new Request(next).outcome);
        Request _ = new Request(before);
        Request _ = new Request(before);
        tell();
        assertEquals(Limiter.Outcome.ADMITTED, new Request(next).outcome);
    }
}
