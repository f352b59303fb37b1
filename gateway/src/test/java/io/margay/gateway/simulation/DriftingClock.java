package io.margay.gateway.simulation;

/// What one machine takes for the time: it runs faster or slower than it should. Immutable.
///
/// @param rate its milliseconds per true one
record DriftingClock(double rate) {
    /// What it shows.
    long at(long trueMillis) {
        return (long) (trueMillis * rate);
    }

    /// How long it truly takes until so many of its milliseconds have passed.
    long trueMillis(long own) {
        return (long) Math.ceil(own / rate);
    }
}
