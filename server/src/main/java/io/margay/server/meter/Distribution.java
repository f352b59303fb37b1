package io.margay.server.meter;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
    /// @param example one of them, of the last; null = none is known
    public record Bucket(double upTo, long count, @Nullable Example example) {
        /// One without an example.
        public Bucket(double upTo, long count) {
            this(upTo, count, null);
        }
    }

    /// A value that has a trace (exemplar).
    ///
    /// @param value in the unit of the meter
    /// @param epochMillis when it was counted
    public record Example(double value, TraceMark mark, long epochMillis) {}

    public Distribution {
        buckets = List.copyOf(buckets);
    }
}
