package io.margay.gateway.config;

import java.time.Duration;

/// When a second member is asked for a request that the first one has not answered. Immutable.
///
/// @param percentile of the route's response times after which it is, 50 to 99; 0 = after a time
/// @param after the time; zero with a percentile
public record HedgeConfig(int percentile, Duration after) {
    private static final int PERCENTILE_MIN = 50;
    private static final int PERCENTILE_MAX = 99;

    public HedgeConfig {
        boolean fits = percentile >= PERCENTILE_MIN && percentile <= PERCENTILE_MAX;
        if (percentile == 0 ? !after.isPositive() : !fits || !after.isZero()) {
            throw new IllegalArgumentException("a percentile from p50 to p99, or a time");
        }
    }

    /// After a percentile of the route's response times.
    public static HedgeConfig percentile(int percentile) {
        return new HedgeConfig(percentile, Duration.ZERO);
    }

    /// After a time.
    public static HedgeConfig after(Duration time) {
        return new HedgeConfig(0, time);
    }
}
