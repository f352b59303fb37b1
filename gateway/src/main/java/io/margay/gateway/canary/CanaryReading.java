package io.margay.gateway.canary;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a new version does, as those see it who run the server. Immutable.
///
/// @param to its upstream
/// @param share of the requests that it gets, 0 to 1
/// @param step which of its steps is under way, from 0
/// @param stopped why it was taken back; null = it was not
/// @param fresh what it has answered, of requests of which the share has decided
/// @param old the same of the old version
public record CanaryReading(
        String to, double share, int step, @Nullable String stopped, Answers fresh, Answers old) {
    private static final MeterTable<CanaryReading> METERS =
            new MeterTable<CanaryReading>("margay_canary_")
                    .gauge("share", "Part of the requests that it gets.", CanaryReading::share)
                    .gauge(
                            "taken_back",
                            "1 when it was taken back.",
                            one -> one.stopped == null ? 0 : 1);

    private static final MeterTable<Answers> ANSWERS =
            new MeterTable<Answers>("margay_canary_")
                    .counter("answers", "Answers that are compared.", Answers::all)
                    .counter("failures", "Those of them that failed.", Answers::failed);

    /// @param all of one version
    /// @param failed of them with a status of 500 and above
    public record Answers(long all, long failed) {}

    /// The numbers of it.
    public List<Meter> meters() {
        List<Meter> all = new ArrayList<>(METERS.of(this));
        all.addAll(Meter.with(ANSWERS.of(fresh), "side", "new"));
        all.addAll(Meter.with(ANSWERS.of(old), "side", "old"));
        return Meter.with(all, "canary", to);
    }
}
