package io.margay.gateway.cache;

import io.margay.gateway.rules.CacheRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.forwarded.Networks;
import io.margay.server.host.Stage;
import io.margay.server.meter.Meter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The caches of one host, one for each rule. Thread-safe.
public final class HostCache implements ExchangeNotes.Standby {
    /// How a request is refused for which nothing is found.
    static final ExchangeNotes.Key<ExchangeNotes.Refusal> REFUSAL =
            new ExchangeNotes.Key<>(ExchangeNotes.Refusal.class);

    private final List<One> all;
    private final Removals removals;
    private final LongSupplier nanos;
    private final Consumer<CachePurge> elsewhere;

    /// Which requests a rule is for, and whose may purge.
    ///
    /// @param test null = all requests
    /// @param bypass null = none is
    /// @param skip null = the response to each may be kept
    /// @param key null = nothing beside the URL
    private record Asked(
            @Nullable RequestTest test,
            @Nullable RequestTest bypass,
            @Nullable RequestTest skip,
            RequestTest.@Nullable Text key,
            Networks purgeFrom) {}

    /// What one rule keeps.
    record One(Asked asked, ResponseCache cache) {
        /// Null where it does not come to an end.
        private @Nullable Boolean holds(Exchange exchange) {
            return asked.test == null ? Boolean.TRUE : asked.test.decide(exchange);
        }

        boolean isPurgedBy(Exchange exchange) {
            return asked.purgeFrom.includes(exchange.remote());
        }

        /// Whether a request is not answered from the cache; so it is where that is undecided.
        boolean isBypassedBy(Exchange exchange) {
            return asked.bypass != null && asked.bypass.holds(exchange);
        }

        /// Whether the response to a request is not kept; so it is where that is undecided.
        boolean isSkippedBy(Exchange exchange) {
            return asked.skip != null && asked.skip.holds(exchange);
        }

        @Nullable String key(Exchange exchange) {
            return CacheKey.of(exchange, cache.rule().requests().ignoresQuery());
        }

        /// What tells responses to one URL apart beside what they depend on; null where that does
        /// not come to an end.
        @Nullable String apart(Exchange exchange) {
            return asked.key == null ? "" : asked.key.decided(exchange);
        }
    }

    private HostCache(
            List<One> all, Removals removals, LongSupplier nanos, Consumer<CachePurge> elsewhere) {
        this.all = List.copyOf(all);
        this.elsewhere = elsewhere;
        this.removals = removals;
        this.nanos = nanos;
    }

