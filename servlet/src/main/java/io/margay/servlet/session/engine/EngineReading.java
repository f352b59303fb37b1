package io.margay.servlet.session.engine;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// What has become of the calls of the engine that keeps sessions. Immutable.
///
/// @param store the word of the configuration
/// @param state whether it is asked, and for what; if not, it is tried only now and then
/// @param failure why it counts as away or full; empty = it does not
/// @param calls that were made
/// @param failures how many of them failed
/// @param refused calls that were not made, for it was away
/// @param aways how often it has been away
/// @param nanos how long the calls took, together
/// @param late changes of attributes that were left out, for newer ones of other servers
/// @param pending sessions here that are to be written
@RecordBuilder
public record EngineReading(
        String store,
        State state,
        String failure,
        long calls,
        long failures,
        long refused,
        long aways,
        long nanos,
        long late,
        int pending) {
    private static final MeterTable<EngineReading> METERS =
            new MeterTable<EngineReading>("margay_session_store_")
                    .gauge(
                            "up",
                            "1 while it answers and takes writes.",
                            one -> one.reachable() ? 1 : 0)
                    .gauge(
                            "full",
                            "1 while it answers and has no room for writes.",
                            one -> one.state == State.FULL ? 1 : 0)
                    .gauge(
                            "pending_sessions",
                            "Sessions that are to be written.",
                            EngineReading::pending)
                    .counter("calls", "Calls.", EngineReading::calls)
                    .counter("failures", "Calls that failed.", EngineReading::failures)
                    .counter(
                            "refused",
                            "Calls that were not made, because it did not respond before.",
                            EngineReading::refused)
                    .counter(
                            "aways",
                            "How often it stopped answering, or was full.",
                            EngineReading::aways)
                    .counter(
                            "late_changes",
                            "Changes of attributes that were left out, for newer ones of other"
                                    + " servers.",
                            EngineReading::late)
                    .counter("call_seconds", "How long calls took.", one -> one.nanos / 1e9);

    /// Whether an engine does what it is asked.
    public enum State {
        /// It finds and saves.
        THERE,

        /// It finds, and has no room for what is saved.
        FULL,

        /// It does not answer, or refuses everything.
        AWAY
    }

    /// Whether it finds and saves.
    public boolean reachable() {
        return state == State.THERE;
    }

    /// Its numbers.
    public List<Meter> meters() {
        return METERS.of(this, "store", store);
    }
}
