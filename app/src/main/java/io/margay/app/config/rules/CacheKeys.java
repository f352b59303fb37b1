package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.cache.HostCache;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.rules.CacheRule;
import io.margay.gateway.rules.CacheRule.Disk;
import io.margay.gateway.rules.CacheRule.Requests;
import io.margay.gateway.rules.CacheRule.Responses;
import io.margay.gateway.rules.CacheRule.Room;
import io.margay.gateway.rules.CacheRule.Stale;
import io.margay.gateway.rules.CacheRule.Times;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The keys by which hosts and routes say which responses are kept for other clients.
public final class CacheKeys {
    public static final String CACHE = "cache";

    private static final int RESPONSE_BYTES_MAX = 1 << 30;
    private static final int VARIANTS_MAX = 1024;
    private static final int USES_MAX = 1000;

    private static final Form<String> TOKEN =
            matching("the name of a field", word -> LimitKey.TOKEN.matcher(word).matches());

    private static final Binding<Disk> DISK =
            Binding.of("the disk of a cache", new Disk(Path.of("/var/cache/margay"), 1L << 30))
                    .form("size", bytes(1 << 20, Long.MAX_VALUE))
                    .keys(
                            """
                            folder [required]: A folder for this cache alone.
                            size (bytesMax): Size of its files.
                            """);

    private static final Binding<Room> ROOM =
            Binding.of("the room of a cache", CacheRule.defaults().room())
                    .form("memory", bytes(0, Long.MAX_VALUE))
                    .form(
                            "response-max",
                            bytes(0, RESPONSE_BYTES_MAX).as(Math::toIntExact, Integer::longValue))
                    .form("variants", whole(1, VARIANTS_MAX))
                    .form("disk", section(DISK))
                    .keys(
                            """
                            memory (memoryBytes): Memory of the cache; 0 = none. All caches together
                              use at most half of the memory budget.
                            response-max (responseBytesMax): Responses with more content are not
                              kept.
                            variants: Cached variants of one URL, by `Vary`.
                            disk [none]: Keeps responses over restarts.
                            """);

    private static final Binding<Times> TIMES =
            Binding.of("the times of a cache", CacheRule.defaults().times())
                    .keys(
                            """
                            default-age (otherwise): Freshness of responses that declare none, for
                              requests without a cookie.
                            age-max (most): Maximum freshness.
                            heuristic (heuristicPercent) <0 to 100>: Freshness of responses that
                              declare none, in percent of the time since `Last-Modified`, at most a
                              day.
                            stale-if-error (ifError): How long a stale response replaces the
                              statuses of `stale-on`, unless the response forbids it.
                            stale-while-revalidate (meanwhile): How long a stale response is served
                              while a new one is fetched, unless the response says otherwise.
                            """);

    private static final Binding<Requests> REQUESTS =
            Binding.of("the requests of a cache", CacheRule.defaults().requests())
                    .form("min-uses", whole(1, USES_MAX))
                    .form("bypass", MatchKeys.CONDITIONS)
                    .form("no-store", MatchKeys.CONDITIONS)
                    .keys(
                            """
                            vary-by (key) <a text with %{VARIABLE}?> [the URL only]: Separates
                              responses to one URL, in addition to `Vary`, as in `%{COOKIE:theme}`.
                            ignore-query (ignoresQuery): All queries of a path share one response.
                            ignore-request-control (ignoresControl): Ignores `Cache-Control` and
                              `Pragma` of clients.
                            min-uses (usesMin): Requests for a URL until its response is cached.
                            bypass [none]: Requests that the cache does not answer. Their responses
                              are cached.
                            no-store (skip) [none]: Requests whose responses are not cached.
                            """);

