package io.margay.server.telemetry;

import java.time.Duration;
import java.util.Objects;

/// What is told of exchanges, and to whom. Immutable.
///
/// @param otlp the URL of the collector, as in `http://collector:4318`; empty = what the
///   environment says
/// @param service what the collector is to call this server
/// @param sample the share of traces of which spans are sent, 0 to 1
/// @param keepSlow a request that took so long is told all the same; zero = it is not
/// @param keepFailed whether one that failed is
/// @param parents whose traces requests belong to that name one
public record TelemetrySettings(
        String otlp,
        String service,
        double sample,
        Duration keepSlow,
        boolean keepFailed,
        Parents parents) {
    /// Whose `traceparent` is believed; for others a trace begins that has a link to theirs.
    public enum Parents {
        /// Front ends that the listener believes.
        FRONT_ENDS,
        /// Any client: it decides which requests are sampled.
        EVERYBODY,
        NOBODY
    }

    public TelemetrySettings {
        Objects.requireNonNull(otlp, "otlp");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(parents, "parents");
        if (!(sample >= 0 && sample <= 1)) {
            throw new IllegalArgumentException("\"sample\" is 0 to 1, not " + sample);
        }
        if (keepSlow.isNegative()) {
            throw new IllegalArgumentException("\"keep-slow\" is negative");
        }
    }

    /// Every trace, to where the environment says.
    public static TelemetrySettings defaults() {
        return new TelemetrySettings("", "margay", 1, Duration.ZERO, false, Parents.FRONT_ENDS);
    }

    /// Whether requests may be told that are not sampled.
    public boolean keepsMore() {
        return keepFailed || !keepSlow.isZero();
    }

    /// Whether a request is told that is not sampled.
    public boolean keeps(long tookNanos, boolean failed) {
        return (keepFailed && failed) || (!keepSlow.isZero() && tookNanos >= keepSlow.toNanos());
    }
}
