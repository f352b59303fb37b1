package io.margay.servlet.naming;

/// What a pool of a data source has and had to do. Immutable.
///
/// @param name of the resource, such as `jdbc/shop`
/// @param active connections that applications have
/// @param idle connections that wait to be used
/// @param waiting threads that wait for a connection
/// @param max connections at most
/// @param given connections given out since the pool was made
/// @param timeouts how often nobody gave one back in time
/// @param waitedNanos how long those who got one waited for it together
public record PoolReading(
        String name,
        int active,
        int idle,
        int waiting,
        int max,
        long given,
        long timeouts,
        long waitedNanos) {}
