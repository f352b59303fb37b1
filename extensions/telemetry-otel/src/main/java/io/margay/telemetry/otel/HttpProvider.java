package io.margay.telemetry.otel;

import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;

/// Has the SDK's exporters speak HTTP by a sender whose calls come to an end. Stateless.
public final class HttpProvider implements HttpSenderProvider {
    /// Called by the SDK.
    public HttpProvider() {}

    @Override
    public HttpSender createSender(HttpSenderConfig config) {
        return new BoundedHttpSender(config);
    }
}
