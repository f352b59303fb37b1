package io.margay.transport;

import java.time.Duration;

/// What the header of the PROXY protocol may take. Immutable.
///
/// @param headerTimeout how long the other end may take for it, from accept on: its one packet may
///   have to be sent twice
/// @param headerBytesMax bytes of a header of version 2; one of version 1 has 107 at most
public record ProxyLimits(Duration headerTimeout, int headerBytesMax) {
    private static final int SHORTEST = 16;

    public ProxyLimits {
        if (headerTimeout.isNegative() || headerTimeout.isZero()) {
            throw new IllegalArgumentException("headerTimeout must be positive");
        }
        if (headerBytesMax < SHORTEST) {
            throw new IllegalArgumentException("headerBytesMax must be at least " + SHORTEST);
        }
    }

    /// 5 seconds, 4 KiB.
    public static ProxyLimits defaults() {
        return new ProxyLimits(Duration.ofSeconds(5), 4096);
    }
}
