package io.margay.protocol.caching;

/// What a cache does where responses leave it open. Immutable.
///
/// @param defaultSeconds how long responses are fresh that say nothing of it; 0 = not at all
/// @param heuristicPercent how long those are that say when they were last modified: this part of
///   the time since then, a day at most (RFC 9111 §4.2.2); 0 = not at all
/// @param secondsMax how long any response is fresh at most
/// @param staleIfErrorSeconds how long a stale response may stand in for an error where it does not
///   say so itself (RFC 5861 §4)
/// @param storesCookies whether responses with `Set-Cookie` are stored, which give the cookie of
///   one client to all
public record CachePolicy(
        long defaultSeconds,
        int heuristicPercent,
        long secondsMax,
        long staleIfErrorSeconds,
        boolean storesCookies) {
    /// Only what responses say themselves holds.
    public static final CachePolicy EXPLICIT =
            new CachePolicy(0, 0, CacheControl.SECONDS_MAX, 0, false);

    public CachePolicy {
        if (defaultSeconds < 0 || secondsMax < 0 || staleIfErrorSeconds < 0) {
            throw new IllegalArgumentException("times must not be negative");
        }
        if (heuristicPercent < 0 || heuristicPercent > 100) {
            throw new IllegalArgumentException("a part of the time is 0 to 100 percent");
        }
    }
}
