package io.margay.gateway.limit;

import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What limits of several hosts count together, by the names of their zones. A reload goes on with
/// it, and so does a process that takes over. Thread-safe.
public final class LimitZones {
    private final int keysMax;
    private final Supplier<? extends RandomGenerator> random;

    /// Null = none was needed yet.
    private volatile @Nullable KeyedHash hash;

    /// Whether a key was asked for: then it cannot be made as another process makes it.
    private volatile boolean used;

    private final Map<String, BucketTable> rates = new ConcurrentHashMap<>();
    private final Map<String, Places> atOnce = new ConcurrentHashMap<>();

    /// @param random asked for the first key
    public LimitZones(Supplier<? extends RandomGenerator> random, LimiterLimits bounds) {
        this.random = random;
        keysMax = bounds.keysMax();
    }

    /// How many requests of each key are in flight. Thread-safe.
    static final class Places {
        private final Map<Long, Integer> running = new HashMap<>();

        /// Those of the process before, until it ends.
        private Map<Long, Integer> before = Map.of();

        /// Takes a place.
        ///
        /// @return false where so many are taken
        synchronized boolean enter(long key, int most) {
            int now = running.getOrDefault(key, 0);
            boolean free = now + before.getOrDefault(key, 0) < most;
            if (free) {
                running.put(key, now + 1);
            }
            return free;
        }

        synchronized void before(Map<Long, Integer> there) {
            before = Map.copyOf(there);
        }

        /// Writes how many are in flight here, by key; then the key 0, which there is not.
        synchronized void write(DataOutput out) throws IOException {
            for (Map.Entry<Long, Integer> one : running.entrySet()) {
                out.writeLong(one.getKey());
                out.writeInt(one.getValue());
            }
            out.writeLong(0);
        }

        /// Gives it back.
        synchronized void leave(long key) {
            running.computeIfPresent(key, (_, now) -> now > 1 ? now - 1 : null);
        }
    }

    private KeyedHash hash() {
        KeyedHash now = hash;
        return now == null ? firstHash() : now;
    }

    private synchronized KeyedHash firstHash() {
        KeyedHash now = hash;
        if (now == null) {
            RandomGenerator from = random.get();
            now = new KeyedHash(from.nextLong(), from.nextLong());
            hash = now;
        }
        return now;
    }

    /// The key of a text; never 0.
    long key(String text) {
        used = true;
        long key = hash().of(text.getBytes(StandardCharsets.UTF_8));
        return key == 0 ? 1 : key;
    }

    /// What another process goes on with: what was counted in a time, and what is in flight.
    public List<TravellingState> states(LongSupplier nanos) {
        return List.of(new Rates(this, nanos), new InFlight(this));
    }

    private boolean follow(DataInput in) throws IOException {
        KeyedHash other = new KeyedHash(in.readLong(), in.readLong());
        if (!used) {
            hash = other;
        }
        return hash().equals(other);
    }

    /// Immutable but for the zones.
    private record Rates(LimitZones zones, LongSupplier nanos) implements TravellingState {
        @Override
        public String name() {
            return "limit zones";
        }

        @Override
        public void write(DataOutput out) throws IOException {
            zones.hash().write(out);
            Map<String, BucketTable> all = Map.copyOf(zones.rates);
            out.writeInt(all.size());
            for (Map.Entry<String, BucketTable> one : all.entrySet()) {
                out.writeUTF(one.getKey());
                one.getValue().write(out, nanos.getAsLong());
            }
        }

        /// What is counted in a zone that is not there any more is forgotten.
        @Override
        public void read(DataInput in, Duration since) throws IOException {
            boolean same = zones.follow(in);
            for (int left = in.readInt(); left > 0; left--) {
                BucketTable known = zones.rates.get(in.readUTF());
                BucketTable table =
                        same && known != null ? known : new BucketTable(1, 1, zones.keysMax);
                table.read(in, nanos.getAsLong(), since.toNanos());
            }
        }
    }

    /// Immutable but for the zones.
    private record InFlight(LimitZones zones) implements TravellingState {
        @Override
        public String name() {
            return "limit zones, in flight";
        }

        @Override
        public void write(DataOutput out) throws IOException {
            zones.hash().write(out);
            Map<String, Places> all = Map.copyOf(zones.atOnce);
            out.writeInt(all.size());
            for (Map.Entry<String, Places> one : all.entrySet()) {
                out.writeUTF(one.getKey());
                one.getValue().write(out);
            }
        }

