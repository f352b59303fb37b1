package io.margay.lab.load;

import java.util.List;
import java.util.Map;

/// How a job went, besides its sums. Immutable.
///
/// @param repeated requests sent again because the server closed a kept connection meanwhile
/// @param others answers of a trace with another status than was written down, as in `404 instead
///   of 200`
/// @param slices the seconds of a trace
public record Course(long repeated, Map<String, Long> others, List<Slice> slices) {
    /// One second. Immutable.
    ///
    /// @param second from 0 on
    public record Slice(int second, long requests, double p50Millis, double p99Millis) {}

    /// Nothing is known.
    public static final Course NONE = new Course(0, Map.of(), List.of());

    public Course {
        others = Map.copyOf(others);
        slices = List.copyOf(slices);
    }
}
