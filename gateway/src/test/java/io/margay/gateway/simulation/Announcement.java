package io.margay.gateway.simulation;

/// What a container says of itself. Immutable.
///
/// @param container its name
/// @param run its starts so far: each has a higher one
/// @param number of the announcement within the run
/// @param draining whether it is to get no further requests
record Announcement(int container, long run, long number, boolean draining) {
    /// Whether it was made after another one.
    boolean isNewerThan(Announcement other) {
        return run != other.run ? run > other.run : number > other.number;
    }
}