    /// Compiles.
    ///
    /// @param memory what all caches together may hold
    /// @param nanos as of `System.nanoTime`
    /// @param millis since 1970
    /// @param elsewhere is told what clients remove, for other gateways
    /// @return null when nothing is kept
    /// @throws IllegalArgumentException for a malformed expression or network
    public static @Nullable HostCache of(
            HostChanges changes,
            MemoryBudget memory,
            LongSupplier nanos,
            LongSupplier millis,
            Consumer<CachePurge> elsewhere) {
        if (changes.cache().stream().allMatch(CacheRule::isOff)) {
            return null;
        }
        List<Asked> asked = asked(changes);
        Removals removals = new Removals(memory);
        List<One> all = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            CacheRule rule = changes.cache().get(i);
            all.add(new One(asked.get(i), new ResponseCache(rule, memory, removals, millis)));
        }
        HostCache made = new HostCache(all, removals, nanos, elsewhere);
        try {
            all.forEach(one -> one.cache.open());
        } catch (IllegalArgumentException e) {
            made.close();
            throw e;
        }
        return made;
    }

    private static List<Asked> asked(HostChanges changes) {
        List<Asked> all = new ArrayList<>();
        for (CacheRule rule : changes.cache()) {
            boolean any = rule.match().equals(PathMatch.ANY) && rule.when().isEmpty();
            RequestTest test =
                    any
                            ? null
                            : RequestTest.of(
                                    rule.match(), rule.when(), changes, RuleLimits.defaults());
            CacheRule.Requests requests = rule.requests();
            String key = requests.key();
            all.add(
                    new Asked(
                            test,
                            test(requests.bypass(), changes),
                            test(requests.skip(), changes),
                            key.isEmpty()
                                    ? null
                                    : RequestTest.Text.of(key, changes, RuleLimits.defaults()),
                            Networks.of(rule.purgeFrom())));
        }
        return all;
    }

    /// Sees that each folder is for one cache alone: two would delete each other's files.
    ///
    /// @param hosts what all hosts of a server change
    /// @throws IllegalArgumentException when two caches have one
    public static void checkFolders(List<HostChanges> hosts) {
        Set<Path> folders = new HashSet<>();
        for (HostChanges host : hosts) {
            for (CacheRule rule : host.cache()) {
                CacheRule.Disk disk = rule.room().disk();
                if (disk != null && !folders.add(disk.folder().toAbsolutePath().normalize())) {
                    throw new IllegalArgumentException(
                            "two caches have the folder " + disk.folder() + ": give each its own");
                }
            }
        }
    }

    private static @Nullable RequestTest test(List<Condition> when, HostChanges changes) {
        return when.isEmpty() ? null : RequestTest.of(when, changes, RuleLimits.defaults());
    }

    /// Compiles what may be malformed, and makes nothing.
    ///
    /// @throws IllegalArgumentException for a malformed expression or network
    public static void check(HostChanges changes) {
        List<Asked> _ = asked(changes);
        checkFolders(List.of(changes));
    }

    /// The stage that answers from the cache.
    public Stage stage(CachedHandlers handlers) {
        return new CacheStage(this, handlers, nanos);
    }

    /// The cache that a request belongs to; null = none, as where the conditions of one before do
    /// not come to an end: it may be the one that keeps nothing.
    @Nullable One of(Exchange exchange) {
        for (One one : all) {
            Boolean holds = one.holds(exchange);
            if (holds == null) {
                return null;
            }
            if (holds) {
                return one.cache.rule().isOff() ? null : one;
            }
        }
        return null;
    }

    /// Whether it may stand in for answers to requests that are refused.
    public boolean standsIn() {
        return all.stream().anyMatch(one -> one.cache.rule().stale().ifOverloaded());
    }

    /// Lets a request go on that is to be refused, where something is kept for its URL:
    /// [CacheStage] answers it with that, or refuses it.
    @Override
    public boolean takes(Exchange exchange, ExchangeNotes.Refusal refusal) {
        String method = exchange.request().method();
        One one = method.equals("GET") || method.equals("HEAD") ? of(exchange) : null;
        String key = one == null ? null : one.key(exchange);
        boolean takes =
                key != null
                        && one != null
                        && one.cache.rule().stale().ifOverloaded()
                        && one.cache.store().has(key);
        if (takes) {
            exchange.notes().put(REFUSAL, refusal);
        }
        return takes;
    }

    /// Removes what is kept for a URL.
    ///
    /// @param url with scheme and authority; or a path with its query, of any of them
    /// @return how many URLs were kept
    public int purge(String url) {
        int count = 0;
        int query = url.indexOf('?');
        for (One one : all) {
            boolean whole = query < 0 || !one.cache.rule().requests().ignoresQuery();
            String kept = whole ? url : url.substring(0, query);
            count +=
                    url.startsWith("/")
                            ? one.cache.store().removeIf(key -> path(key).equals(kept))
                            : one.cache.store().removeUrl(kept);
        }
        return count;
    }

    /// The same as [#purge] for what a request names that has come here, of `http` and `https`: a
    /// host that has both answers them alike.
    ///
    /// @param key of the request
    int purgeOfAnyScheme(String key) {
        String rest = key.substring(key.indexOf("://"));
        return purge("http" + rest) + purge("https" + rest);
    }

    /// The same for a client that asks for it, at other gateways, too.
    int purgeEverywhere(String key) {
        String rest = key.substring(key.indexOf("://"));
        elsewhere.accept(new CachePurge(CachePurge.Kind.URL, "http" + rest));
        elsewhere.accept(new CachePurge(CachePurge.Kind.URL, "https" + rest));
        return purgeOfAnyScheme(key);
    }

    /// Removes what a request has changed that is not safe, if it has succeeded: its own URL, and
    /// those of the same origin that the response names (RFC 9111 §4.4), whichever rule keeps them.
    ///
    /// @param exchange with the head of its response
    void invalidate(String key, DialingExchange exchange) {
        if (exchange.status() < 200 || exchange.status() >= 400) {
            return;
        }
        int _ = purgeOfAnyScheme(key);
        for (String name : List.of("Location", "Content-Location")) {
            String url = CacheKey.sameOrigin(exchange, exchange.fields().get(name));
            int _ = url == null ? 0 : purgeOfAnyScheme(url);
        }
    }

    /// Removes what is kept for URLs that begin so.
    ///
    /// @param prefix with scheme and authority; or of a path, of any of them
    /// @return how many URLs were kept
    public int purgeBelow(String prefix) {
        int count = 0;
        for (One one : all) {
            count +=
                    one.cache
                            .store()
                            .removeIf(key ->
                                    (prefix.startsWith("/") ? path(key) : key).startsWith(prefix));
        }
        return count;
    }

    /// Removes what has a tag, of `Cache-Tag` or `Surrogate-Key`.
    ///
    /// @return how many URLs were kept
    public int purgeTag(String tag) {
        return all.stream().mapToInt(one -> one.cache.store().removeTagged(tag)).sum();
    }

    private static String path(String key) {
        int slash = key.indexOf('/', key.indexOf("://") + 3);
        return slash < 0 ? "" : key.substring(slash);
    }

    /// Its numbers, those of a rule with its number, from 1.
    public List<Meter> meters() {
        List<Meter> meters = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ResponseCache cache = all.get(i).cache;
            if (!cache.rule().isOff()) {
                meters.addAll(Meter.with(cache.meters(), "cache", Integer.toString(i + 1)));
            }
        }
        return meters;
    }

    /// For how long no process had the files of its caches; zero where there are none.
    Duration idle() {
        return all.stream()
                .map(one -> one.cache.idle())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /// Takes over what was kept in files, once: it is active from now on.
    public void begin() {
        all.forEach(one -> one.cache.begin());
    }

    /// Gives its memory back, when nothing asks it any more.
    public void close() {
        all.forEach(one -> one.cache.close());
        removals.close();
    }
}
