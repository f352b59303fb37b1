package io.margay.telemetry.otel;

import io.opentelemetry.context.Context;

/// What a thread works on, as far as it is a span.
@FunctionalInterface
interface SpanParent {
    /// The context whose span it is.
    Context context();
}