        @Override
        public void read(DataInput in, Duration since) throws IOException {
            boolean same = zones.follow(in);
            for (int left = in.readInt(); left > 0; left--) {
                Places known = zones.atOnce.get(in.readUTF());
                Map<Long, Integer> there = new HashMap<>();
                for (long key = in.readLong(); key != 0; key = in.readLong()) {
                    there.put(key, in.readInt());
                }
                if (same && known != null) {
                    known.before(there);
                }
            }
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public void ended() {
            zones.atOnce.values().forEach(places -> places.before(Map.of()));
        }
    }

    /// The buckets of a zone; each has room for one.
    BucketTable rate(String zone, long intervalNanos) {
        return rates.computeIfAbsent(
                rateName(zone, intervalNanos), _ -> new BucketTable(intervalNanos, 1, keysMax));
    }

    /// What is in flight in a zone.
    Places atOnce(String zone) {
        return atOnce.computeIfAbsent(zone, _ -> new Places());
    }

    private static String rateName(String zone, long intervalNanos) {
        return zone + " " + intervalNanos;
    }

    /// Forgets the rates of zones that no limit names any more.
    public void retain(List<RequestLimit> limits) {
        Set<String> named =
                limits.stream().map(LimitZones::rateName).collect(Collectors.toUnmodifiableSet());
        rates.keySet().retainAll(named);
    }

    private static String rateName(RequestLimit limit) {
        RequestLimit.Rate rate = limit.rate();
        return limit.key() instanceof LimitKey.Zone(String zone, String _, int _) && rate != null
                ? rateName(zone, rate.intervalNanos())
                : "";
    }

    /// A limit that counts requests by a text, with all that name its zone; as nginx's `limit_req`
    /// and `limit_conn`: of a rate one may come at once, `burst` - 1 more before their time, and
    /// those that `queue` lets wait for it. Thread-safe.
    static final class ZoneLimiter implements Limiter {
        private final RequestLimit limit;
        private final int status;
        private final RequestTest.Text text;
        private final LimitCounters counters;
        private final LimitZones zones;
        private final LongSupplier nanos;

        /// Null where it limits what is in flight.
        private final @Nullable BucketTable rate;

        /// Null where it limits a rate.
        private final @Nullable Places atOnce;

        /// How early a request may come.
        private final long spareNanos;

        /// The same, and it waits then.
        private final long mostNanos;

        ZoneLimiter(
                RequestLimit limit,
                LimitKey.Zone zone,
                RequestTest.Text text,
                LimitCounters counters,
                LimitZones zones,
                LongSupplier nanos) {
            this.limit = limit;
            this.status = zone.status();
            this.text = text;
            this.counters = counters;
            this.zones = zones;
            this.nanos = nanos;
            RequestLimit.Rate said = limit.rate();
            rate = said == null ? null : zones.rate(zone.name(), said.intervalNanos());
            atOnce = said == null ? zones.atOnce(zone.name()) : null;
            spareNanos = said == null ? 0 : said.intervalNanos() * (said.burst() - 1);
            mostNanos = spareNanos + limit.queue().toNanos();
        }

        long forgotten() {
            return rate == null ? 0 : rate.forgotten();
        }

        @Override
        public boolean hasRoom(Exchange exchange) {
            String of = rate == null || limit.logOnly() ? "" : text.of(exchange);
            return rate == null
                    || of.isEmpty()
                    || rate.untilFull(zones.key(of), nanos.getAsLong()) <= mostNanos;
        }

        @Override
        public Outcome ask(Exchange exchange, Runnable later) throws IOException {
            String of = text.of(exchange);
            if (of.isEmpty()) {
                return Outcome.ADMITTED;
            }
            long key = zones.key(of);
            if (rate != null) {
                return ask(rate, key, exchange, later);
            }
            Places places = Objects.requireNonNull(atOnce);
            if (!places.enter(key, limit.concurrent())) {
                return refused(exchange);
            }
            counters.admitted();
            exchange.onEnd(() -> places.leave(key));
            return Outcome.ADMITTED;
        }

        private Outcome ask(BucketTable table, long key, Exchange exchange, Runnable later)
                throws IOException {
            long now = nanos.getAsLong();
            long early = table.take(key, now, mostNanos);
            if (early > mostNanos) {
                return refused(exchange);
            }
            if (early <= spareNanos || limit.logOnly()) {
                counters.admitted();
                return Outcome.ADMITTED;
            }
            if (!(exchange instanceof DialingExchange dialing) || !counters.beginsToWait()) {
                return refused(exchange);
            }
            Delay.until(
                    now + early - spareNanos,
                    dialing,
                    () -> {
                        counters.hasWaited();
                        counters.admitted();
                        later.run();
                    });
            return Outcome.WAITS;
        }

        private Outcome refused(Exchange exchange) throws IOException {
            return counters.refuse(exchange, status, LimitCounters.UNKNOWN);
        }
    }
}
