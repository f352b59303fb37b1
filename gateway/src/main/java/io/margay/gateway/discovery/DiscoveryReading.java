package io.margay.gateway.discovery;

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
        @Nullable String failure) {}
