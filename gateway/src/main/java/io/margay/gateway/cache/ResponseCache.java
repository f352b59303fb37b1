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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
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
    private final @Nullable DiskStore disk;
    private final Fetches fetches = new Fetches();
    private final Map<Integer, Boolean> unshared = new Remembered();
    private final LongAdder hits = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder validations = new LongAdder();
    private final LongAdder bypassed = new LongAdder();

    /// Requests for URLs so far, those with the same hash together; empty where one is enough.
    private final AtomicIntegerArray uses;

    /// URLs that are counted apart.
    private static final int USES = 65_536;

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
        CacheRule.Disk files = rule.room().disk();
        disk =
                files == null
                        ? null
                        : new DiskStore(
                                files.folder(),
                                files.bytesMax(),
                                rule.match()
                                        + " "
                                        + rule.when()
                                        + rule.requests()
                                        + rule.responses(),
                                millis);
        store = new CacheStore(rule.room(), memory, removals, disk);
        boolean counts = rule.requests().usesMin() > 1 && memory.take((long) USES * Integer.BYTES);
        uses = new AtomicIntegerArray(counts ? USES : 0);
    }

    /// Sees that its folder can be used.
    void open() {
        if (disk != null) {
            disk.open();
        }
    }

    /// Takes over what was kept in files.
    void begin() {
        if (disk != null) {
            disk.begin(store);
        }
    }

    /// For how long nobody has removed anything from the files; zero where there are none.
    Duration idle() {
        return disk == null ? Duration.ZERO : disk.idle();
    }

    /// Gives its memory back.
    void close() {
        store.close();
        memory.give((long) uses.length() * Integer.BYTES);
    }

    CachePolicy policy() {
        return policy;
    }

    /// Whether a URL has been asked for often enough that its response is kept, with this time.
    boolean isUsed(String key) {
        int most = rule.requests().usesMin();
        if (most <= 1) {
            return true;
        }
        int slot = uses.length() == 0 ? -1 : Math.floorMod(key.hashCode() * 0x9E3779B9, USES);
        return slot >= 0 && uses.updateAndGet(slot, count -> Math.min(most, count + 1)) >= most;
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
        return rule.stale().ifOverloaded() && !stored.freshness().isBound();
    }

    /// Whether a stale response is given while another request fetches it anew.
    boolean givesMeanwhile(StoredResponse stored) {
        Freshness freshness = stored.freshness();
        return rule.stale().whileFetched()
                && freshness.left(nowSecond()) <= 0
                && !freshness.isBound()
                && !freshness.isValidated();
    }

    /// Whether a stale response may stand in for a status.
    ///
    /// @param isOwn whether it is this server's own, for no member has answered
    boolean replaces(int status, boolean isOwn) {
        List<Integer> statuses = rule.stale().statuses();
        return isOwn
                ? status >= 500 && statuses.contains(CacheRule.FAILURE)
                : statuses.contains(status);
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
        DiskStore files = disk;
        List<Meter> meters = new ArrayList<>(inMemory());
        meters.add(
                Meter.gauge(
                        "margay_cache_disk_bytes",
                        "Bytes of the cache's files.",
                        () -> files == null ? 0 : files.bytes()));
        meters.add(
                Meter.counter(
                        "margay_cache_disk_damaged",
                        "Damaged files of the cache that were set aside.",
                        () -> files == null ? 0 : files.damaged()));
        return meters;
    }

    private List<Meter> inMemory() {
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
                        "Stored responses that the origin has confirmed.",
                        validations::sum),
                Meter.counter(
                        "margay_cache_bypassed",
                        "Requests that were neither answered nor stored.",
                        bypassed::sum),
                Meter.counter(
                        "margay_cache_collapsed",
                        "Requests that have waited for the fetch of another one.",
                        fetches::collapsed),
                Meter.counter("margay_cache_evictions", "URLs that were evicted.", store::evicted),
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
        boolean asSent = rule.responses().asSent();
        FieldList told = asSent ? unchanged : exchange.fields();
        FieldList fields = CountedFields.of(rule.responses(), told, nowSecond());
        int status = exchange.status();
        Freshness freshness = freshness(status, fields, askedSecond);
        Storing.Verdict verdict = Storing.of(request, status, fields, freshness, policy);
        boolean lasts = !asSent || (freshness.lifetime() > 0 && !freshness.isValidated());
        boolean isForOne = exchange.remoteUser() != null || exchange.notes().isOfOneUser();
        if (verdict == Storing.Verdict.STORED && lasts && !isForOne) {
            return new StoredResponse(
                    plan.target().by(),
                    status,
                    kept(unchanged, exchange.fields()),
                    Content.of(new byte[0]),
                    Vary.of(fields, request.fields()),
                    freshness,
                    Storing.isForAll(fields));
        }
        if (verdict != Storing.Verdict.NO_STORE || !plan.asked().has("no-store")) {
            forget(plan, status, request);
        }
        return null;
    }

    private Freshness freshness(int status, FieldList fields, long askedSecond) {
        Freshness all = Freshness.of(status, fields, policy, askedSecond, nowSecond());
        return rule.responses().asSent() ? all.withLastSecond() : all;
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
            boolean _ =
                    store.put(
                            plan.target().key(),
                            made.with(Content.of(content)),
                            plan.target().mark());
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
        boolean asSent = rule.responses().asSent();
        FieldList told = CountedFields.of(rule.responses(), asSent ? all : seen.fields(), now);
        Freshness freshness = freshness(stored.status(), told, askedSecond);
        StoredResponse news =
                new StoredResponse(
                        stored.by(),
                        stored.status(),
                        kept(all, seen.fields()),
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

    /// The fields that are kept. A cookie that the host keeps from this client is nobody else's.
    ///
    /// @param told as this client gets them
    private FieldList kept(FieldList unchanged, FieldList told) {
        boolean cookie = unchanged.contains("Set-Cookie") && !told.contains("Set-Cookie");
        List<String> dropped = rule.responses().dropped();
        if (!cookie && dropped.isEmpty()) {
            return unchanged;
        }
        FieldList kept = new FieldList().addAll(unchanged);
        dropped.forEach(kept::remove);
        if (cookie) {
            kept.remove("Set-Cookie");
        }
        return kept;
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
