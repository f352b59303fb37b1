package io.margay.gateway.cache;

import io.margay.gateway.forward.BackgroundExchange;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.protocol.caching.CacheControl;
import io.margay.protocol.caching.CacheStatus;
import io.margay.protocol.caching.CacheStatus.Forward;
import io.margay.protocol.caching.Freshness;
import io.margay.protocol.caching.Storing;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.host.Passage;
import io.margay.server.host.Stage;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Answers requests from the cache of their host, and lets others on to what answers them, whose
/// response is kept if it may be. Rules, access and logins have decided before. Thread-safe; never
/// waits.
final class CacheStage implements Stage {
    /// Stale responses that are fetched anew at the same time.
    static final int REFRESHES_MAX = 64;

    private static final Duration REFRESH_TIME = Duration.ofMinutes(1);
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final HostCache host;
    private final CachedHandlers handlers;
    private final LongSupplier nanos;
    private final AtomicInteger refreshes = new AtomicInteger();

    CacheStage(HostCache host, CachedHandlers handlers, LongSupplier nanos) {
        this.host = host;
        this.handlers = handlers;
        this.nanos = nanos;
    }

    /// One request at the cache.
    private record Visit(
            HostCache.One one,
            ResponseCache cache,
            Handler handler,
            String by,
            String key,
            DialingExchange answered,
            boolean hasWaited) {
        RequestHead request() {
            return answered.request();
        }

        FetchPlan plan(
                Forward why,
                @Nullable StoredResponse stored,
                boolean stores,
                Fetches.@Nullable Fetch fetch) {
            FetchPlan.Target target = new FetchPlan.Target(key, by, cache.store().mark(key));
            CacheControl asked = Storing.asked(request(), cache.policy());
            return new FetchPlan(target, why, stored, asked, stores, fetch, hasWaited);
        }
    }

    @Override
    public Outcome enter(Exchange exchange, Passage passage) throws IOException {
        if (host.standsIn()) {
            exchange.notes().put(ExchangeNotes.STANDBY, (_, _) -> false); // later limits refuse
        }
        ExchangeNotes.Refusal refusal = exchange.notes().get(HostCache.REFUSAL);
        return refusal == null
                ? enter(exchange, passage, false)
                : overloaded(exchange, passage, refusal);
    }

    /// A request that shield or limits have refused gets what is kept, stale or not, or nothing
    /// else.
    private Outcome overloaded(Exchange exchange, Passage passage, ExchangeNotes.Refusal refusal)
            throws IOException {
        Visit visit = visit(exchange, passage, false);
        StoredResponse stored = visit == null || isApart(visit.answered) ? null : found(visit);
        long now = visit == null ? 0 : visit.cache.nowSecond();
        boolean gives =
                visit != null
                        && stored != null
                        && (visit.cache.givesStale(stored)
                                || (stored.freshness().left(now) > 0
                                        && !stored.freshness().isValidated()));
        if (visit == null || stored == null || !gives) {
            refusal.answer(exchange);
            return Outcome.ANSWERED;
        }
        long left = stored.freshness().left(now);
        visit.cache.hit(left <= 0);
        visit.answered
                .notes()
                .put(
                        HostExchangeRules.CACHE_USE,
                        left <= 0 ? CacheStatus.Use.STALE : CacheStatus.Use.HIT);
        boolean sent =
                CachedAnswer.open(
                        visit.answered,
                        visit.request().fields(),
                        stored,
                        CacheStatus.hit(left, "overloaded"),
                        now);
        if (!sent) {
            refusal.answer(exchange);
        }
        return Outcome.ANSWERED;
    }

    private static @Nullable StoredResponse found(Visit visit) {
        Fields fields = visit.request().fields();
        StoredResponse stored = visit.cache.store().find(visit.key, visit.by, fields);
        return stored != null && fields.contains("Authorization") && !stored.isShared()
                ? null
                : stored;
    }

    /// A request at the cache; null when it has nothing to do with one.
    private @Nullable Visit visit(Exchange exchange, Passage passage, boolean hasWaited) {
        Handler handler = passage.handler();
        String by = handler == null ? null : handlers.key(handler);
        HostCache.One one = by == null ? null : host.of(exchange);
        String key = one == null ? null : one.key(exchange);
        String apart = key == null || one == null ? null : one.apart(exchange);
        return handler != null
                        && by != null
                        && key != null
                        && one != null
                        && apart != null
                        && passage.answered() instanceof DialingExchange answered
                ? new Visit(
                        one,
                        one.cache(),
                        handler,
                        answering(by, one, CacheKey.told(exchange), apart),
                        key,
                        answered,
                        hasWaited)
                : null;
    }

