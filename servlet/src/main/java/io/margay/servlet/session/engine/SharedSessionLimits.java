package io.margay.servlet.session.engine;

import java.time.Duration;

/// What sessions outside the process may take of this one. Immutable.
///
/// @param localIdle a copy here that nobody asked for is let go, and one that is in use asks the
///   engine for its session at the latest; the engine remembers ends of sessions for longer; half
///   of what the engine remembers an end for
/// @param attributeBytesMax bytes of one attribute as it is written; a larger one stays here; more,
///   and each request of the session costs milliseconds of the network
/// @param expiredMax sessions that have timed out, taken in one call: what a reply may weigh; what
///   an answer weighs
/// @param expiredRounds such calls every ten seconds: the rest waits, or other servers take it; the
///   timer of the application has other work
/// @param formerIdsMax identifiers that a session had since it was written last; a login changes
///   one
/// @param removalsMax ends of sessions to be told to an engine that is away; more are forgotten,
///   and those sessions end by their time; some megabytes
/// @param lazyDelay how long a change waits at most when it is written lazily; what a crash may
///   lose
/// @param failuresMax failed calls in a row until the engine counts as away; one may be chance
/// @param awayFirst until an engine that is away is tried again, doubling; an engine that starts
///   again is not overrun, and not left alone when it is there
/// @param awayMax from try to try at most
/// @param firstWait how long a start waits for the engine's first answer, unless it refuses; a
///   process that starts on a busy machine takes seconds to find a cluster
/// @param lookupWait how long a request whose session is not known here waits for an engine that is
///   away; some tries
/// @param lookupWaitersMax requests that wait so at a time; more are refused at once; the others
///   keep their threads
/// @param lookupsRefusedFor while the engine has been away for less, such a request is refused, for
///   its session may be there; later it is served as one without a session; what a failover takes
/// @param stopWait what is unwritten when the application stops may take so long; a supervisor's
///   patience
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
