package io.margay.lab.generator;

/// Who asks when, over connections that the loop keeps. Confined to the loop.
interface Pattern {
    /// The tick that never comes.
    long NEVER = Long.MAX_VALUE;

    /// The measurement begins; every connection is free.
    void begin(long nowNanos);

    /// The connection can take a request: its last one was answered, or has failed.
    void free(Lane connection, long nowNanos);

    /// What is due by time; the moment of the next tick.
    long tick(long nowNanos);
}
