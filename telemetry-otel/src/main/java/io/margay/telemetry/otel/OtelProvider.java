package io.margay.telemetry.otel;

import io.margay.server.telemetry.Telemetry;
import io.margay.server.telemetry.TelemetryProvider;
import io.margay.server.telemetry.TelemetrySettings;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.HashMap;
import java.util.Map;

/// Makes telemetry of the OpenTelemetry SDK. What the environment says by `OTEL_…`, or system
/// properties by `otel.…`, has precedence over the settings.
public final class OtelProvider implements TelemetryProvider {
    /// Spans that wait for being sent, where `OTEL_BSP_MAX_QUEUE_SIZE` says nothing.
    static final int QUEUE_MAX = 2_048;

    /// Characters of an attribute, such as a path, where `OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT`
    /// says nothing.
    static final int VALUE_CHARS_MAX = 1_024;

    private static final String QUEUE = "otel.bsp.max.queue.size";

    @Override
    public Telemetry open(TelemetrySettings settings) {
        SpanGate gate = new SpanGate();
        try {
            return new OtelTelemetry(settings, sdk(settings, gate), gate);
        } catch (ConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static OpenTelemetrySdk sdk(TelemetrySettings settings, SpanGate gate) {
        ExporterLog.mute();
        return AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .setServiceClassLoader(OtelProvider.class.getClassLoader())
                .addPropertiesSupplier(() -> properties(settings))
                .addSamplerCustomizer((sampler, _) -> sampler(settings, sampler))
                .addSpanExporterCustomizer((exporter, _) -> new CountedExporter(exporter, gate))
                .addSpanProcessorCustomizer(
                        (batches, set) -> gate.before(batches, set.getInt(QUEUE, QUEUE_MAX)))
                .build()
                .getOpenTelemetrySdk();
    }

    private static Map<String, String> properties(TelemetrySettings settings) {
        Map<String, String> set = new HashMap<>();
        set.put("otel.metrics.exporter", "none");
        set.put("otel.logs.exporter", "none");
        set.put("otel.exporter.otlp.protocol", "http/protobuf");
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
