package io.margay.telemetry.otel;

import io.margay.server.steps.Steps.About;
import io.margay.server.steps.Steps.Followed;
import io.margay.server.steps.Steps.Kind;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The spans of what is done for one request, each below that of the request or of the step within
/// which it is. They are sent as they end, or are held until it is known whether the request is
/// kept. Thread-safe: a step may end after its request.
final class StepTrace {
    /// Steps of one request that have a span. Messages of WebSockets count while spans are held, so
    /// that none is missing above another.
    static final int STEPS_MAX = 128;

    /// Pages and dispatches among them: a page of many parts leaves room for statements.
    static final int PARTS_MAX = 64;

    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
    private static final AttributeKey<String> QUERY = AttributeKey.stringKey("db.query.text");
    private static final AttributeKey<String> SUMMARY = AttributeKey.stringKey("db.query.summary");
    private static final AttributeKey<String> STATE =
            AttributeKey.stringKey("db.response.status_code");
    private static final AttributeKey<String> SOURCE = AttributeKey.stringKey("margay.datasource");
    private static final AttributeKey<String> STORE = AttributeKey.stringKey("margay.store");
    private static final AttributeKey<String> PAGE = AttributeKey.stringKey("margay.page");
    private static final AttributeKey<String> TARGET = AttributeKey.stringKey("margay.dispatch");

    private final Tracer tracer;
    private final ExchangeTrace.Clock clock;
    private final Consumer<ReadableSpan> gate;
    private final List<ReadableSpan> held = new ArrayList<>(4);
    private int begun;
    private int parts;
    private int leftOut;
    private boolean decided;
    private boolean kept;

    /// @param gate through which spans go that are sent
    StepTrace(Tracer tracer, ExchangeTrace.Clock clock, Consumer<ReadableSpan> gate) {
        this.tracer = tracer;
        this.clock = clock;
        this.gate = gate;
    }

    /// A step under way.
    private final class StepSpan implements Followed, SpanParent {
        private final Span span;
        private final Context context;

        private StepSpan(Span span) {
            this.span = span;
            context = Context.root().with(span);
        }

        @Override
        public Context context() {
            return context;
        }

        @Override
        public @Nullable Followed begin(Kind kind, Supplier<About> about) {
            return StepTrace.this.begin(kind, about, context);
        }

        @Override
        public void end(@Nullable Throwable failure) {
            if (failure != null) {
                span.setStatus(StatusCode.ERROR)
                        .setAttribute(SpanKeys.ERROR, failure.getClass().getName());
            }
            if (failure instanceof SQLException sql && sql.getSQLState() != null) {
                span.setAttribute(STATE, sql.getSQLState());
            }
            span.end(clock.epoch(ExchangeTrace.Clock.nanos()), TimeUnit.NANOSECONDS);
            if (span instanceof ReadableSpan readable) {
                ended(readable);
            }
        }
    }

    /// A step begins.
    ///
    /// @return null when it is one too many
    @Nullable Followed begin(Kind kind, Supplier<About> asked, Context within) {
        Span parent = Span.fromContext(within);
        if (!parent.isRecording() || !takes(kind, parent.getSpanContext().isSampled())) {
            return null;
        }
        About about = asked.get();
        boolean asks = kind == Kind.STATEMENT || kind == Kind.SESSION;
        Span span =
                tracer.spanBuilder(name(about))
                        .setSpanKind(asks ? SpanKind.CLIENT : SpanKind.INTERNAL)
                        .setParent(within)
                        .setStartTimestamp(
                                clock.epoch(ExchangeTrace.Clock.nanos()), TimeUnit.NANOSECONDS)
                        .startSpan();
        switch (kind) {
            case STATEMENT -> {
                span.setAttribute(SUMMARY, about.name());
                span.setAttribute(QUERY, about.detail());
                span.setAttribute(SOURCE, about.of());
                span.setAttribute(SYSTEM, about.system());
            }
            case SESSION -> span.setAttribute(STORE, about.of());
            case PAGE -> span.setAttribute(PAGE, about.name());
            case RENDER -> span.setAttribute(PAGE, about.detail());
            case DISPATCH -> span.setAttribute(TARGET, about.detail());
            case MESSAGE -> {}
        }
        return new StepSpan(span);
    }

    private static String name(About about) {
        return switch (about.kind()) {
            case STATEMENT -> about.name();
            case SESSION -> "session " + about.name();
            case PAGE -> "compile " + about.name();
            case RENDER -> "render " + about.name();
            case DISPATCH -> about.of().toLowerCase(Locale.ROOT) + " " + about.name();
            case MESSAGE -> "websocket " + about.name();
        };
    }

    /// Messages have no bound of their own where their spans need not be held.
    private synchronized boolean takes(Kind kind, boolean sampled) {
        if (decided && !kept && !sampled) {
            return false;
        }
        if (kind == Kind.MESSAGE && (decided || sampled)) {
            return true;
        }
        boolean part = kind == Kind.RENDER || kind == Kind.DISPATCH;
        if (begun >= STEPS_MAX || (part && parts >= PARTS_MAX)) {
            leftOut++;
            return false;
        }
        begun++;
        parts += part ? 1 : 0;
        return true;
    }

    private void ended(ReadableSpan span) {
        boolean goes = span.getSpanContext().isSampled();
        if (!goes) {
            synchronized (this) {
                if (!decided) {
                    held.add(span);
                }
                goes = decided && kept;
            }
        }
        if (goes) {
            gate.accept(span);
        }
    }

    /// It is known whether the request is sent.
    void decide(boolean keep) {
        List<ReadableSpan> waiting;
        synchronized (this) {
            decided = true;
            kept = keep;
            waiting = List.copyOf(held);
            held.clear();
        }
        if (keep) {
            waiting.forEach(gate);
        }
    }

    /// Steps that have no span, for there were too many.
    synchronized int leftOut() {
        return leftOut;
    }
}
