package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.bytes;
import static io.margay.app.config.binding.Forms.listOrOne;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.whole;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.yaml.Settings;
import io.margay.gateway.cache.HostCache;
import io.margay.gateway.rules.CacheRule;
import io.margay.gateway.rules.CacheRule.Room;
import io.margay.gateway.rules.CacheRule.Times;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The keys by which hosts and routes say which responses are kept for other clients.
public final class CacheKeys {
    public static final String CACHE = "cache";

    private static final int RESPONSE_BYTES_MAX = 1 << 30;
    private static final int VARIANTS_MAX = 1024;

    private static final Binding<Room, Draft<Room>> ROOM =
            Binding.of("the room of a cache", CacheRule.defaults().room())
                    .form("memory", bytes(0, Long.MAX_VALUE))
                    .form(
                            "response-max",
                            bytes(0, RESPONSE_BYTES_MAX).as(Math::toIntExact, Integer::longValue))
                    .form("variants", whole(1, VARIANTS_MAX))
                    .keys(
                            """
                            memory (memoryBytes): Memory of the cache; 0 = none. All caches together
                              use at most half of the memory budget.
                            response-max (responseBytesMax): Responses with more content are not
                              kept.
                            variants: Cached variants of one URL, by `Vary`.
                            """);

    private static final Binding<Times, Draft<Times>> TIMES =
            Binding.of("the times of a cache", CacheRule.defaults().times())
                    .keys(
                            """
                            default-age (otherwise): Freshness of responses that declare none, for
                              requests without a cookie.
                            age-max (most): Maximum freshness.
                            heuristic (heuristicPercent) <0 to 100>: Freshness of responses that
                              declare none, in percent of the time since `Last-Modified`, at most a
                              day.
                            stale-if-error (ifError): How long a stale response replaces 500, 502,
                              503 and 504, unless the response forbids it.
                            """);

    static final Form<List<CacheRule>> OF_HOST = listOrOne("caches", section(rule(true)), 0);
    public static final Form<CacheRule> OF_ROUTE = section(rule(false));

    private CacheKeys() {}

    private static Keys<CacheRule> rule(boolean ofHost) {
        Binding<CacheRule, Draft<CacheRule>> keys =
                Binding.of("a cache", CacheRule.defaults())
                        .part("room", ROOM)
                        .part("times", TIMES)
                        .form("purge-from", AddressKeys.networks(0))
                        .keys(
                                """
                                store-cookies (storesCookies): Caches responses with `Set-Cookie`:
                                  one client's cookie goes to all.
                                wait (waitMax): How long a request waits while another fetches the
                                  same URL; 0s = not at all.
                                purge-from [nobody]: Clients that may remove a URL from the cache
                                  with the method `PURGE`.
                                stale-if-overloaded: Serves a stale response instead of refusals by
                                  shield and limits, and of 503.
                                """);
        return keys.then(ofHost ? MatchKeys::match : MatchKeys::when);
    }

    /// What a host says with what its routes say: of these, the longest path first, for the first
    /// cache that takes a request decides.
    public static HostChanges withRoutes(Settings host, HostChanges changes, Reading reading) {
        if (!HostKeys.areIn(host, Set.of(CACHE))) {
            return changes;
        }
        List<CacheRule> rules = new ArrayList<>();
        List<PathMatch> routes = new ArrayList<>();
        HostKeys.longestFirst(
                host,
                (path, route) -> {
                    routes.add(MatchKeys.under(path));
                    route.get(CACHE, Object.class)
                            .map(given ->
                                    OF_ROUTE.reader()
                                            .read(
                                                    given,
                                                    new Form.Spot(route, CACHE, reading),
                                                    null))
                            .map(one -> one.at(MatchKeys.under(path)))
                            .ifPresent(rules::add);
                });
        rules.addAll(changes.cache());
        HostKeys.longestFirst(host, (path, route) -> alone(path, route, rules, routes, reading));
        HostChanges all = changes.withCache(rules);
        try {
            HostCache.check(all);
        } catch (IllegalArgumentException e) {
            reading.problem(host, CACHE, String.valueOf(e.getMessage()));
        }
        return all;
    }

    /// Reports a cache that would keep answers of two versions as those of one.
    private static void alone(
            String path,
            Settings route,
            List<CacheRule> rules,
            List<PathMatch> routes,
            Reading reading) {
        Settings canary = route.section(CanaryKeys.CANARY_KEY).orElse(null);
        if (canary == null) {
            return;
        }
        PathMatch here = MatchKeys.under(path);
        for (CacheRule rule : rules) {
            boolean all = isWithin(here, rule.match());
            boolean elsewhere =
                    routes.stream()
                            .anyMatch(other ->
                                    !other.equals(here)
                                            && isWithin(other, here)
                                            && isWithin(rule.match(), other));
            if (!rule.isOff() && !elsewhere && meet(rule.match(), here)) {
                reading.problem(
                        route,
                        CanaryKeys.CANARY_KEY,
                        "the cache would keep answers of either version for all: a route with"
                                + " \"canary\" needs \"cache: {memory: 0}\"");
                return;
            }
            if (rule.isOff() && all && rule.when().isEmpty()) {
                return; // it decides before the others
            }
        }
    }

    /// Whether all requests of one are surely those of the other, too.
    private static boolean isWithin(PathMatch one, PathMatch other) {
        return other.equals(PathMatch.ANY)
                || one.equals(other)
                || (one instanceof PathMatch.Prefix(String path)
                        && other instanceof PathMatch.Prefix(String prefix)
                        && PathMatch.isBelow(path, prefix));
    }

    /// Whether a request may be below both; matches of another kind may meet any.
    private static boolean meet(PathMatch one, PathMatch other) {
        return !(one instanceof PathMatch.Prefix(String first))
                || !(other instanceof PathMatch.Prefix(String second))
                || PathMatch.isBelow(first, second)
                || PathMatch.isBelow(second, first);
    }
}