    /// What answers, without the query that it is asked with where that does not count, and what
    /// else tells its answers apart.
    private static String answering(String by, HostCache.One one, String told, String apart) {
        int query = one.cache().rule().requests().ignoresQuery() ? by.indexOf('?') : -1;
        String answers = query < 0 ? by : by.substring(0, query);
        return told.isEmpty() && apart.isEmpty()
                ? answers
                : answers + told + (apart.isEmpty() ? "" : "\n=" + apart);
    }

    private Outcome enter(Exchange exchange, Passage passage, boolean hasWaited)
            throws IOException {
        Visit visit = visit(exchange, passage, hasWaited);
        if (visit == null) {
            return Outcome.PASSES;
        }
        return switch (exchange.request().method()) {
            case "GET", "HEAD" -> read(visit, passage);
            case "OPTIONS", "TRACE", "CONNECT" -> Outcome.PASSES;
            case "PURGE" ->
                    visit.cache.rule().purgeFrom().isEmpty()
                            ? changed(visit, passage)
                            : purge(visit);
            default -> changed(visit, passage);
        };
    }

    /// A request that is not safe invalidates what it changes, once it has succeeded.
    private Outcome changed(Visit visit, Passage passage) {
        return goesOn(visit, passage, visit.plan(Forward.METHOD, null, false, null));
    }

    private Outcome goesOn(Visit visit, Passage passage, FetchPlan plan) {
        note(visit, plan.why());
        passage.wrap(new FetchExchange(visit.answered, host, visit.cache, plan));
        return Outcome.PASSES;
    }

    private static void note(Visit visit, Forward why) {
        CacheStatus.Use use =
                switch (why) {
                    case BYPASS -> CacheStatus.Use.BYPASS;
                    case URI_MISS, VARY_MISS -> CacheStatus.Use.MISS;
                    case STALE, REQUEST -> CacheStatus.Use.EXPIRED;
                    case METHOD -> null;
                };
        if (use != null) {
            visit.answered.notes().put(HostExchangeRules.CACHE_USE, use);
        }
    }

    private Outcome purge(Visit visit) throws IOException {
        boolean may = visit.one.isPurgedBy(visit.answered);
        int status = !may ? FORBIDDEN : host.purgeEverywhere(visit.key) > 0 ? 200 : NOT_FOUND;
        StatusResponse.plain(visit.answered, status);
        return Outcome.ANSWERED;
    }

    // GET and HEAD

    private Outcome read(Visit visit, Passage passage) throws IOException {
        CacheControl asked = Storing.asked(visit.request(), visit.cache.policy());
        boolean isApart = isApart(visit.answered);
        if (isApart || visit.one.isBypassedBy(visit.answered)) {
            visit.cache.bypassed();
            boolean stores = !isApart && stores(visit, asked);
            return goesOn(visit, passage, visit.plan(Forward.BYPASS, null, stores, null));
        }
        StoredResponse stored = found(visit);
        long now = visit.cache.nowSecond();
        Freshness.Use use =
                stored == null ? Freshness.Use.VALIDATE : stored.freshness().use(asked, now);
        if (stored != null && use != Freshness.Use.VALIDATE) {
            if (use == Freshness.Use.REVALIDATE && !visit.one.isSkippedBy(visit.answered)) {
                refresh(visit, stored);
            }
            if (answer(visit, stored, use, false)) {
                return Outcome.ANSWERED;
            }
            visit.cache.store().forget(visit.key, visit.by, visit.request().fields());
            stored = null;
        }
        if (asked.has("only-if-cached")) {
            visit.answered.fields().add(CacheStatus.FIELD, CacheStatus.none("only-if-cached"));
            StatusResponse.plain(visit.answered, GATEWAY_TIMEOUT);
            return Outcome.ANSWERED;
        }
        visit.cache.missed();
        return fetch(visit, passage, stored, asked);
    }

    /// Whether a request has nothing to do with a cache that many share.
    private static boolean isApart(DialingExchange exchange) {
        RequestHead request = exchange.request();
        TlsInfo tls = exchange.tls();
        return exchange.remoteUser() != null
                || exchange.notes().userMethod() != null
                || (tls != null && !tls.peerCertificates().isEmpty())
                || request.contentLength() != RequestHead.NO_BODY
                || request.fields().contains("Upgrade")
                || request.fields().contains("If-Match")
                || request.fields().contains("If-Unmodified-Since")
                || CacheKey.isAmbiguous(exchange);
    }

