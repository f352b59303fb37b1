package io.margay.servlet.session.engine;

import java.time.Duration;

/// What sessions outside the process may take of this one. Immutable.
///
/// @param localIdle a copy here that nobody asked for is let go, and one that is in use asks the
///   engine for its session at the latest; the engine remembers ends of sessions for longer
/// @param attributeBytesMax bytes of one attribute as it is written; a larger one stays here
/// @param expiredMax sessions that have timed out, taken in one call: what a reply may weigh
/// @param expiredRounds such calls every ten seconds: the rest waits, or other servers take it
/// @param formerIdsMax identifiers that a session had since it was written last
/// @param removalsMax ends of sessions to be told to an engine that is away; more are forgotten,
///   and those sessions end by their time
/// @param lazyDelay how long a change waits at most when it is written lazily
/// @param failuresMax failed calls in a row until the engine counts as away
/// @param awayFirst until an engine that is away is tried again, doubling
/// @param awayMax from try to try at most
/// @param firstWait how long a start waits for the engine's first answer, unless it refuses
/// @param lookupWait how long a request whose session is not known here waits for an engine that is
///   away
/// @param lookupWaitersMax requests that wait so at a time; more are refused at once
/// @param lookupsRefusedFor while the engine has been away for less, such a request is refused, for
///   its session may be there; later it is served as one without a session
/// @param stopWait what is unwritten when the application stops may take so long
public record SharedSessionLimits(
        Duration localIdle,
        int attributeBytesMax,
        int expiredMax,
        int expiredRounds,
        int formerIdsMax,
        int removalsMax,
        Duration lazyDelay,
        int failuresMax,
        Duration awayFirst,
        Duration awayMax,
        Duration firstWait,
        Duration lookupWait,
        int lookupWaitersMax,
        Duration lookupsRefusedFor,
        Duration stopWait) {
    /// The figures of the page of limits.
    public static SharedSessionLimits defaults() {
        return new SharedSessionLimits(
                Duration.ofMinutes(5),
                8 << 20,
                100,
                100,
                8,
                100_000,
                Duration.ofSeconds(1),
                3,
                Duration.ofMillis(500),
                Duration.ofSeconds(2),
                Duration.ofSeconds(20),
                Duration.ofSeconds(3),
                100,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5));
    }
}