    private static final Binding<Responses> RESPONSES =
            Binding.of("the responses of a cache", CacheRule.defaults().responses())
                    .form(
                            "status-ages",
                            named(
                                            "times by status",
                                            "STATUS",
                                            Shape.matching(
                                                    "a status or any",
                                                    word -> word.matches("[2-5][0-9]{2}|any"),
                                                    ""),
                                            duration())
                                    .as(CacheKeys::ages, CacheKeys::byName))
                    .form(
                            "ignore-response",
                            list("fields", words("Cache-Control", "Expires", "Vary"), 0))
                    .form("drop-fields", list("fields", TOKEN, 0))
                    .keys(
                            """
                            status-ages (ages) [none]: Freshness of responses that declare none, by
                              status, also for requests with a cookie; `any` for other statuses.
                            ignore-response (ignored) [none]: Fields of responses that do not count.
                            drop-fields (dropped) [none]: Fields that are not cached, such as
                              `Set-Cookie`: only the first client gets them.
                            store-cookies (storesCookies): Caches responses with `Set-Cookie`:
                              one client's cookie goes to all.
                            as-sent (asSent): Decides by the response as it was sent, with
                              `X-Accel-Expires`, before the host changes it.
                            """);

    private static final Binding<Stale> STALE =
            Binding.of("the stale responses of a cache", CacheRule.defaults().stale())
                    .form(
                            "stale-on",
                            list(
                                    "statuses",
                                    matching(
                                                    "a status or failure",
                                                    word -> word.matches("[45][0-9]{2}|failure"))
                                            .as(CacheKeys::status, CacheKeys::statusWord),
                                    0))
                    .keys(
                            """
                            stale-if-overloaded (ifOverloaded): Serves a stale response instead of
                              refusals by shield and limits, and of 503.
                            stale-while-fetched (whileFetched): Serves a stale response while
                              another request fetches a new one.
                            stale-on (statuses): Statuses that `stale-if-error` replaces; `failure`
                              is a member that did not answer.
                            """);

    private static final String ANY = "any";
    private static final String FAILURE = "failure";

    static final Form<List<CacheRule>> OF_HOST = listOrOne("caches", section(rule(true)), 0);
    public static final Form<CacheRule> OF_ROUTE = section(rule(false));

    private CacheKeys() {}

    private static Map<Integer, Duration> ages(Map<String, Duration> named) {
        Map<Integer, Duration> ages = new TreeMap<>();
        named.forEach(
                (word, age) -> ages.put(word.equals(ANY) ? CacheRule.ANY : number(word), age));
        return ages;
    }

    private static Map<String, Duration> byName(Map<Integer, Duration> ages) {
        Map<String, Duration> named = new TreeMap<>();
        ages.forEach(
                (status, age) -> named.put(status == CacheRule.ANY ? ANY : status.toString(), age));
        return named;
    }

    private static int status(String word) {
        return word.equals(FAILURE) ? CacheRule.FAILURE : number(word);
    }

    private static String statusWord(int status) {
        return status == CacheRule.FAILURE ? FAILURE : Integer.toString(status);
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static Keys<CacheRule> rule(boolean ofHost) {
        Binding<CacheRule> keys =
                Binding.of("a cache", CacheRule.defaults())
                        .part("room", ROOM)
                        .part("times", TIMES)
                        .part("requests", REQUESTS)
                        .part("responses", RESPONSES)
                        .part("stale", STALE)
                        .form("purge-from", AddressKeys.networks(0))
                        .keys(
                                """
                                wait (waitMax): How long a request waits while another fetches the
                                  same URL; 0s = not at all.
                                purge-from [nobody]: Clients that may remove a URL from the cache
                                  with the method `PURGE`.
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
                    if (route.has(CACHE)) {
                        CacheRule own = OF_ROUTE.read(route, CACHE, CacheRule.defaults(), reading);
                        rules.add(own.at(MatchKeys.under(path)));
                    }
                });
        rules.addAll(changes.cache());
        HostKeys.longestFirst(host, (path, route) -> alone(path, route, rules, routes, reading));
        HostChanges all = changes.withCache(rules);
        return reading.made(
                        host,
                        CACHE,
                        () -> {
                            HostCache.check(all);
                            return all;
                        })
                .orElse(all);
    }

    /// Reports a cache that would keep answers of two versions as those of one.
    private static void alone(
            String path,
            Settings route,
            List<CacheRule> rules,
            List<PathMatch> routes,
            Reading reading) {
        boolean ofUpstream = route.section(CanaryKeys.CANARY_KEY).isPresent();
        String key = ofUpstream ? CanaryKeys.CANARY_KEY : CanaryKeys.VERSION_KEY;
        if (!route.has(key)) {
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
                        key,
                        "the cache would keep answers of either version for all: a route with \""
                                + key
                                + "\" needs \"cache: {memory: 0}\"");
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
