package io.margay.gateway.cache;

import io.margay.gateway.rules.CacheRule;
import io.margay.protocol.caching.CachePolicy;
import io.margay.protocol.caching.Freshness;
import io.margay.protocol.caching.Storing;
import io.margay.protocol.caching.Vary;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.meter.Meter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What one rule keeps, and the requests that fetch for it. Thread-safe.
final class ResponseCache {
    /// URLs of which it is remembered, by their hashes, that their responses are not for all, so
    /// that nobody waits.
    private static final int UNSHARED_MAX = 4096;

    private static final long MILLIS_PER_SECOND = 1_000;

    private final CacheRule rule;
    private final CachePolicy policy;
    private final MemoryBudget memory;
    private final LongSupplier millis;
    private final CacheStore store;
    private final Fetches fetches = new Fetches();
    private final Map<Integer, Boolean> unshared = new Remembered();
    private final LongAdder hits = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder validations = new LongAdder();
    private final LongAdder bypassed = new LongAdder();

    /// The last that were noted.
    @SuppressWarnings("serial") // it is not serialized
    private static final class Remembered extends LinkedHashMap<Integer, Boolean> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > UNSHARED_MAX;
        }
    }

    /// @param memory what all caches together may hold
    /// @param removals of the host
    /// @param millis since 1970
    ResponseCache(CacheRule rule, MemoryBudget memory, Removals removals, LongSupplier millis) {
        this.rule = rule;
        this.memory = memory;
        this.millis = millis;
        policy = rule.policy();
        store = new CacheStore(rule.room(), memory, removals);
    }

    CacheRule rule() {
        return rule;
    }

    CacheStore store() {
        return store;
    }

    Fetches fetches() {
        return fetches;
    }

    long nowSecond() {
        return millis.getAsLong() / MILLIS_PER_SECOND;
    }

    int responseBytesMax() {
        return rule.room().responseBytesMax();
    }

    Captured capture() {
        return new Captured(memory, responseBytesMax());
    }

    Duration wait(String key) {
        synchronized (unshared) {
            return unshared.containsKey(key.hashCode()) ? Duration.ZERO : rule.waitMax();
        }
    }

    /// Whether a stale response is given where the server has no room for the request.
    boolean givesStale(StoredResponse stored) {
        return rule.staleIfOverloaded() && !stored.freshness().isBound();
    }

    // What is counted

    void hit(boolean isStale) {
        (isStale ? stale : hits).increment();
    }

    void missed() {
        misses.increment();
    }

    void bypassed() {
        bypassed.increment();
    }

    List<Meter> meters() {
        return List.of(
                Meter.counter("margay_cache_hits", "Requests answered from the cache.", hits::sum),
                Meter.counter(
                        "margay_cache_stale_hits",
                        "Requests answered by a stale response.",
                        stale::sum),
                Meter.counter(
                        "margay_cache_misses",
                        "Requests for what the cache did not have.",
                        misses::sum),
                Meter.counter(
                        "margay_cache_validations",
                        "Stored responses that the origin has said are still good.",
                        validations::sum),
                Meter.counter(
                        "margay_cache_bypassed",
                        "Requests that were neither answered nor stored.",
                        bypassed::sum),
                Meter.counter(
                        "margay_cache_collapsed",
                        "Requests that have waited for the fetch of another one.",
                        fetches::collapsed),
                Meter.counter(
                        "margay_cache_evictions",
                        "URLs that had to go for others.",
                        store::evicted),
                Meter.counter(
                        "margay_cache_refused",
                        "Responses not stored because memory was short.",
                        store::refused),
                Meter.gauge("margay_cache_bytes", "Bytes in the cache.", store::bytes),
                Meter.gauge("margay_cache_urls", "URLs in the cache.", store::urls));
    }

    // What is kept

    /// A response as it would be kept, without content yet; null when it must not be.
    ///
    /// @param exchange whose fields are those that the client gets
    /// @param unchanged its fields before the host has changed them
    @Nullable StoredResponse storable(
            FetchPlan plan, DialingExchange exchange, FieldList unchanged, long askedSecond) {
        RequestHead request = exchange.request();
        FieldList fields = exchange.fields();
        int status = exchange.status();
        Freshness freshness = Freshness.of(status, fields, policy, askedSecond, nowSecond());
        Storing.Verdict verdict = Storing.of(request, status, fields, freshness, policy);
        if (verdict == Storing.Verdict.STORED && exchange.remoteUser() == null) {
            return new StoredResponse(
                    plan.target().by(),
                    status,
                    withoutCookies(unchanged, fields),
                    new byte[0],
                    Vary.of(fields, request.fields()),
                    freshness,
                    Storing.isForAll(fields));
        }
        if (verdict != Storing.Verdict.NO_STORE || !plan.asked().has("no-store")) {
            forget(plan, status, request);
        }
        return null;
    }

    /// What was kept before is not the answer any more, unless this one is a failure.
    private void forget(FetchPlan plan, int status, RequestHead request) {
        if (plan.stored() != null && status < 500) {
            store.forget(plan.target().key(), plan.target().by(), request.fields());
        }
    }

    /// Keeps a response that has come whole.
    ///
    /// @param sent its fields, by which it is seen whether it has
    void keep(FetchPlan plan, StoredResponse made, byte[] content, FieldList sent) {
        String length = sent.get("Content-Length");
        if (length == null || length.equals(Integer.toString(content.length))) {
            boolean _ = store.put(plan.target().key(), made.with(content), plan.target().mark());
            synchronized (unshared) {
                Boolean _ = unshared.remove(plan.target().key().hashCode());
            }
        }
    }

    /// The stored response after the origin has said that it is still good. As with a new one, how
    /// long it is kept is decided by its fields as the host changes them.
    ///
    /// @param exchange with the fields of the 304
    StoredResponse validated(
            FetchPlan plan, StoredResponse stored, DialingExchange exchange, long askedSecond) {
        validations.increment();
        long now = nowSecond();
        RequestHead request = exchange.request();
        FieldList all = stored.updated(exchange.fields(), now);
        Validated seen = new Validated(exchange, stored.status(), all);
        boolean decided = exchange.notes().preview(seen);
        FieldList told = seen.fields();
        Freshness freshness = Freshness.of(stored.status(), told, policy, askedSecond, now);
        StoredResponse news =
                new StoredResponse(
                        stored.by(),
                        stored.status(),
                        withoutCookies(all, told),
                        stored.content(),
                        stored.vary(),
                        freshness,
                        stored.isShared() && Storing.isForAll(told));
        Storing.Verdict verdict = Storing.of(request, stored.status(), told, freshness, policy);
        List<String> depends = Vary.of(told, request.fields()).names();
        if (decided
                && verdict == Storing.Verdict.STORED
                && stored.vary().names().containsAll(depends)) {
            boolean _ = store.put(plan.target().key(), news, plan.target().mark());
        } else {
            store.forget(plan.target().key(), plan.target().by(), request.fields());
        }
        return news;
    }

    /// A cookie that the host keeps from this client is nobody else's.
    private static FieldList withoutCookies(FieldList unchanged, FieldList told) {
        if (!unchanged.contains("Set-Cookie") || told.contains("Set-Cookie")) {
            return unchanged;
        }
        return new FieldList().addAll(unchanged).remove("Set-Cookie");
    }

    /// The head of a stored response that was validated, which the host changes.
    private static final class Validated extends DelegatingExchange {
        private final int status;
        private final FieldList fields = new FieldList();

        /// @param stored its fields, which stay as they are
        Validated(DialingExchange real, int status, FieldList stored) {
            super(real);
            this.status = status;
            FieldList _ = fields.addAll(stored);
            real.fields().all("Age").forEach(age -> fields.add("Age", age));
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public FieldList fields() {
            return fields;
        }
    }

    /// A response was not kept: the next requests for it do not wait for each other.
    void notStored(FetchPlan plan, int status) {
        if (plan.fetch() != null && status < 500) {
            synchronized (unshared) {
                Boolean _ = unshared.put(plan.target().key().hashCode(), true);
            }
        }
    }
}
