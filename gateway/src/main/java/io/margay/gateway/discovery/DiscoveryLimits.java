package io.margay.gateway.discovery;

import java.time.Duration;

/// Bounds of what sources of members may do. Immutable.
///
/// @param membersMax members of one source: each costs connections, checks and a place in every
///   choice; one that names more is not believed
/// @param fileBytesMax bytes of a file of members: room for as many with long lines
/// @param lineMax characters of a line of it; a URL and all options
/// @param againMin pause between two looks at the least; a look takes CPU time
/// @param ttlMin how long an answer of a name service holds at the least; a TTL of 0 is no reason
///   to ask without a pause
/// @param ttlMax how long it holds at the most: what has changed is seen within an hour
/// @param retry pause after a look that failed, or after an answer that says nothing of its time;
///   soon enough for a name server that restarts
/// @param nameMax characters of the name of a member that registers, and of its route; it stands in
///   logs, on pages and in session identifiers
/// @param leaseMin the shortest lease: a member renews it three times in that time
/// @param leaseMax the longest: one that ends without a word is gone then
/// @param first how long a start, or a reload, waits for what new sources find; a name server that
///   answers does so within a second
public record DiscoveryLimits(
        int membersMax,
        int fileBytesMax,
        int lineMax,
        Duration againMin,
        Duration ttlMin,
        Duration ttlMax,
        Duration retry,
        Duration first,
        int nameMax,
        Duration leaseMin,
        Duration leaseMax) {
    public static DiscoveryLimits defaults() {
        return new DiscoveryLimits(
                1_024,
                1 << 20,
                1_000,
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                Duration.ofHours(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                64,
                Duration.ofSeconds(1),
                Duration.ofHours(1));
    }
}
