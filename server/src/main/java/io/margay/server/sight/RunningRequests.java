package io.margay.server.sight;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The requests under way, and their routes, in tables of fixed size: no object is made for one.
/// Thread-safe.
///
/// A request has a few places, by its number, of which it takes the first that is free. One that
/// finds none is not listed.
final class RunningRequests implements ExchangeObserver {
    private static final int PLACES = 8;

    private final AtomicReferenceArray<Exchange> table;

    /// For whom the request of the same place is counted; null = it has no host or route yet.
    private final AtomicReferenceArray<SightKey> keys;

    /// A request under way.
    ///
    /// @param at for whom it is counted; null = it has no host or route yet
    record Running(Exchange exchange, @Nullable SightKey at) {}

    /// @param most a power of two
    RunningRequests(int most) {
        table = new AtomicReferenceArray<>(most);
        keys = new AtomicReferenceArray<>(most);
    }

    private int place(Exchange exchange, int at) {
        // Numbers of one thread differ by a power of two.
        int mixed = Long.hashCode(exchange.id() * 0x9e3779b97f4a7c15L);
        return ((mixed ^ (mixed >>> 15)) + at) & (table.length() - 1);
    }

    @Override
    public void begun(Exchange exchange) {
        for (int i = 0; i < PLACES; i++) {
            int place = place(exchange, i);
            if (table.get(place) == null && table.compareAndSet(place, null, exchange)) {
                return;
            }
        }
    }

    /// The host of a request is known, or its route.
    void at(Exchange exchange, SightKey key) {
        int place = listed(exchange);
        if (place >= 0) {
            keys.setRelease(place, key);
        }
    }

    @Override
    public void ended(Exchange exchange) {
        int place = listed(exchange);
        if (place >= 0) {
            keys.setRelease(place, null);
            table.set(place, null);
        }
    }

    /// Where it is listed; -1 = nowhere.
    private int listed(Exchange exchange) {
        for (int i = 0; i < PLACES; i++) {
            int place = place(exchange, i);
            if (exchange.equals(table.get(place))) {
                return place;
            }
        }
        return -1;
    }

    /// Those that are listed and began before a moment, in no order.
    List<Exchange> begunBefore(long nanos) {
        List<Exchange> all = new ArrayList<>();
        for (int i = 0; i < table.length(); i++) {
            Exchange exchange = table.get(i);
            if (exchange != null && exchange.startNanos() - nanos < 0) {
                all.add(exchange);
            }
        }
        return all;
    }

    /// Those that are listed, the oldest first.
    List<Running> list() {
        List<Running> all = new ArrayList<>();
        for (int i = 0; i < table.length(); i++) {
            Exchange exchange = table.get(i);
            SightKey at = keys.getAcquire(i);
            // A key that was read while the request had the place is its own.
            if (exchange != null && exchange.equals(table.get(i))) {
                all.add(new Running(exchange, at));
            }
        }
        all.sort(Comparator.comparingLong(each -> each.exchange.startNanos()));
        return all;
    }
}
