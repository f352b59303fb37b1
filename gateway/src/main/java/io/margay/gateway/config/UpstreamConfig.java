package io.margay.gateway.config;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A named group of peers that answer for one another. Immutable.
///
/// @param peers at least one, no name twice
/// @param attempts peers that one request is offered at most; 0 = each of them once
/// @param escalation how long errors of a peer that still has requests in flight keep it out of
///   error state (mod_jk's `error_escalation_time`)
/// @param replyTimeoutsMax late responses that are forgiven (mod_jk's `max_reply_timeouts`); -1 =
///   any number, which is mod_proxy's `failontimeout=Off`
/// @param forceRecovery whether peers in error are tried when none other is left
/// @param maintain pause between two rounds of maintenance: counters age, errors recover
/// @param health active checks, or null
/// @param sources where further peers come from while it is at work
/// @param retries how often requests are tried once more
/// @param spread which members requests are spread over
/// @param watching what members' answers change about the requests that they get
@RecordBuilder
public record UpstreamConfig(
        String name,
        BalanceDialect dialect,
        BalanceMethod method,
        List<PeerConfig> peers,
        Sticky sticky,
        int attempts,
        Duration escalation,
        int replyTimeoutsMax,
        boolean forceRecovery,
        Duration maintain,
        @Nullable HealthConfig health,
        List<MemberSource> sources,
        Retries retries,
        Spread spread,
        Watching watching)
        implements UpstreamConfigBuilder.With {
    public UpstreamConfig {
        peers = List.copyOf(peers);
        sources = List.copyOf(sources);
        if (peers.isEmpty() && sources.isEmpty()) {
            throw new IllegalArgumentException("the upstream " + name + " has no member");
        }
        if (peers.stream().map(PeerConfig::name).distinct().count() < peers.size()) {
            throw new IllegalArgumentException("two members of " + name + " have one name");
        }
    }

    /// With every default.
    public static UpstreamConfig of(String name, List<PeerConfig> peers) {
        return new UpstreamConfig(
                name,
                BalanceDialect.MARGAY,
                BalanceMethod.REQUESTS,
                peers,
                Sticky.defaults(),
                0,
                Duration.ofSeconds(30),
                0,
                true,
                Duration.ofSeconds(60),
                null,
                List.of(),
                Retries.defaults(),
                Spread.defaults(),
                Watching.NONE);
    }

    /// The same with another tolerance of errors.
    public UpstreamConfig withTolerance(int attempts, Duration escalation, int replyTimeoutsMax) {
        return UpstreamConfigBuilder.builder(this)
                .attempts(attempts)
                .escalation(escalation)
                .replyTimeoutsMax(replyTimeoutsMax)
                .build();
    }

    /// The same with another number of rounds.
    public UpstreamConfig withRounds(int rounds) {
        return withRounds(rounds, patience());
    }

    /// The same with another time to wait.
    public UpstreamConfig withPatience(Duration patience) {
        return withRounds(rounds(), patience);
    }

    /// The same with another number of rounds, and another time to wait.
    public UpstreamConfig withRounds(int rounds, Duration patience) {
        return withRetries(
                new Retries(
                        retries.sentMax(), retries.percent(), retries.floor(), rounds, patience));
    }

    /// How often the peers are gone through when none takes a request.
    public int rounds() {
        return retries.rounds();
    }

    /// How long a request waits for a peer when none can take it.
    public Duration patience() {
        return retries.patience();
    }

    /// By what requests are told apart, with [BalanceMethod#HASH].
    public HashKey hashBy() {
        return spread.hashBy;
    }

    /// The same, telling requests apart by something else.
    public UpstreamConfig withHashBy(HashKey hashBy) {
        return withSpread(new Spread(hashBy, spread.ownZone, spread.subset));
    }

    /// When members are left out that answer worse than others; null = never.
    public @Nullable OutlierConfig outliers() {
        return watching.outliers;
    }

    /// The same with another rule of leaving members out.
    public UpstreamConfig withOutliers(@Nullable OutlierConfig outliers) {
        return withWatching(new Watching(outliers, watching.adaptive));
    }

    /// Whether members are believed when they say how long requests have waited there.
    public boolean believesQueueTimes() {
        return watching.adaptive != null && watching.adaptive.told();
    }

    /// What a peer is of which nothing else is known: the first one, or what sources give theirs.
    public PeerConfig pattern() {
        return peers.isEmpty() ? sources.getFirst().pattern() : peers.getFirst();
    }

    /// Which members requests are spread over.
    ///
    /// @param hashBy by what requests are told apart, with [BalanceMethod#HASH]
    /// @param ownZone where the gateway is: members there are used first; empty = wherever
    /// @param subset members that one gateway uses of all; 0 = all
    public record Spread(HashKey hashBy, String ownZone, int subset) {
        /// All members, wherever they are.
        public static Spread defaults() {
            return new Spread(HashKey.client(), "", 0);
        }
    }

    /// What members' answers change about the requests that they get.
    ///
    /// @param outliers when members are left out that answer worse than others; null = never
    /// @param adaptive within which bounds requests in flight follow response times; null = none
    public record Watching(@Nullable OutlierConfig outliers, @Nullable AdaptiveConfig adaptive) {
        public static final Watching NONE = new Watching(null, null);
    }

    /// How often requests are tried once more.
    ///
    /// @param sentMax attempts of one request that was sent, from which the peer may have begun to
    ///   work on it; 0 = as many as there may be of any request
    /// @param percent retries for each hundred requests of the last seconds, at most
    /// @param floor retries in that time that there may always be
    /// @param rounds how often the peers are gone through when none takes a request, with a pause
    ///   between (mod_jk's `retries` of a load balancer)
    /// @param patience how long a request waits for a peer when none can take it (mod_proxy's
    ///   `timeout` of a balancer)
    public record Retries(int sentMax, int percent, int floor, int rounds, Duration patience) {
        /// One round, and no waiting.
        public Retries(int sentMax, int percent, int floor) {
            this(sentMax, percent, floor, 1, Duration.ZERO);
        }

        /// The time of which requests and retries are counted.
        public static final int WINDOW_SECONDS = 10;

        /// Two; a tenth, and some for who asks alone.
        public static Retries defaults() {
            return new Retries(2, 10, 20);
        }
    }

    /// How a request's session leads to its peer.
    ///
    /// @param enabled whether it does at all
    /// @param cookie name of the cookie; empty = none
    /// @param parameter name of the path or query parameter, without `;`; empty = none
    /// @param separator what stands between the session's id and the route; one character of it is
    ///   enough
    /// @param queryParameter whether the parameter is also looked for in the query (mod_proxy)
    /// @param force whether a request is answered with an error rather than by another peer
    /// @param setCookie name of a cookie that the gateway itself sets to bind a client; null = none
    /// @param setCookiePath its path; null = none
    @RecordBuilder
    public record Sticky(
            boolean enabled,
            String cookie,
            String parameter,
            String separator,
            boolean queryParameter,
            boolean force,
            @Nullable String setCookie,
            @Nullable String setCookiePath) {
        /// The same, enabled or forced otherwise.
        public Sticky with(boolean enabled, boolean force) {
            return UpstreamConfigStickyBuilder.builder(this).enabled(enabled).force(force).build();
        }

        /// `JSESSIONID` and `;jsessionid`.
        public static Sticky defaults() {
            return new Sticky(true, "JSESSIONID", "jsessionid", ".", false, false, null, null);
        }

        /// Every request goes where it likes.
        public static Sticky none() {
            return new Sticky(false, "", "", ".", false, false, null, null);
        }
    }
}
