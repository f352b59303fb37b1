package io.margay.gateway.config;

/// Within which bounds a peer's requests at one time follow its response times. Immutable.
///
/// @param min requests at one time that there may always be
/// @param max as many at most
/// @param tolerance how many times as long as with few requests a response may take
/// @param told whether peers are believed when they say in `Server-Timing` how long requests have
///   waited there
public record AdaptiveConfig(int min, int max, double tolerance, boolean told) {
    public AdaptiveConfig {
        if (min < 1 || max < min) {
            throw new IllegalArgumentException("\"max\" must not be less than \"min\"");
        }
        if (tolerance < 1) {
            throw new IllegalArgumentException("\"slower\" must be at least 1x");
        }
    }

    /// From 4 to 1000 requests, and twice as long.
    public static AdaptiveConfig defaults() {
        return new AdaptiveConfig(4, 1_000, 2, false);
    }
}
