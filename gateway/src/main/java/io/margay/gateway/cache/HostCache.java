package io.margay.gateway.cache;

import io.margay.gateway.rules.CacheRule;
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
import java.util.ArrayList;
import java.util.List;
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

    /// Which requests a rule is for, and whose may purge.
    ///
    /// @param test null = all requests
    private record Asked(@Nullable RequestTest test, Networks purgeFrom) {}

    /// What one rule keeps.
    record One(Asked asked, ResponseCache cache) {
        /// Null where it does not come to an end.
        private @Nullable Boolean holds(Exchange exchange) {
            return asked.test == null ? Boolean.TRUE : asked.test.decide(exchange);
        }

        boolean isPurgedBy(Exchange exchange) {
            return asked.purgeFrom.includes(exchange.remote());
        }
    }

    private HostCache(List<One> all, Removals removals, LongSupplier nanos) {
        this.all = List.copyOf(all);
        this.removals = removals;
        this.nanos = nanos;
    }

    /// Compiles.
    ///
    /// @param memory what all caches together may hold
    /// @param nanos as of `System.nanoTime`
    /// @param millis since 1970
    /// @return null when nothing is kept
    /// @throws IllegalArgumentException for a malformed expression or network
    public static @Nullable HostCache of(
            HostChanges changes, MemoryBudget memory, LongSupplier nanos, LongSupplier millis) {
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
        return new HostCache(all, removals, nanos);
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
            all.add(new Asked(test, Networks.of(rule.purgeFrom())));
        }
        return all;
    }

    /// Compiles what may be malformed, and makes nothing.
    ///
    /// @throws IllegalArgumentException for a malformed expression or network
    public static void check(HostChanges changes) {
        List<Asked> _ = asked(changes);
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
        return all.stream().anyMatch(one -> one.cache.rule().staleIfOverloaded());
    }

    /// Lets a request go on that is to be refused, where something is kept for its URL:
    /// [CacheStage] answers it with that, or refuses it.
    @Override
    public boolean takes(Exchange exchange, ExchangeNotes.Refusal refusal) {
        String method = exchange.request().method();
        String key = method.equals("GET") || method.equals("HEAD") ? CacheKey.of(exchange) : null;
        One one = key == null ? null : of(exchange);
        boolean takes =
                key != null
                        && one != null
                        && one.cache.rule().staleIfOverloaded()
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
        for (One one : all) {
            count +=
                    url.startsWith("/")
                            ? one.cache.store().removeIf(key -> path(key).equals(url))
                            : one.cache.store().removeUrl(url);
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

    /// Gives its memory back, when nothing asks it any more.
    public void close() {
        all.forEach(one -> one.cache.store().close());
        removals.close();
    }
}
