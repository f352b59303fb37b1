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
/// @param sending how, and what besides the spans of requests
public record TelemetrySettings(
        String otlp,
        String service,
        double sample,
        Duration keepSlow,
        boolean keepFailed,
        Parents parents,
        Sending sending) {
    /// Whose `traceparent` is believed; for others a trace begins that has a link to theirs.
    public enum Parents {
        /// Front ends that the listener believes.
        FRONT_ENDS,
        /// Any client: it decides which requests are sampled.
        EVERYBODY,
        NOBODY
    }

    /// How the collector is told, and of what besides requests. Immutable.
    ///
    /// @param metrics how often it is told what meters say; zero = never
    /// @param logs whether it gets the lines of the log
    /// @param steps whether what is done for a request has spans of its own: see
    ///   [io.margay.server.steps.Steps]
    public record Sending(Protocol protocol, Duration metrics, boolean logs, boolean steps) {
        /// Spans of requests alone.
        public static final Sending DEFAULT =
                new Sending(Protocol.HTTP, Duration.ZERO, false, false);

        public Sending {
            Objects.requireNonNull(protocol, "protocol");
            if (!metrics.isZero() && metrics.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("\"metrics\" is 1s at least");
            }
        }

        /// Whether threads are to be known by the request that they work on.
        public boolean followsWork() {
            return logs || steps;
        }
    }

    /// How OTLP goes over the wire.
    public enum Protocol {
        /// `http/protobuf`.
        HTTP,
        GRPC
    }

    public TelemetrySettings {
        Objects.requireNonNull(otlp, "otlp");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(parents, "parents");
        Objects.requireNonNull(sending, "sending");
        if (!(sample >= 0 && sample <= 1)) {
            throw new IllegalArgumentException("\"sample\" is 0 to 1, not " + sample);
        }
        if (keepSlow.isNegative()) {
            throw new IllegalArgumentException("\"keep-slow\" is negative");
        }
    }

    /// Every trace, to where the environment says.
    public static TelemetrySettings defaults() {
        return new TelemetrySettings(
                "", "margay", 1, Duration.ZERO, false, Parents.FRONT_ENDS, Sending.DEFAULT);
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
