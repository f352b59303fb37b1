package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.protocol.caching.CacheControl;
import io.margay.protocol.caching.CachePolicy;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which responses of a host are kept for other clients, and how. The first rule that takes a
/// request decides; one without memory keeps nothing. Immutable.
///
/// @param when what must also hold
/// @param requests what of requests counts
/// @param responses what of responses counts
/// @param stale when stale responses are given
/// @param waitMax how long a request waits for another one that fetches the same; zero = not at all
/// @param purgeFrom addresses and networks whose clients may remove what is kept by `PURGE`
@RecordBuilder
public record CacheRule(
        PathMatch match,
        List<Condition> when,
        Room room,
        Times times,
        Requests requests,
        Responses responses,
        Stale stale,
        Duration waitMax,
        List<String> purgeFrom) {
    /// What stands in [Stale#statuses] for a member that has not answered.
    public static final int FAILURE = 0;

    /// What stands in [Responses#ages] for any other status.
    public static final int ANY = 0;

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
                new Times(Duration.ZERO, Duration.ofDays(365), 0, Duration.ZERO, Duration.ZERO),
                new Requests("", false, false, 1, List.of(), List.of()),
                new Responses(Map.of(), List.of(), List.of(), false, false),
                new Stale(false, false, List.of(FAILURE, 500, 502, 503, 504)),
                Duration.ofSeconds(5),
                List.of());
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
    /// @param disk where contents are kept over restarts, too; null = nowhere
    public record Room(long memoryBytes, int responseBytesMax, int variants, @Nullable Disk disk) {
        /// In memory alone.
        public Room(long memoryBytes, int responseBytesMax, int variants) {
            this(memoryBytes, responseBytesMax, variants, null);
        }

        public Room {
            if (memoryBytes < 0 || responseBytesMax < 0 || variants < 1) {
                throw new IllegalArgumentException("a cache needs room");
            }
        }
    }

    /// A folder of its own, and how much may be in it.
    public record Disk(Path folder, long bytesMax) {
        public Disk {
            if (bytesMax < 1) {
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
    /// @param meanwhile how long stale ones are given while they are fetched anew, where they do
    ///   not say so
    public record Times(
            Duration otherwise,
            Duration most,
            int heuristicPercent,
            Duration ifError,
            Duration meanwhile) {
        public Times {
            if (Stream.of(otherwise, most, ifError, meanwhile).anyMatch(Duration::isNegative)) {
                throw new IllegalArgumentException("times must not be negative");
            }
            if (heuristicPercent < 0 || heuristicPercent > 100) {
                throw new IllegalArgumentException("heuristic is 0 to 100");
            }
        }
    }

    /// What of requests counts.
    ///
    /// @param key text, made as [VariableRule#value], by which responses to one URL are told apart
    ///   as well
    /// @param ignoresQuery whether all queries of a path get the same
    /// @param ignoresControl whether `Cache-Control` of clients is of no account
    /// @param usesMin how many requests for a URL there are before its response is kept
    /// @param bypass which requests are not answered from the cache; an empty list for none
    /// @param skip to which requests the response is not kept; an empty list for none
    public record Requests(
            String key,
            boolean ignoresQuery,
            boolean ignoresControl,
            int usesMin,
            List<Condition> bypass,
            List<Condition> skip) {
        public Requests {
            bypass = List.copyOf(bypass);
            skip = List.copyOf(skip);
            if (usesMin < 1) {
                throw new IllegalArgumentException("min-uses is at least 1");
            }
        }
    }

    /// What of responses counts.
    ///
    /// @param ages how long responses are fresh that do not say so, by their status, whatever
    ///   cookies a request has; [#ANY] for any other
    /// @param ignored fields that do not count: `Cache-Control`, `Expires`, `Vary`
    /// @param dropped fields that are not kept, so that only the first client gets them
    /// @param storesCookies whether responses that set a cookie are kept, with the cookie
    /// @param asSent whether the response counts as it was sent, with `X-Accel-Expires`, before the
    ///   host changes it; then what would have to be validated each time is not kept
    public record Responses(
            Map<Integer, Duration> ages,
            List<String> ignored,
            List<String> dropped,
            boolean storesCookies,
            boolean asSent) {
        public Responses {
            ages = Map.copyOf(ages);
            ignored = List.copyOf(ignored);
            dropped = List.copyOf(dropped);
            if (ages.values().stream().anyMatch(Duration::isNegative)) {
                throw new IllegalArgumentException("times must not be negative");
            }
        }
    }

    /// When stale responses are given.
    ///
    /// @param ifOverloaded whether one takes the place of a refusal
    /// @param whileFetched whether other requests get it while one fetches it anew
    /// @param statuses in whose place it is given within [Times#ifError]; [#FAILURE] for a member
    ///   that has not answered
    public record Stale(boolean ifOverloaded, boolean whileFetched, List<Integer> statuses) {
        public Stale {
            statuses = List.copyOf(statuses);
        }
    }

    /// What it does where responses leave it open.
    public CachePolicy policy() {
        Map<Integer, Long> seconds = new HashMap<>();
        responses.ages.forEach((status, age) -> seconds.put(status, age.toSeconds()));
        return new CachePolicy(
                times.otherwise.toSeconds(),
                times.heuristicPercent,
                Math.min(CacheControl.SECONDS_MAX, times.most.toSeconds()),
                times.ifError.toSeconds(),
                responses.storesCookies,
                new CachePolicy.Further(
                        seconds, times.meanwhile.toSeconds(), requests.ignoresControl));
    }
}
