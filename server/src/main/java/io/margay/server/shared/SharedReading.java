package io.margay.server.shared;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.soabase.recordbuilder.core.RecordBuilder;
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
@RecordBuilder
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

    private static final MeterTable<SharedReading> METERS =
            new MeterTable<SharedReading>("margay_shared_")
                    .gauge("up", "1 while the shared engine answers.", one -> one.up ? 1 : 0)
                    .gauge(
                            "servers",
                            "Servers of the group that are there.",
                            one -> one.servers.size())
                    .counter("calls", "Calls of the shared engine.", SharedReading::calls)
                    .counter("failures", "Calls of it that failed.", SharedReading::failures)
                    .counter(
                            "refused",
                            "Calls that were not made, because it is unreachable.",
                            SharedReading::refused)
                    .counter(
                            "call_seconds",
                            "Time of the calls of the shared engine.",
                            one -> one.nanos / 1e9);

    /// Its numbers.
    public List<Meter> meters() {
        return METERS.of(this);
    }
}
