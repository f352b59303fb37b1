package io.margay.gateway.discovery;

import io.margay.server.meter.Meter;
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
    /// Its numbers, of an upstream that whoever has it names.
    public List<Meter> meters() {
        return Meter.with(
                List.of(
                        Meter.gauge(
                                "margay_upstream_source_up",
                                "1 unless the last look at a source of members failed.",
                                () -> failure == null ? 1 : 0),
                        Meter.gauge(
                                "margay_upstream_source_members",
                                "Members that it has named.",
                                () -> members),
                        Meter.gauge(
                                "margay_upstream_source_age_seconds",
                                "Time since it has answered; -1 = it never has.",
                                () -> sinceSuccessSeconds),
                        Meter.counter(
                                "margay_upstream_source_looks",
                                "How often it was looked at.",
                                () -> looks),
                        Meter.counter(
                                "margay_upstream_source_failures",
                                "How often that has failed.",
                                () -> failures)),
                "source",
                source);
    }
}
