package io.margay.gateway.retry;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.List;

/// How second members are asked for requests of a route, as those see it who run the server.
/// Immutable.
///
/// @param route where the route is
/// @param afterNanos how long the first member is waited for; -1 = not known yet
/// @param sent second members that were asked
/// @param won those of them that have answered first
/// @param leftOut requests for which none was asked, though it was time
public record HedgeReading(String route, long afterNanos, long sent, long won, long leftOut) {
    private static final double NANOS = 1e9;

    private static final MeterTable<HedgeReading> METERS =
            new MeterTable<HedgeReading>("margay_hedge_")
                    .counter("requests", "Second members that were asked.", HedgeReading::sent)
                    .counter("wins", "Those of them that answered first.", HedgeReading::won)
                    .counter(
                            "left_out",
                            "Requests for which none was asked: the retry budget was spent, or no"
                                    + " other member could take them.",
                            HedgeReading::leftOut)
                    .gauge(
                            "after_seconds",
                            "How long the first member is waited for; -1 = not known yet.",
                            one -> one.afterNanos < 0 ? -1 : one.afterNanos / NANOS);

    /// The numbers of it.
    public List<Meter> meters() {
        return METERS.of(this, "route", route);
    }
}
