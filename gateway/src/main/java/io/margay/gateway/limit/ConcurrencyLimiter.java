package io.margay.gateway.limit;

import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// How many requests are in flight, by key; there are never more keys than requests. Those that
/// wait get the places that become free: first those whose client has used least of its budget with
/// a shield ([RequestLimiters#noteUsed]), among these in the order in which they came. Thread-safe:
/// guarded by the lock of this object, which is held for some memory accesses.
final class ConcurrencyLimiter implements Limiter {
    private static final int UNAVAILABLE = 503;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Comparator<Waiting> ORDER =
            Comparator.<Waiting>comparingLong(one -> one.usedNanos)
                    .thenComparingLong(one -> one.number);

    private final RequestLimit limit;
    private final RequestKeys keys;
    private final LimitCounters counters;
    private final LongSupplier nanos;
    private final Map<Long, Key> inFlight = new HashMap<>();

    /// How many are in flight in the process before, by key, until it ends.
    private Map<Long, Integer> before = Map.of();

    /// Whether it has been asked for a place.
    private boolean used;

    /// How many have begun to wait.
    private long came;

    /// Counts with other gateways; null = this one counts by itself.
    private final @Nullable SharedUse shared;

    /// @param group null = this gateway counts by itself
    ConcurrencyLimiter(
            RequestLimit limit,
            RequestKeys keys,
            LimitCounters counters,
            LongSupplier nanos,
            SharedCounters.@Nullable Limit group) {
        this.shared = group == null ? null : group.use(limit.concurrent(), this::freed, nanos);
        this.limit = limit;
        this.keys = keys;
        this.counters = counters;
        this.nanos = nanos;
    }

    /// How many are in flight, for the process that follows and counts them as its own until they
    /// have ended. Immutable but for the limiter.
    ///
    /// @param host whose limit it is
    record Travelling(String host, ConcurrencyLimiter of) implements TravellingState {
        @Override
        public String name() {
            RequestLimit limit = of.limit;
            return String.join(" ", "in flight", limit.name(), host, limit.key().toString());
        }

        @Override
        public void write(DataOutput out) throws IOException {
            of.write(out);
        }

        @Override
        public void read(DataInput in, Duration since) throws IOException {
            of.read(in);
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public void ended() {
            of.endedBefore();
        }
    }

    /// The requests of a key.
    private static final class Key {
        private int running;
        private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(1, ORDER);
    }

    /// A request that waits for a place, has one, or has given up.
    private static final class Waiting {
        private final DialingExchange exchange;
        private final Runnable later;
        private final long usedNanos;
        private long number;
        private State state = State.WAITS;

        Waiting(DialingExchange exchange, Runnable later) {
            this.exchange = exchange;
            this.later = later;
            usedNanos = RequestLimiters.used(exchange);
        }

        private enum State {
            WAITS,
            PLACED,
            GONE
        }
    }

    @Override
    public Outcome ask(Exchange exchange, Runnable later) throws IOException {
        long key = keys.of(exchange);
        Waiting waits =
                !limit.logOnly()
                                && limit.queue().isPositive()
                                && exchange instanceof DialingExchange dialing
                        ? new Waiting(dialing, later)
                        : null;
        Outcome outcome = enter(key, waits);
        if (outcome == Outcome.REFUSED) {
            return counters.refuse(exchange, UNAVAILABLE, RETRY_NANOS);
        }
        if (outcome == Outcome.ADMITTED || waits == null) {
            counters.admitted();
            exchange.onEnd(() -> leave(key));
            return Outcome.ADMITTED;
        }
        exchange.onEnd(() -> ended(key, waits));
        Delay.until(
                nanos.getAsLong() + limit.queue().toNanos(),
                waits.exchange,
                () -> expired(key, waits));
        return Outcome.WAITS;
    }

    /// Takes a place, or one among those that wait.
    private synchronized Outcome enter(long key, @Nullable Waiting waits) {
        used = true;
        Key of = inFlight.computeIfAbsent(key, _ -> new Key());
        if (of.running < room(key)) {
            of.running++;
            tell(key, of);
            return Outcome.ADMITTED;
        }
        if (waits == null || !counters.beginsToWait()) {
            forget(key, of);
            return Outcome.REFUSED;
        }
        waits.number = came++;
        of.waiting.add(waits);
        if (shared != null) {
            shared.waiting(key, of.running);
        }
        return Outcome.WAITS;
    }

