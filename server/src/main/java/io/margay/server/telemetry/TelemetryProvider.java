package io.margay.server.telemetry;

import io.margay.server.Extensions;
import io.margay.server.meter.Meter;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/// Knows how to tell a collector of exchanges. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only where that is configured, and have a public
/// constructor without parameters.
public interface TelemetryProvider {
    /// Begins.
    ///
    /// @param meters all that there are, where the settings have them sent
    /// @throws IllegalArgumentException when settings, or variables of the environment, make no
    ///   sense
    Telemetry open(TelemetrySettings settings, Supplier<List<Meter>> meters);

    /// Begins by the first implementation that is there.
    ///
    /// @throws IllegalArgumentException when there is none, or as [#open]
    static Telemetry first(TelemetrySettings settings, Supplier<List<Meter>> meters) {
        return ServiceLoader.load(TelemetryProvider.class, Extensions.loader())
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "margay-telemetry-otel is not on the class path"))
                .open(settings, meters);
    }
}
