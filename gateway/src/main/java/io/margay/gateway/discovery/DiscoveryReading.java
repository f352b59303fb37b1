package io.margay.gateway.discovery;

import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a source of members does. Immutable.
///
/// @param source as the configuration says it, such as `file members.txt`
/// @param members that it has named last
/// @param looks how often it was looked at
/// @param failures how often that has failed
/// @param sinceSuccessSeconds since it has answered; -1 = it never has
/// @param failure why the last look failed; null when it did not
public record DiscoveryReading(
        String source,
        int members,
        long looks,
        long failures,
        long sinceSuccessSeconds,
        @Nullable String failure) {
    private static final MeterTable<DiscoveryReading> METERS =
            new MeterTable<DiscoveryReading>("margay_upstream_source_")
                    .gauge(
                            "up",
                            "1 unless the last look at a source of members failed.",
                            one -> one.failure == null ? 1 : 0)
                    .gauge("members", "Members that it has named.", DiscoveryReading::members)
                    .gauge(
                            "age_seconds",
                            "Time since it has answered; -1 = it never has.",
                            DiscoveryReading::sinceSuccessSeconds)
                    .counter("looks", "How often it was read.", DiscoveryReading::looks)
                    .counter("failures", "How often that has failed.", DiscoveryReading::failures);

    /// Its numbers, of an upstream that whoever has it names.
    public List<Meter> meters() {
        return METERS.of(this, "source", source);
    }
}
