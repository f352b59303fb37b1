package io.margay.gateway.shield;

import io.margay.gateway.limit.LimiterLimits;
import io.margay.gateway.limit.PacedExchange;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// Answers byte by byte, by timers of the loops, as many clients as it has places for. Thread-safe.
final class Tarpit {
    private static final int FORBIDDEN = 403;
    private static final int BYTES_PER_SECOND = 2;

    /// Takes about a quarter of an hour.
    private static final byte[] PAGE =
            ("<!DOCTYPE html><title>403</title>" + " ".repeat(2_000))
                    .getBytes(StandardCharsets.US_ASCII);

    private final int max;
    private final LongSupplier nanos;
    private final AtomicInteger inside = new AtomicInteger();

    Tarpit(int max, LongSupplier nanos) {
        this.max = max;
        this.nanos = nanos;
    }

    /// How many clients are in it.
    int inside() {
        return inside.get();
    }

    /// Answers.
    ///
    /// @return false when it is full; then nothing was done
    boolean takes(DialingExchange exchange) throws IOException {
        if (inside.incrementAndGet() > max) {
            inside.decrementAndGet();
            return false;
        }
        exchange.onEnd(inside::decrementAndGet);
        exchange.status(FORBIDDEN);
        exchange.fields().set("Content-Type", "text/html;charset=utf-8");
        new PacedExchange(
                        exchange,
                        BYTES_PER_SECOND,
                        0,
                        LimiterLimits.defaults(),
                        MemoryBudget.UNBOUNDED,
                        nanos)
                .endConstant(PAGE, 0, PAGE.length);
        return true;
    }
}
