/// Traces by OpenTelemetry.
module io.margay.telemetry.otel {
    requires static org.jspecify;
    requires io.margay.server;
    requires io.opentelemetry.api;
    requires io.opentelemetry.common;
    requires io.opentelemetry.context;
    requires io.opentelemetry.sdk;
    requires io.opentelemetry.sdk.autoconfigure;
    requires io.opentelemetry.sdk.autoconfigure.spi;
    requires io.opentelemetry.sdk.common;
    requires io.opentelemetry.sdk.trace;
    requires java.logging;

    provides io.margay.server.telemetry.TelemetryProvider with
            io.margay.telemetry.otel.OtelProvider;
}