    /// How many may be in flight here.
    private int room(long key) {
        return shared == null ? limit.concurrent() - before.getOrDefault(key, 0) : shared.room(key);
    }

    /// Whether an engine counts for all gateways, and so for the process that follows this one.
    boolean isShared() {
        return shared != null;
    }

    /// Writes how many are in flight here, by key; then the key 0, which there is not.
    private synchronized void write(DataOutput out) throws IOException {
        keys.write(out);
        for (Map.Entry<Long, Key> one : inFlight.entrySet()) {
            if (one.getValue().running > 0) {
                out.writeLong(one.getKey());
                out.writeInt(one.getValue().running);
            }
        }
        out.writeLong(0);
    }

    /// Counts what is in flight in the process before as its own, until it says otherwise.
    private void read(DataInput in) throws IOException {
        Map<Long, Integer> there = new HashMap<>();
        List<Long> known;
        synchronized (this) {
            boolean same = keys.follow(in, !used);
            for (long key = in.readLong(); key != 0; key = in.readLong()) {
                there.put(key, in.readInt());
            }
            before = same ? there : Map.of();
            known = List.copyOf(inFlight.keySet());
        }
        known.forEach(this::freed);
    }

    /// The process before has ended, and with it its requests.
    private void endedBefore() {
        List<Long> known;
        synchronized (this) {
            before = Map.of();
            known = List.copyOf(inFlight.keySet());
        }
        known.forEach(this::freed);
    }

    private void tell(long key, Key of) {
        if (shared != null) {
            shared.changed(key, of.running);
        }
    }

    /// A key that nobody has any more needs no place.
    private void forget(long key, Key of) {
        if (of.running == 0 && of.waiting.isEmpty()) {
            inFlight.remove(key);
        }
    }

    /// Other gateways use less of a key: those that wait get the places.
    private void freed(long key) {
        Waiting next = takeFreed(key);
        while (next != null) {
            place(next);
            next = takeFreed(key);
        }
    }

    private synchronized @Nullable Waiting takeFreed(long key) {
        Key of = inFlight.get(key);
        if (of == null || of.waiting.isEmpty() || of.running >= room(key)) {
            return null;
        }
        Waiting next = of.waiting.remove();
        next.state = Waiting.State.PLACED;
        of.running++;
        tell(key, of);
        return next;
    }

    private void place(Waiting next) {
        counters.hasWaited();
        counters.admitted();
        next.exchange.execute(next.later);
    }

    /// A request has ended: its place goes to one that waits.
    private void leave(long key) {
        Waiting next;
        synchronized (this) {
            Key of = inFlight.get(key);
            if (of == null) {
                throw new IllegalStateException("a place that nobody had taken");
            }
            next = of.waiting.poll();
            if (next != null) {
                next.state = Waiting.State.PLACED;
            } else {
                of.running--;
                tell(key, of);
                forget(key, of);
            }
        }
        if (next != null) {
            place(next);
        }
    }

    /// A request that had to wait has ended.
    private void ended(long key, Waiting waits) {
        if (!givesUp(key, waits) && isPlaced(waits)) {
            leave(key);
        }
    }

    private synchronized boolean isPlaced(Waiting waits) {
        return waits.state == Waiting.State.PLACED;
    }

    /// Ends the waiting of a request.
    ///
    /// @return false when it does not wait any more
    private boolean givesUp(long key, Waiting waits) {
        synchronized (this) {
            Key of = inFlight.get(key);
            if (of == null || waits.state != Waiting.State.WAITS) {
                return false;
            }
            waits.state = Waiting.State.GONE;
            of.waiting.removeIf(one -> one.equals(waits));
            if (of.running == 0 && of.waiting.isEmpty()) {
                tell(key, of);
                forget(key, of);
            }
        }
        counters.hasWaited();
        return true;
    }

    private void expired(long key, Waiting waits) {
        try {
            if (givesUp(key, waits)) {
                if (counters.refuse(waits.exchange, UNAVAILABLE, RETRY_NANOS) == Outcome.ADMITTED) {
                    waits.later.run();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
