package io.margay.gateway.cache;

import io.margay.server.exchange.DialingExchange;
import io.margay.transport.Dialer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The URLs that are being fetched, and the requests that wait for what comes of it: one fetch for
/// all of them. Thread-safe; the lock of a fetch is held for its list alone.
final class Fetches {
    /// Requests that wait for one fetch; further ones are sent on.
    static final int WAITING_MAX = 1024;

    private final ConcurrentHashMap<String, Fetch> running = new ConcurrentHashMap<>();
    private final LongAdder collapsed = new LongAdder();

    /// Begins a fetch.
    ///
    /// @return null when there is one
    @Nullable Fetch begin(String key) {
        Fetch made = new Fetch(key);
        return running.putIfAbsent(key, made) == null ? made : null;
    }

    /// Whether a URL is being fetched.
    boolean isRunning(String key) {
        return running.containsKey(key);
    }

    /// Has a request wait for the fetch of a key, if there is one.
    ///
    /// @param then run once on the loop of the exchange, when the fetch has ended or the time has
    ///   come
    /// @return false when it does not wait
    boolean await(String key, DialingExchange exchange, long deadlineNanos, Runnable then) {
        Fetch fetch = running.get(key);
        Waiter waiter = new Waiter(exchange, then);
        if (fetch == null || !fetch.add(waiter)) {
            return false;
        }
        collapsed.increment();
        Dialer dialer = exchange.carrier().dialer();
        Runnable timed =
                () ->
                        dialer.timer(
                                        () -> {
                                            // The fetch is slow: the next request need not wait
                                            // for it.
                                            boolean _ = running.remove(key, fetch);
                                            waiter.go();
                                        })
                                .at(deadlineNanos);
        if (dialer.inLoop()) {
            timed.run();
        } else {
            dialer.execute(timed);
        }
        return true;
    }

    /// Requests that have waited for another's fetch.
    long collapsed() {
        return collapsed.sum();
    }

    private record Waiter(DialingExchange exchange, Runnable then, AtomicBoolean gone) {
        Waiter(DialingExchange exchange, Runnable then) {
            this(exchange, then, new AtomicBoolean());
        }

        private void go() {
            if (gone.compareAndSet(false, true)) {
                exchange.execute(then);
            }
        }
    }

    /// One URL that is being fetched.
    final class Fetch {
        private final String key;
        private @Nullable List<Waiter> waiting = new ArrayList<>(0);

        private Fetch(String key) {
            this.key = key;
        }

        private synchronized boolean add(Waiter waiter) {
            return waiting != null && waiting.size() < WAITING_MAX && waiting.add(waiter);
        }

        /// Whoever waits goes on: the response is stored, or will not be. Any thread; the second
        /// time nothing is done.
        void end() {
            List<Waiter> all;
            synchronized (this) {
                all = waiting;
                waiting = null;
            }
            if (all != null) {
                boolean _ = running.remove(key, this);
                all.forEach(Waiter::go);
            }
        }
    }
}
