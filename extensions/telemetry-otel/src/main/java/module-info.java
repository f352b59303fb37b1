/// Traces, metrics and log lines for OpenTelemetry.
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
    requires io.opentelemetry.sdk.logs;
    requires io.opentelemetry.sdk.metrics;
    requires io.opentelemetry.sdk.trace;
    requires java.logging;
    requires java.net.http;
    requires java.sql;

    provides io.margay.server.telemetry.TelemetryProvider with
            io.margay.telemetry.otel.OtelProvider;
    provides io.opentelemetry.sdk.common.export.GrpcSenderProvider with
            io.margay.telemetry.otel.GrpcProvider;
    provides io.opentelemetry.sdk.common.export.HttpSenderProvider with
            io.margay.telemetry.otel.HttpProvider;
}
