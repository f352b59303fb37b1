package io.margay.gateway.limit;

import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// How many requests come in which time, by key. Thread-safe.
final class RateLimiter implements Limiter {
    private static final int TOO_MANY_REQUESTS = 429;

    private final RequestLimit limit;
    private final RequestKeys keys;
    private final LimitCounters counters;
    private final RateTable buckets;
    private final LongSupplier nanos;
    private final String policy;

    /// Counts with other gateways; null = this one counts by itself.
    private final @Nullable SharedBuckets shared;

    /// @param group null = this gateway counts by itself
    RateLimiter(
            RequestLimit limit,
            RequestLimit.Rate rate,
            RequestKeys keys,
            LimitCounters counters,
            LimiterLimits limits,
            LongSupplier nanos,
            SharedCounters.@Nullable Limit group) {
        this.limit = limit;
        this.keys = keys;
        this.counters = counters;
        this.nanos = nanos;
        long window = rate.slides() ? rate.period().toNanos() : rate.intervalNanos() * rate.burst();
        int most = rate.slides() ? rate.count() : rate.burst();
        if (rate.slides()) {
            this.buckets = new WindowTable(most, window, limits.keysMax(), nanos.getAsLong());
            this.shared = null;
        } else {
            BucketTable own = new BucketTable(rate.intervalNanos(), most, limits.keysMax());
            this.buckets = own;
            this.shared = group == null ? null : group.rate(own, rate.intervalNanos(), nanos);
        }
        this.policy = "\"" + limit.name() + "\";q=" + most + ";w=" + LimitCounters.seconds(window);
    }

    /// What one rate has counted, for the process that goes on with it. Where the next
    /// configuration has another rate under the name, it is another state. Immutable but for the
    /// limiter.
    ///
    /// @param host whose limit it is
    record State(String host, RateLimiter rate) implements TravellingState {
        @Override
        public String name() {
            RequestLimit limit = rate.limit;
            return String.join(
                    " ", "limit", limit.name(), host, limit.key().toString(), "" + limit.rate());
        }

        @Override
        public void write(DataOutput out) throws IOException {
            rate.write(out);
        }

        @Override
        public void read(DataInput in, Duration since) throws IOException {
            rate.read(in, since.toNanos());
        }
    }

    /// What is counted, and by which keys.
    private void write(DataOutput out) throws IOException {
        keys.write(out);
        buckets.write(out, nanos.getAsLong());
    }

    /// Goes on with what another process has counted; before the first request.
    private void read(DataInput in, long sinceNanos) throws IOException {
        keys.read(in);
        buckets.read(in, nanos.getAsLong(), sinceNanos);
    }

    long forgotten() {
        return buckets.forgotten();
    }

    @Override
    public Outcome ask(Exchange exchange, Runnable later) throws IOException {
        long key = keys.of(exchange);
        long now = nanos.getAsLong();
        long patience = limit.logOnly() ? 0 : limit.queue().toNanos();
        long wait = buckets.take(key, now, 0);
        // Looks and takes in one step, for another thread may take the last token in between.
        if (wait > 0
                && patience > 0
                && exchange instanceof DialingExchange dialing
                && counters.beginsToWait()) {
            wait = buckets.take(key, now, patience);
            if (wait > 0 && wait <= patience) {
                taken(key, now);
                Delay.until(
                        now + wait,
                        dialing,
                        () -> {
                            counters.hasWaited();
                            admitted();
                            later.run();
                        });
                return Outcome.WAITS;
            }
            counters.hasWaited();
        }
        if (wait == 0) {
            taken(key, now);
        }
        if (wait == 0) {
            admitted();
            if (limit.announces()) {
                announce(exchange, key, now);
            }
            return Outcome.ADMITTED;
        }
        if (!limit.logOnly()) {
            announce(exchange, key, now);
        }
        return counters.refuse(exchange, TOO_MANY_REQUESTS, wait);
    }

    private void taken(long key, long now) {
        if (shared != null) {
            shared.taken(key, now);
        }
    }

    private void admitted() {
        if (limit.concurrent() == 0) {
            counters.admitted();
        }
    }

    /// What is allowed, and what is left of it (draft-ietf-httpapi-ratelimit-headers-10).
    private void announce(Exchange exchange, long key, long now) {
        long untilFull = buckets.untilFull(key, now);
        int left = buckets.left(key, now);
        exchange.fields().add("RateLimit-Policy", policy);
        exchange.fields()
                .add(
                        "RateLimit",
                        "\""
                                + limit.name()
                                + "\";r="
                                + left
                                + ";t="
                                + LimitCounters.seconds(untilFull));
    }
}
