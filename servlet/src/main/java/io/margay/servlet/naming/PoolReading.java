package io.margay.servlet.naming;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// What a pool of a data source has and had to do. Immutable.
///
/// @param name of the resource, such as `jdbc/shop`
/// @param active connections that applications have
/// @param idle connections that wait to be used
/// @param waiting threads that wait for a connection
/// @param max connections at most
/// @param given connections given out since the pool was made
/// @param timeouts how often nobody gave one back in time
/// @param waitedNanos how long those who got one waited for it together
@RecordBuilder
public record PoolReading(
        String name,
        int active,
        int idle,
        int waiting,
        int max,
        long given,
        long timeouts,
        long waitedNanos) {
    private static final MeterTable<PoolReading> METERS =
            new MeterTable<PoolReading>("margay_datasource_")
                    .gauge("connections_active", "Connections in use.", PoolReading::active)
                    .gauge(
                            "connections_idle",
                            "Connections that wait to be used.",
                            PoolReading::idle)
                    .gauge("connections_max", "Connections at most.", PoolReading::max)
                    .gauge("threads_waiting", "Threads that wait for one.", PoolReading::waiting)
                    .counter("acquired", "Connections given out.", PoolReading::given)
                    .counter(
                            "timeouts",
                            "How often no connection was had in time.",
                            PoolReading::timeouts)
                    .counter(
                            "wait_seconds",
                            "How long those who got one waited.",
                            one -> one.waitedNanos / 1e9);

    /// Its numbers, of an application that whoever has it names.
    public List<Meter> meters() {
        return METERS.of(this, "datasource", name);
    }
}
