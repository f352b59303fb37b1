package io.margay.protocol.caching;

import java.util.Map;

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
/// @param further what an administrator may say beside that
public record CachePolicy(
        long defaultSeconds,
        int heuristicPercent,
        long secondsMax,
        long staleIfErrorSeconds,
        boolean storesCookies,
        Further further) {
    /// Only what responses say themselves holds.
    public static final CachePolicy EXPLICIT =
            new CachePolicy(0, 0, CacheControl.SECONDS_MAX, 0, false);

    /// As RFC 9111 has it.
    public CachePolicy(
            long defaultSeconds,
            int heuristicPercent,
            long secondsMax,
            long staleIfErrorSeconds,
            boolean storesCookies) {
        this(
                defaultSeconds,
                heuristicPercent,
                secondsMax,
                staleIfErrorSeconds,
                storesCookies,
                Further.NONE);
    }

    /// What overrides defaults of the protocol.
    ///
    /// @param statusSeconds how long responses are fresh that say nothing of it, by their status,
    ///   whatever cookies a request has; 0 stands for any other status
    /// @param whileRevalidateSeconds how long stale responses are given while they are fetched
    ///   anew, where they do not say so themselves
    /// @param ignoresRequests whether clients have no say in what they get from the cache
    public record Further(
            Map<Integer, Long> statusSeconds,
            long whileRevalidateSeconds,
            boolean ignoresRequests) {
        /// Nothing.
        public static final Further NONE = new Further(Map.of(), 0, false);

        public Further {
            statusSeconds = Map.copyOf(statusSeconds);
            boolean below = statusSeconds.values().stream().anyMatch(seconds -> seconds < 0);
            if (whileRevalidateSeconds < 0 || below) {
                throw new IllegalArgumentException("times must not be negative");
            }
        }
    }

    public CachePolicy {
        if (defaultSeconds < 0 || secondsMax < 0 || staleIfErrorSeconds < 0) {
            throw new IllegalArgumentException("times must not be negative");
        }
        if (heuristicPercent < 0 || heuristicPercent > 100) {
            throw new IllegalArgumentException("a part of the time is 0 to 100 percent");
        }
    }

    /// Whether the time of a status is said.
    boolean hasTime(int status) {
        Map<Integer, Long> times = further.statusSeconds;
        return times.containsKey(status) || times.containsKey(0);
    }

    /// How long a response is fresh that does not say so.
    long seconds(int status) {
        Map<Integer, Long> times = further.statusSeconds;
        Long said = times.isEmpty() ? null : times.getOrDefault(status, times.get(0));
        return said == null ? defaultSeconds : said;
    }
}
