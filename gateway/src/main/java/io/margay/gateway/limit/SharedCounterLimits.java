package io.margay.gateway.limit;

import java.time.Duration;

/// Bounds of what gateways count together. Immutable.
///
/// @param every pause between two calls of the engine, which tell it of all that has come
///   meanwhile; 50 calls a second of a gateway tell of any number of requests
/// @param keysMax keys of one limit that a call tells of; what further ones use meanwhile is
///   counted by this gateway alone; 200 000 keys a second; a call of some milliseconds in the
///   engine
/// @param lease after which the requests in flight of a gateway are forgotten that says nothing; it
///   says so each second
public record SharedCounterLimits(Duration every, int keysMax, Duration lease) {
    public static SharedCounterLimits defaults() {
        return new SharedCounterLimits(Duration.ofMillis(20), 4_096, Duration.ofSeconds(3));
    }
}
