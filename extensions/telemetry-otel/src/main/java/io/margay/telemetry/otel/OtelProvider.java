package io.margay.telemetry.otel;

import io.margay.server.meter.Meter;
import io.margay.server.telemetry.Telemetry;
import io.margay.server.telemetry.TelemetryProvider;
import io.margay.server.telemetry.TelemetrySettings;
import io.margay.server.telemetry.TelemetrySettings.Protocol;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Makes telemetry of the OpenTelemetry SDK. What the environment says by `OTEL_…`, or system
/// properties by `otel.…`, has precedence over the settings.
public final class OtelProvider implements TelemetryProvider {
    /// Spans that wait for being sent, where `OTEL_BSP_MAX_QUEUE_SIZE` says nothing.
    static final int QUEUE_MAX = 2_048;

    /// Characters of an attribute, such as a path, where `OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT`
    /// says nothing.
    static final int VALUE_CHARS_MAX = 1_024;

    private static final String QUEUE = "otel.bsp.max.queue.size";

    /// Lines of the log that wait for being sent, where `OTEL_BLRP_MAX_QUEUE_SIZE` says nothing.
    static final int LINES_MAX = 2_048;

    private static final String LINES = "otel.blrp.max.queue.size";

    @Override
    public Telemetry open(TelemetrySettings settings, Supplier<List<Meter>> meters) {
        Outlets outlets = new Outlets();
        try {
            return new OtelTelemetry(settings, sdk(settings, meters, outlets), outlets);
        } catch (ConfigurationException | IllegalStateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// Where what is sent goes through.
    static final class Outlets {
        final SpanGate gate = new SpanGate();
        final Delivery lines = new Delivery("log_lines", "log lines");
        final Delivery metrics = new Delivery("metrics", "metrics");

        /// Lines that may wait; 0 = variables of the environment have none sent.
        int linesMax;
    }

    private static OpenTelemetrySdk sdk(
            TelemetrySettings settings, Supplier<List<Meter>> meters, Outlets outlets) {
        ExporterLog.mute();
        SpanGate gate = outlets.gate;
        return AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .setServiceClassLoader(OtelProvider.class.getClassLoader())
                .addPropertiesSupplier(() -> properties(settings))
                .addSamplerCustomizer((sampler, _) -> sampler(settings, sampler))
                .addSpanExporterCustomizer(
                        (exporter, _) -> new CountedExporter(exporter, gate.delivery()))
                .addSpanProcessorCustomizer(
                        (batches, set) -> gate.before(batches, set.getInt(QUEUE, QUEUE_MAX)))
                .addMetricExporterCustomizer(
                        (exporter, _) -> new CountedMetrics(exporter, outlets.metrics))
                .addMeterProviderCustomizer((provider, _) -> counting(provider, meters))
                .addLogRecordExporterCustomizer(
                        (exporter, _) -> new CountedLogs(exporter, outlets.lines))
                .addLogRecordProcessorCustomizer((lines, set) -> {
                    outlets.linesMax = set.getInt(LINES, LINES_MAX);
                    return lines;
                })
                .build()
                .getOpenTelemetrySdk();
    }

    /// What our meters say, and nothing of what the SDK counts of itself: [Delivery] does.
    private static SdkMeterProviderBuilder counting(
            SdkMeterProviderBuilder provider, Supplier<List<Meter>> meters) {
        Clock clock = Clock.getDefault();
        return provider.registerMetricProducer(new MeterProducer(meters, clock.now(), clock::now))
                .registerView(
                        InstrumentSelector.builder().setName("*").build(),
                        View.builder().setAggregation(Aggregation.drop()).build());
    }

    private static Map<String, String> properties(TelemetrySettings settings) {
        Map<String, String> set = new HashMap<>();
        TelemetrySettings.Sending sending = settings.sending();
        set.put("otel.metrics.exporter", sending.metrics().isZero() ? "none" : "otlp");
        if (!sending.metrics().isZero()) {
            set.put("otel.metric.export.interval", sending.metrics().toMillis() + "ms");
        }
        set.put("otel.logs.exporter", sending.logs() ? "otlp" : "none");
        set.put(LINES, String.valueOf(LINES_MAX));
        // So many of the longest lines are below the 4 MiB that collectors take by gRPC.
        set.put("otel.blrp.max.export.batch.size", "64");
        set.put(
                "otel.exporter.otlp.protocol",
                sending.protocol() == Protocol.GRPC ? "grpc" : "http/protobuf");
        set.put("otel.service.name", settings.service());
        set.put("otel.traces.sampler", "parentbased_traceidratio");
        set.put("otel.traces.sampler.arg", String.valueOf(settings.sample()));
        set.put(QUEUE, String.valueOf(QUEUE_MAX));
        set.put("otel.span.attribute.value.length.limit", String.valueOf(VALUE_CHARS_MAX));
        if (!settings.otlp().isEmpty()) {
            set.put("otel.exporter.otlp.endpoint", settings.otlp());
        }
        return set;
    }

    private static Sampler sampler(TelemetrySettings settings, Sampler sampler) {
        return settings.keepsMore() ? new RecordingSampler(sampler) : sampler;
    }
}
