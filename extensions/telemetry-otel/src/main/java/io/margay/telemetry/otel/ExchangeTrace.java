package io.margay.telemetry.otel;

import io.margay.server.exchange.Attempt;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.steps.Steps.About;
import io.margay.server.steps.Steps.Followed;
import io.margay.server.steps.Steps.Follower;
import io.margay.server.steps.Steps.Kind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The spans of one exchange. Owned as it is, but for the steps of its work.
final class ExchangeTrace implements Follower, SpanParent {
    /// Attempts of one request that have a span; more are made, and members get the request's.
    static final int ATTEMPTS_MAX = 32;

    private final Tracer tracer;
    private final Span span;
    private final Clock clock;
    private final @Nullable StepTrace steps;
    private String route = "";
    private boolean failed;
    private int attempts;
    private @Nullable Span current;
    private List<ReadableSpan> ended = List.of();
    private boolean over;
    private long endNanos;
    private long tookNanos;

    /// Tells the time of day by the clock of exchanges: one for each trace, so that its spans agree
    /// also when the time of day is set meanwhile. Immutable.
    static final class Clock {
        private final long offset;

        Clock() {
            io.opentelemetry.sdk.common.Clock now = io.opentelemetry.sdk.common.Clock.getDefault();
            offset = now.now() - now.nanoTime();
        }

        /// Nanoseconds since 1970.
        long epoch(long nanos) {
            return offset + nanos;
        }

        /// Now, by the clock of exchanges.
        static long nanos() {
            return io.opentelemetry.sdk.common.Clock.getDefault().nanoTime();
        }
    }

    /// @param steps null = they are not followed
    ExchangeTrace(Tracer tracer, Span span, Clock clock, @Nullable StepTrace steps) {
        this.tracer = tracer;
        this.span = span;
        this.clock = clock;
        this.steps = steps;
    }

    @Override
    public Context context() {
        return Context.root().with(span);
    }

    @Override
    public @Nullable Followed begin(Kind kind, Supplier<About> about) {
        return steps == null ? null : steps.begin(kind, about, context());
    }

    Span span() {
        return span;
    }

    void routed(String pattern) {
        route = pattern;
    }

    /// A request is about to be sent.
    ///
    /// @return what the member gets for a parent
    SpanContext attempt(Exchange exchange, Relay to) {
        return begin(exchange, to, Clock.nanos()).getSpanContext();
    }

    private Span begin(Exchange exchange, Relay to, long nanos) {
        Span before = current;
        if (before != null) {
            // A stale connection was replaced by another one to the same member.
            before.setStatus(StatusCode.ERROR).setAttribute(SpanKeys.ERROR, "reconnected");
            end(before, nanos);
        }
        if (attempts == ATTEMPTS_MAX) {
            current = Span.wrap(span.getSpanContext());
            return current;
        }
        Span made =
                tracer.spanBuilder(SpanKeys.name(exchange.request()))
                        .setSpanKind(SpanKind.CLIENT)
                        .setParent(Context.root().with(span))
                        .setStartTimestamp(clock.epoch(nanos), TimeUnit.NANOSECONDS)
                        .startSpan();
        made.setAttribute(SpanKeys.UPSTREAM, to.upstream())
                .setAttribute(SpanKeys.MEMBER, to.peer());
        SpanKeys.method(made, exchange.request());
        if (attempts > 0) {
            made.setAttribute(SpanKeys.RESENT, (long) attempts);
        }
        attempts++;
        current = made;
        return made;
    }

    void attempted(Exchange exchange, Attempt attempt) {
        long now = Clock.nanos();
        Span made = current;
        if (made == null) {
            made = begin(exchange, attempt.to(), now - attempt.tookNanos());
        }
        if (!attempt.host().isEmpty()) {
            made.setAttribute(SpanKeys.SERVER, attempt.host());
            made.setAttribute(SpanKeys.SERVER_PORT, (long) attempt.port());
            made.setAttribute(SpanKeys.SCHEME, attempt.scheme());
        }
        int status = attempt.status();
        if (status > 0) {
            made.setAttribute(SpanKeys.STATUS, (long) status);
        }
        String error = attempt.error();
        if (error != null || status >= 400) {
            made.setStatus(StatusCode.ERROR);
            made.setAttribute(SpanKeys.ERROR, error != null ? error : String.valueOf(status));
            failed |= error != null || status >= 500;
        }
        current = null;
        end(made, now);
    }

    private void end(Span attempt, long nanos) {
        long at = over ? Math.min(nanos, endNanos) : nanos;
        attempt.end(clock.epoch(at), TimeUnit.NANOSECONDS);
        if (attempt instanceof ReadableSpan readable) {
            if (ended.isEmpty()) {
                ended = new ArrayList<>(2);
            }
            ended.add(readable);
        }
    }

    /// The exchange has ended; an attempt of it may not have.
    void end(Exchange exchange) {
        endNanos = Clock.nanos();
        tookNanos = endNanos - exchange.startNanos();
        over = true;
        failed |= exchange.status() >= 500 || exchange.failure() != null;
    }

    /// Whether it has ended, with all attempts.
    boolean isOver() {
        return over && current == null;
    }

    /// How long it took.
    long tookNanos() {
        return tookNanos;
    }

    /// Whether it, or an attempt of it, has failed.
    boolean hasFailed() {
        return failed;
    }

    /// It is known whether it is sent.
    void decide(boolean keep) {
        if (steps != null) {
            steps.decide(keep);
        }
    }

    /// All its spans but those of steps, with what is told of them.
    List<ReadableSpan> finished(Exchange exchange) {
        SpanKeys.describe(span, exchange, route);
        int leftOut = steps == null ? 0 : steps.leftOut();
        if (leftOut > 0) {
            span.setAttribute(SpanKeys.LEFT_OUT, (long) leftOut);
        }
        span.end(clock.epoch(endNanos), TimeUnit.NANOSECONDS);
        List<ReadableSpan> all = new ArrayList<>(ended);
        if (span instanceof ReadableSpan readable) {
            all.add(readable);
        }
        return all;
    }
}
