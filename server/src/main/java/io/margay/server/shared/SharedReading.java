package io.margay.server.shared;

import io.margay.server.meter.Meter;
import java.util.List;

/// How a server does with what it shares. Immutable.
///
/// @param group its name
/// @param node what this server is called
/// @param servers all that are there, as far as is known
/// @param up whether the engine answers
/// @param failure why not, or why what it has cannot be used; empty = all is well
/// @param calls of the engine
/// @param failures calls that failed
/// @param refused calls that were not made, because the engine is away
/// @param nanos time of all calls
public record SharedReading(
        String group,
        String node,
        List<String> servers,
        boolean up,
        String failure,
        long calls,
        long failures,
        long refused,
        long nanos) {
    public SharedReading {
        servers = List.copyOf(servers);
    }

    /// Its numbers.
    public List<Meter> meters() {
        return List.of(
                Meter.gauge(
                        "margay_shared_up", "1 while the shared engine answers.", () -> up ? 1 : 0),
                Meter.gauge(
                        "margay_shared_servers",
                        "Servers of the group that are there.",
                        servers::size),
                Meter.counter("margay_shared_calls", "Calls of the shared engine.", () -> calls),
                Meter.counter("margay_shared_failures", "Calls of it that failed.", () -> failures),
                Meter.counter(
                        "margay_shared_refused",
                        "Calls that were not made, because it is away.",
                        () -> refused),
                Meter.counter(
                        "margay_shared_call_seconds",
                        "Time of the calls of the shared engine.",
                        () -> nanos / 1e9));
    }
}
