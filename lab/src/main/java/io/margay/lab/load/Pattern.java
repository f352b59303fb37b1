package io.margay.lab.load;

/// Who asks when, over connections that the loop keeps. Confined to the loop.
interface Pattern {
    /// The tick that never comes.
    long NEVER = Long.MAX_VALUE;

    /// The measurement begins; every connection is free.
    void begin(long nowNanos);

    /// The connection can take a request; it may have been closed after its answer.
    void free(ClientConnection connection, boolean answered, long nowNanos);

    /// What is due by time; the moment of the next tick.
    long tick(long nowNanos);
}
