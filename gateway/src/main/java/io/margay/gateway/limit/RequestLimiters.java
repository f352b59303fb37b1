package io.margay.gateway.limit;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.forwarded.Networks;
import io.margay.server.handover.TravellingState;
import io.margay.server.host.Passage;
import io.margay.server.host.Stage;
import io.margay.server.host.Stage.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The limits of a host on requests, in their order. Thread-safe; asked on loop threads, and never
/// waits there.
public final class RequestLimiters {
    private static final ExchangeNotes.Key<Long> USED = new ExchangeNotes.Key<>(Long.class);

    private final List<One> atOnce = new ArrayList<>();
    private final List<One> ofUsers = new ArrayList<>();
    private final List<One> ofPlaces = new ArrayList<>();
    private final List<Read> readings = new ArrayList<>();

    /// One limiter, and which requests it is about.
    ///
    /// @param test null = all
    private record One(Limiter limiter, Networks except, @Nullable RequestTest test) {
        boolean isAbout(Exchange exchange) {
            return !except.includes(exchange.remote()) && (test == null || test.holds(exchange));
        }
    }

    /// @param rate null = it has none
    /// @param atOnce null = it has none
    /// @param ofZone null = it has none
    private record Read(
            RequestLimit limit,
            LimitCounters counters,
            @Nullable RateLimiter rate,
            @Nullable ConcurrencyLimiter atOnce,
            LimitZones.@Nullable ZoneLimiter ofZone) {
        private LimitReading reading() {
            long forgotten = rate == null ? 0 : rate.forgotten();
            return counters.read(ofZone == null ? forgotten : ofZone.forgotten());
        }
    }

    private RequestLimiters() {}

    /// A shield notes how much a client has used of its budget.
    ///
    /// @param nanos until it has all of it again
    public static void noteUsed(ExchangeNotes notes, long nanos) {
        notes.put(USED, nanos);
    }

    /// What a shield has noted; a client without a note has used nothing.
    static long used(Exchange exchange) {
        Long used = exchange.notes().get(USED);
        return used == null ? 0 : used;
    }

    /// Compiles.
    ///
    /// @param host its name, for the log
    /// @param changes of the host, for its variables and maps
    /// @param zones what limits with zones count
    /// @param shared counts with other gateways; null = this one counts by itself
    /// @throws IllegalArgumentException for a malformed expression or network
    public static RequestLimiters of(
            List<RequestLimit> limits,
            String host,
            HostChanges changes,
            LimiterLimits bounds,
            LongSupplier nanos,
            RandomGenerator random,
            LimitZones zones,
            @Nullable SharedCounters shared) {
        RequestLimiters made = new RequestLimiters();
        for (RequestLimit limit : limits) {
            LimitCounters counters = new LimitCounters(limit, host, bounds.waitingMax(), nanos);
            Networks except = Networks.of(limit.except());
            boolean all = limit.match().equals(PathMatch.ANY) && limit.when().isEmpty();
            RequestTest test =
                    all
                            ? null
                            : RequestTest.of(
                                    limit.match(), limit.when(), changes, RuleLimits.defaults());
            if (limit.key() instanceof LimitKey.Zone zone) {
                RequestTest.Text text =
                        RequestTest.Text.of(zone.text(), changes, RuleLimits.defaults());
                LimitZones.ZoneLimiter ofZone =
                        new LimitZones.ZoneLimiter(limit, zone, text, counters, zones, nanos);
                made.ofPlaces.add(new One(ofZone, except, test));
                made.readings.add(new Read(limit, counters, null, null, ofZone));
                continue;
            }
            SharedCounters.Limit group = shared == null ? null : shared.of(host, limit);
            RequestKeys keys = new RequestKeys(limit.key(), group == null ? random : group.hash());
            List<One> stage = limit.key() instanceof LimitKey.User ? made.ofUsers : made.atOnce;
            RequestLimit.Rate rate = limit.rate();
            RateLimiter ofRate = null;
            if (rate != null) {
                ofRate = new RateLimiter(limit, rate, keys, counters, bounds, nanos, group);
                stage.add(new One(ofRate, except, test));
            }
            ConcurrencyLimiter atOnce = null;
            if (limit.concurrent() > 0) {
                atOnce = new ConcurrencyLimiter(limit, keys, counters, nanos, group);
                stage.add(new One(atOnce, except, test));
            }
            made.readings.add(new Read(limit, counters, ofRate, atOnce, null));
        }
        return made;
    }

    /// The stage of limits that need not know the user; null when there are none.
    public @Nullable Stage beforeUsers() {
        return stage(atOnce);
    }

    /// The stage of limits by user, once it is known who that is; null when there are none.
    public @Nullable Stage ofUsers() {
        return stage(ofUsers);
    }

    /// The stage of limits that ask what rules have said; null when there are none.
    public @Nullable Stage ofPlaces() {
        return ofPlaces.isEmpty()
                ? null
                : (exchange, passage) -> {
                    for (One one : ofPlaces) {
                        if (one.isAbout(exchange) && !one.limiter.hasRoom(exchange)) {
                            // The others follow: it may have room again by now.
                            List<One> first = new ArrayList<>(ofPlaces);
                            first.remove(one);
                            first.addFirst(one);
                            return ask(first, 0, exchange, passage);
                        }
                    }
                    return ask(ofPlaces, 0, exchange, passage);
                };
    }

    private static @Nullable Stage stage(List<One> limits) {
        return limits.isEmpty() ? null : (exchange, passage) -> ask(limits, 0, exchange, passage);
    }

    /// Asks one after the other; a request that has waited for one goes on at the next.
    private static Outcome ask(List<One> limits, int from, Exchange exchange, Passage passage)
            throws IOException {
        int visit = passage.visit();
        for (int i = from; i < limits.size(); i++) {
            One one = limits.get(i);
            int next = i + 1;
            if (one.isAbout(exchange)) {
                Limiter.Outcome outcome =
                        one.limiter.ask(
                                exchange,
                                () ->
                                        passage.resume(
                                                visit, (its, on) -> ask(limits, next, its, on)));
                if (outcome != Limiter.Outcome.ADMITTED) {
                    return outcome == Limiter.Outcome.WAITS ? Outcome.WAITS : Outcome.ANSWERED;
                }
            }
        }
        return Outcome.PASSES;
    }

    /// What the limits have counted, for the process that goes on with it.
    ///
    /// @param host whose limits they are, so that no other has the name
    public List<TravellingState> states(String host) {
        List<TravellingState> states = new ArrayList<>();
        for (Read one : readings) {
            if (one.rate != null) {
                states.add(new RateLimiter.State(host, one.rate));
            }
            if (one.atOnce != null && !one.atOnce.isShared()) {
                states.add(new ConcurrencyLimiter.Travelling(host, one.atOnce));
            }
        }
        return states;
    }

    /// What the limits have done so far.
    public List<LimitReading> read() {
        return readings.stream().map(Read::reading).toList();
    }
}
