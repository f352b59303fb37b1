/// Spans of requests and of attempts on members, sent by the OpenTelemetry SDK.
@NullMarked
package io.margay.telemetry.otel;

import org.jspecify.annotations.NullMarked;
