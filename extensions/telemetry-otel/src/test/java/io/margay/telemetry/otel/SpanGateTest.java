package io.margay.telemetry.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.meter.Meter;
import io.margay.testkit.LoggedLines;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What waits for the collector, and what is counted of it.
final class SpanGateTest {
    private final SpanGate gate = new SpanGate();
    private final List<ReadableSpan> batched = new ArrayList<>();

    private final SdkTracerProvider sdk =
            SdkTracerProvider.builder()
                    .setSampler(new RecordingSampler(Sampler.alwaysOff()))
                    .addSpanProcessor(gate) // without any, spans record nothing
                    .build();

    /// Keeps what comes.
    private final class Batches implements SpanProcessor {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            batched.add(span);
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    /// Answers as it is told to.
    private record Answering(CompletableResultCode answer) implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return answer;
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private ReadableSpan span() {
        Span span = sdk.get("test").spanBuilder("a").startSpan();
        span.end();
        return (ReadableSpan) span;
    }

    private List<Double> counts() {
        return gate.meters().stream().map((Meter meter) -> meter.read().getAsDouble()).toList();
    }

    private void export(CompletableResultCode answer) {
        List<SpanData> all = batched.stream().map(ReadableSpan::toSpanData).toList();
        new CountedExporter(new Answering(answer), gate.delivery()).export(all);
        batched.clear();
    }

    @Test
    void spansThatAreKept_waitUpToTheBound_andAreCounted() {
        gate.before(new Batches(), 4);
        for (int i = 0; i < 10; i++) {
            gate.keep(span());
        }
        assertEquals(4, batched.size());
        assertEquals(List.of(0.0, 6.0, 4.0), counts());
        // The SDK's batches take what is sampled alone.
        assertTrue(batched.getFirst().getSpanContext().isSampled());
        assertFalse(batched.getFirst().toSpanData().getSpanContext().isSampled());
        export(CompletableResultCode.ofSuccess());
        assertEquals(List.of(4.0, 6.0, 0.0), counts());
        gate.keep(span());
        assertEquals(List.of(4.0, 6.0, 1.0), counts());
    }

    @Test
    void spansThatNobodyTakes_areLost_andToldOnce() {
        gate.before(new Batches(), 4);
        try (LoggedLines log = LoggedLines.of("io.margay.telemetry")) {
            for (int i = 0; i < 3; i++) {
                gate.keep(span());
                export(CompletableResultCode.ofFailure());
            }
            assertEquals(List.of(0.0, 3.0, 0.0), counts());
            gate.keep(span());
            CompletableResultCode later = new CompletableResultCode();
            export(later);
            later.succeed();
            assertEquals(List.of(1.0, 3.0, 0.0), counts());
            assertEquals(1, log.count("WARNING the collector does not take spans"));
            assertEquals(1, log.count("INFO the collector takes spans again"));
        }
    }

    @Test
    void spans_areDroppedWhereNothingIsSent() {
        gate.keep(span());
        assertEquals(List.of(0.0, 0.0, 0.0), counts());
    }
}
