package io.margay.telemetry.otel;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `traceparent` and `tracestate` (W3C Trace Context, level 1) in the fields of requests.
/// Stateless.
final class TraceFields {
    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";

    /// Characters of all of `tracestate` that are passed on: those that the recommendation asks
    /// for, in §3.3.1.5.
    private static final int STATE_CHARS_MAX = 512;

    private static final TextMapGetter<Fields> GETTER =
            new TextMapGetter<>() {
                @Override
                public @Nullable String get(@Nullable Fields fields, String name) {
                    return fields == null ? null : one(fields, name);
                }
            };

    private TraceFields() {}

    /// What a request says; invalid where it says nothing, or what makes no sense.
    static SpanContext read(Fields fields) {
        return fields.contains(PARENT)
                ? Span.fromContext(
                                W3CTraceContextPropagator.getInstance()
                                        .extract(Context.root(), fields, GETTER))
                        .getSpanContext()
                : SpanContext.getInvalid();
    }

    /// Several lines of `tracestate` are one list; several of `traceparent` make no sense.
    private static @Nullable String one(Fields fields, String name) {
        List<String> values = fields.all(name);
        if (name.equals(PARENT)) {
            return values.size() == 1 ? values.getFirst() : null;
        }
        String all = String.join(",", values);
        return all.length() > STATE_CHARS_MAX ? null : all;
    }

    /// A context whose span is the one of somebody else.
    static Context parent(SpanContext remote) {
        return Context.root().with(Span.wrap(remote));
    }

    /// The fields of a request as they are seen from now on.
    ///
    /// @param keepsState whether `tracestate` stays, as what `span` has of it
    static Fields with(Fields received, SpanContext span, boolean keepsState) {
        Fields.Builder made = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            if (!received.nameIs(i, PARENT) && !received.nameIs(i, STATE)) {
                made.add(received.name(i), received.value(i));
            }
        }
        made.add(PARENT, text(span));
        if (keepsState && received.contains(STATE) && !span.getTraceState().isEmpty()) {
            String state = one(received, STATE);
            if (state != null) {
                made.add(STATE, state);
            }
        }
        return made.build();
    }

    /// Puts a span into the fields that a member gets.
    static void set(FieldList fields, SpanContext span) {
        fields.set(PARENT, text(span));
    }

    private static String text(SpanContext span) {
        String flags = span.getTraceFlags().asHex();
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + flags;
    }
}
