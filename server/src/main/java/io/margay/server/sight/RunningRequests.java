package io.margay.server.sight;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The requests under way, in a table of fixed size: no object is made for one. Thread-safe.
///
/// A request has a few places, by its number, of which it takes the first that is free. One that
/// finds none is not listed.
final class RunningRequests implements ExchangeObserver {
    private static final int PLACES = 8;

    private final AtomicReferenceArray<Exchange> table;

    /// @param most a power of two
    RunningRequests(int most) {
        table = new AtomicReferenceArray<>(most);
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

    @Override
    public void ended(Exchange exchange) {
        for (int i = 0; i < PLACES; i++) {
            int place = place(exchange, i);
            if (exchange.equals(table.get(place))) {
                table.set(place, null);
                return;
            }
        }
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
    List<Exchange> list() {
        List<Exchange> all = new ArrayList<>();
        for (int i = 0; i < table.length(); i++) {
            Exchange exchange = table.get(i);
            if (exchange != null) {
                all.add(exchange);
            }
        }
        all.sort(Comparator.comparingLong(Exchange::startNanos));
        return all;
    }
}
