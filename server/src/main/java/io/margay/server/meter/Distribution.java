package io.margay.server.meter;

import java.util.List;

/// How many values there were, and of which size. Immutable.
///
/// @param count of all
/// @param sum of all, in the unit of the meter
/// @param buckets by ascending bounds, the last without one; none = only count and sum are known
public record Distribution(long count, double sum, List<Bucket> buckets) {
    /// Of what is no distribution.
    static final Distribution NONE = new Distribution(0, 0, List.of());

    /// Values of about the same size.
    ///
    /// @param upTo the largest of them at most; infinite = without bound
    /// @param count of those that are not in the bucket before
    public record Bucket(double upTo, long count) {}

    public Distribution {
        buckets = List.copyOf(buckets);
    }
}
