package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.protocol.caching.CacheControl;
import io.margay.protocol.caching.CachePolicy;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;

/// Which responses of a host are kept for other clients, and how. The first rule that takes a
/// request decides; one without memory keeps nothing. Immutable.
///
/// @param when what must also hold
/// @param storesCookies whether responses that set a cookie are kept
/// @param waitMax how long a request waits for another one that fetches the same; zero = not at all
/// @param purgeFrom addresses and networks whose clients may remove what is kept by `PURGE`
/// @param staleIfOverloaded whether a stale response takes the place of a refusal
@RecordBuilder
public record CacheRule(
        PathMatch match,
        List<Condition> when,
        Room room,
        Times times,
        boolean storesCookies,
        Duration waitMax,
        List<String> purgeFrom,
        boolean staleIfOverloaded) {
    public CacheRule {
        when = List.copyOf(when);
        purgeFrom = List.copyOf(purgeFrom);
        if (waitMax.isNegative()) {
            throw new IllegalArgumentException("wait must not be negative");
        }
    }

    /// Keeps what says itself how long it may be kept, in 64 MiB.
    public static CacheRule defaults() {
        return new CacheRule(
                PathMatch.ANY,
                List.of(),
                new Room(64L << 20, 1 << 20, 16),
                new Times(Duration.ZERO, Duration.ofDays(365), 0, Duration.ZERO),
                false,
                Duration.ofSeconds(5),
                List.of(),
                false);
    }

    /// The same at other paths.
    public CacheRule at(PathMatch other) {
        return CacheRuleBuilder.builder(this).match(other).build();
    }

    /// Whether nothing is kept.
    public boolean isOff() {
        return room.memoryBytes == 0;
    }

    /// How much is kept.
    ///
    /// @param memoryBytes of all responses together; 0 = nothing is kept
    /// @param responseBytesMax of the content of one
    /// @param variants of one URL, by what `Vary` names
    public record Room(long memoryBytes, int responseBytesMax, int variants) {
        public Room {
            if (memoryBytes < 0 || responseBytesMax < 0 || variants < 1) {
                throw new IllegalArgumentException("a cache needs room");
            }
        }
    }

    /// How long it is kept.
    ///
    /// @param otherwise how long responses are fresh that do not say so
    /// @param most how long any is fresh at most
    /// @param heuristicPercent part of the time since `Last-Modified` for which those are fresh
    ///   that do not say how long, at most a day
    /// @param ifError how long stale ones stand in for errors where they do not say so
    public record Times(Duration otherwise, Duration most, int heuristicPercent, Duration ifError) {
        public Times {
            if (otherwise.isNegative() || most.isNegative() || ifError.isNegative()) {
                throw new IllegalArgumentException("times must not be negative");
            }
            if (heuristicPercent < 0 || heuristicPercent > 100) {
                throw new IllegalArgumentException("heuristic is 0 to 100");
            }
        }
    }

    /// What it does where responses leave it open.
    public CachePolicy policy() {
        return new CachePolicy(
                times.otherwise.toSeconds(),
                times.heuristicPercent,
                Math.min(CacheControl.SECONDS_MAX, times.most.toSeconds()),
                times.ifError.toSeconds(),
                storesCookies);
    }
}
