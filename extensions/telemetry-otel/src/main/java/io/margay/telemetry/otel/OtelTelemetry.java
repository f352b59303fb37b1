package io.margay.telemetry.otel;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Attempt;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.Relay;
import io.margay.server.meter.Meter;
import io.margay.server.meter.TraceMark;
import io.margay.server.steps.Steps;
import io.margay.server.telemetry.Telemetry;
import io.margay.server.telemetry.TelemetrySettings;
import io.margay.server.telemetry.TraceMarks;
import io.margay.telemetry.otel.OtelProvider.Outlets;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A span for each exchange and one for each attempt on a member, in the trace that whoever is
/// believed has begun, or in one of their own; metrics and lines of the log where that is asked
/// for. Thread-safe; what belongs to an exchange is owned as it is.
final class OtelTelemetry implements Telemetry {
    /// How long spans are still sent at the end, in seconds.
    private static final int CLOSE_SECONDS_MAX = 3;

    private static final ExchangeNotes.Key<ExchangeTrace> TRACE =
            new ExchangeNotes.Key<>(ExchangeTrace.class);

    private final TelemetrySettings settings;
    private final OpenTelemetrySdk sdk;
    private final Outlets outlets;
    private final SpanGate gate;
    private final Tracer tracer;
    private final boolean followsWork;
    private final boolean followsSteps;
    private final @Nullable LogAppender lines;

    OtelTelemetry(TelemetrySettings settings, OpenTelemetrySdk sdk, Outlets outlets) {
        this.settings = settings;
        this.sdk = sdk;
        this.outlets = outlets;
        gate = outlets.gate;
        tracer = sdk.getTracer("io.margay");
        TelemetrySettings.Sending sending = settings.sending();
        followsWork = sending.followsWork();
        followsSteps = sending.steps();
        lines =
                sending.logs() && outlets.linesMax > 0
                        ? new LogAppender(sdk.getLogsBridge(), outlets.lines, outlets.linesMax)
                        : null;
        TraceMarks.begin();
        if (followsWork) {
            Steps.follow();
        }
        if (lines != null) {
            lines.begin();
        }
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
        StepTrace steps = followsSteps ? new StepTrace(tracer, clock, gate::keep) : null;
        ExchangeTrace trace = new ExchangeTrace(tracer, span, clock, steps);
        exchange.notes().put(TRACE, trace);
        if (span.getSpanContext().isSampled()) {
            mark(exchange, span.getSpanContext());
        }
        if (followsWork) {
            exchange.notes().put(Steps.FOLLOWER, trace);
        }
    }

    private static void mark(Exchange exchange, SpanContext span) {
        TraceMarks.put(exchange, TraceMark.of(span.getTraceId(), span.getSpanId()));
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
            SpanContext span = trace.span().getSpanContext();
            if (!span.isSampled() && settings.keeps(trace.tookNanos(), trace.hasFailed())) {
                mark(exchange, span); // before it is counted, as its last attempt may not be over
            }
            finish(exchange, trace);
        }
    }

    /// Sends what is worth it, when the exchange and its attempts are over: the last attempt often
    /// ends after the response that it has brought.
    private void finish(Exchange exchange, ExchangeTrace trace) {
        if (!trace.isOver() || !(trace.span() instanceof ReadableSpan)) {
            return;
        }
        SpanContext span = trace.span().getSpanContext();
        boolean keeps = span.isSampled() || settings.keeps(trace.tookNanos(), trace.hasFailed());
        if (keeps) {
            trace.finished(exchange).forEach(gate::keep);
        }
        trace.decide(keeps);
    }

    @Override
    public List<Meter> meters() {
        List<Meter> meters = new ArrayList<>(gate.meters());
        if (lines != null) {
            meters.addAll(outlets.lines.meters());
        }
        if (!settings.sending().metrics().isZero()) {
            meters.addAll(outlets.metrics.countsAlone());
        }
        return meters;
    }

    @Override
    public void close() {
        if (lines != null) {
            lines.close();
        }
        TraceMarks.end();
        if (followsWork) {
            Steps.unfollow();
        }
        CompletableResultCode _ = sdk.shutdown().join(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    }
}
