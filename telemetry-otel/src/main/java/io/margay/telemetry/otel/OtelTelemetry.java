package io.margay.telemetry.otel;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Attempt;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.Relay;
import io.margay.server.meter.Meter;
import io.margay.server.telemetry.Telemetry;
import io.margay.server.telemetry.TelemetrySettings;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A span for each exchange and one for each attempt on a member, in the trace that whoever is
/// believed has begun, or in one of their own. Thread-safe; what belongs to an exchange is owned as
/// it is.
final class OtelTelemetry implements Telemetry {
    /// How long spans are still sent at the end, in seconds.
    private static final int CLOSE_SECONDS_MAX = 3;

    private static final ExchangeNotes.Key<ExchangeTrace> TRACE =
            new ExchangeNotes.Key<>(ExchangeTrace.class);

    private final TelemetrySettings settings;
    private final OpenTelemetrySdk sdk;
    private final SpanGate gate;
    private final Tracer tracer;

    OtelTelemetry(TelemetrySettings settings, OpenTelemetrySdk sdk, SpanGate gate) {
        this.settings = settings;
        this.sdk = sdk;
        this.gate = gate;
        tracer = sdk.getTracer("io.margay");
    }

    @Override
    public void begun(Exchange exchange) {
        Fields received = exchange.request().fields();
        SpanContext told = TraceFields.read(received);
        boolean believed = told.isValid() && believes(exchange);
        long begun = exchange.startNanos();
        ExchangeTrace.Clock clock = new ExchangeTrace.Clock();
        SpanBuilder builder =
                tracer.spanBuilder("HTTP")
                        .setSpanKind(SpanKind.SERVER)
                        .setParent(believed ? TraceFields.parent(told) : Context.root())
                        .setStartTimestamp(clock.epoch(begun), TimeUnit.NANOSECONDS);
        if (told.isValid() && !believed) {
            builder.addLink(told);
        }
        Span span = builder.startSpan();
        exchange.replaceFields(TraceFields.with(received, span.getSpanContext(), believed));
        exchange.notes().put(TRACE, new ExchangeTrace(tracer, span, clock));
    }

    private boolean believes(Exchange exchange) {
        return switch (settings.parents()) {
            case EVERYBODY -> true;
            case FRONT_ENDS -> exchange.notes().isTold();
            case NOBODY -> false;
        };
    }

    @Override
    public void routed(Exchange exchange, Handler to, String route) {
        ExchangeTrace trace = exchange.notes().get(TRACE);
        if (trace != null) {
            trace.routed(route);
        }
    }

    @Override
    public void attempt(Exchange exchange, Relay to, FieldList fields) {
        ExchangeTrace trace = exchange.notes().get(TRACE);
        if (trace != null) {
            TraceFields.set(fields, trace.attempt(exchange, to));
        }
    }

    @Override
    public boolean followsAttempts() {
        return true;
    }

    @Override
    public void attempted(Exchange exchange, Attempt attempt) {
        ExchangeTrace trace = exchange.notes().get(TRACE);
        if (trace != null) {
            trace.attempted(exchange, attempt);
            finish(exchange, trace);
        }
    }

    @Override
    public void ended(Exchange exchange) {
        ExchangeTrace trace = exchange.notes().get(TRACE);
        if (trace != null) {
            trace.end(exchange);
            finish(exchange, trace);
        }
    }

    /// Sends what is worth it, when the exchange and its attempts are over: the last attempt often
    /// ends after the response that it has brought.
    private void finish(Exchange exchange, ExchangeTrace trace) {
        if (trace.isOver() && trace.span() instanceof ReadableSpan) {
            boolean sampled = trace.span().getSpanContext().isSampled();
            if (sampled || settings.keeps(trace.tookNanos(), trace.hasFailed())) {
                trace.finished(exchange).forEach(gate::keep);
            }
        }
    }

    @Override
    public List<Meter> meters() {
        return gate.meters();
    }

    @Override
    public void close() {
        CompletableResultCode _ = sdk.shutdown().join(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    }
}
