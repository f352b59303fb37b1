package io.margay.telemetry.otel;

import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;

/// Has the SDK's exporters speak gRPC by the server's own HTTP/2. Stateless.
public final class GrpcProvider implements GrpcSenderProvider {
    /// Called by the SDK.
    public GrpcProvider() {}

    @Override
    public GrpcSender createSender(GrpcSenderConfig config) {
        return new Http2GrpcSender(config);
    }
}