    /// @param isFetched whether another request fetches it anew
    /// @return false where its file is away: nothing is sent then
    private static boolean answer(
            Visit visit, StoredResponse stored, Freshness.Use use, boolean isFetched)
            throws IOException {
        long now = visit.cache.nowSecond();
        visit.cache.hit(use != Freshness.Use.FRESH);
        CacheStatus.Use said =
                switch (use) {
                    case FRESH -> CacheStatus.Use.HIT;
                    case REVALIDATE, STALE, VALIDATE ->
                            isFetched ? CacheStatus.Use.UPDATING : CacheStatus.Use.STALE;
                };
        visit.answered.notes().put(HostExchangeRules.CACHE_USE, said);
        String detail =
                switch (use) {
                    case STALE -> "max-stale";
                    case REVALIDATE -> "stale-while-revalidate";
                    case FRESH, VALIDATE -> visit.hasWaited ? "collapsed" : "";
                };
        return CachedAnswer.open(
                visit.answered,
                visit.request().fields(),
                stored,
                CacheStatus.hit(stored.freshness().left(now), detail),
                now);
    }

    /// Whether the response to a request may be kept.
    private static boolean stores(Visit visit, CacheControl asked) {
        return !visit.request().isHead()
                && !asked.has("no-store")
                && !visit.one.isSkippedBy(visit.answered)
                && visit.cache.isUsed(visit.key);
    }

    private Outcome fetch(
            Visit visit, Passage passage, @Nullable StoredResponse stored, CacheControl asked)
            throws IOException {
        RequestHead request = visit.request();
        Forward why =
                stored == null
                        ? visit.cache.store().has(visit.key) ? Forward.VARY_MISS : Forward.URI_MISS
                        : stored.freshness().left(visit.cache.nowSecond()) > 0
                                ? Forward.REQUEST
                                : Forward.STALE;
        boolean stores = stores(visit, asked);
        boolean plain = stores && !visit.hasWaited && !isPartial(request.fields());
        Duration wait = plain ? visit.cache.wait(visit.key) : Duration.ZERO;
        boolean meanwhile = stored != null && visit.cache.givesMeanwhile(stored);
        if (wait.isZero() && !meanwhile) {
            return goesOn(visit, passage, visit.plan(why, stored, stores, null));
        }
        Fetches.Fetch mine = plain ? visit.cache.fetches().begin(visit.key) : null;
        if (mine != null) {
            return goesOn(visit, passage, visit.plan(why, stored, true, mine));
        }
        if (stored != null
                && meanwhile
                && visit.cache.fetches().isRunning(visit.key)
                && answer(visit, stored, Freshness.Use.REVALIDATE, true)) {
            return Outcome.ANSWERED;
        }
        if (wait.isZero()) {
            return goesOn(visit, passage, visit.plan(why, stored, stores, null));
        }
        int number = passage.visit();
        boolean waits =
                visit.cache
                        .fetches()
                        .await(
                                visit.key,
                                visit.answered,
                                nanos.getAsLong() + wait.toNanos(),
                                () -> passage.resume(number, (it, on) -> enter(it, on, true)));
        return waits ? Outcome.WAITS : goesOn(visit, passage, visit.plan(why, stored, true, null));
    }

    /// Whether a client asks for a part of a response, or whether it has it already: what it gets
    /// is for it alone.
    private static boolean isPartial(Fields fields) {
        return fields.contains("Range")
                || fields.contains("If-None-Match")
                || fields.contains("If-Modified-Since");
    }

    // Fetching anew what is stale

    private void refresh(Visit visit, StoredResponse stored) {
        if (refreshes.incrementAndGet() > REFRESHES_MAX) {
            int _ = refreshes.decrementAndGet();
            return;
        }
        Fetches.Fetch fetch = visit.cache.fetches().begin(visit.key);
        if (fetch == null) {
            int _ = refreshes.decrementAndGet();
            return;
        }
        RequestHead asked = visit.request();
        RequestHead head =
                new RequestHead(
                        "GET",
                        asked.target(),
                        asked.version(),
                        FetchPlan.unconditional(asked.fields()),
                        RequestHead.NO_BODY,
                        false,
                        true);
        BackgroundExchange background = new BackgroundExchange(visit.answered, head);
        RuleRequest.inherit(visit.answered, background);
        background.onEnd(() -> {
            int _ = refreshes.decrementAndGet();
        });
        FetchExchange fetching =
                new FetchExchange(
                        background,
                        host,
                        visit.cache,
                        visit.plan(Forward.STALE, stored, true, fetch));
        background.begin(
                () -> {
                    try {
                        handlers.begin(visit.handler, fetching);
                    } catch (IOException e) {
                        background.abort();
                    }
                },
                nanos.getAsLong() + REFRESH_TIME.toNanos());
    }
}
