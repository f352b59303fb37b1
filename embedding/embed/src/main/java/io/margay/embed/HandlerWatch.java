package io.margay.embed;

import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.RequestId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Tells of handlers that hold their loop up for two seconds, with their stack, and of requests
/// that nobody answers any more, each handler once a minute. Handlers are wrapped before requests
/// come; one thread looks. A request pays for two writes to memory of its thread.
final class HandlerWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.margay.embed");
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// Looks that find the same call before it is late.
    private static final int LOOKS = (int) (LATE_NANOS / PERIOD_NANOS);

    /// Requests watched at once that have come back without a response.
    private static final int UNANSWERED_MAX = 1_000;

    private final List<Slot> slots = new CopyOnWriteArrayList<>();
    private final ThreadLocal<Slot> slot = ThreadLocal.withInitial(this::slot);
    private final Set<Unanswered> unanswered = ConcurrentHashMap.newKeySet();
    private final Map<String, LogRate> rates = new ConcurrentHashMap<>();
    private final Thread thread;

    /// What a loop's thread is within. Written by that thread, read by the watch, for whom a value
    /// of the recent past is enough.
    private static final class Slot {
        private final Thread thread = Thread.currentThread();
        private @Nullable Exchange exchange;
        private String pattern = "";
        private int calls;

        // Of the watch
        private int seen;
        private int looks;
    }

    private record Unanswered(Exchange exchange, String pattern, long since) {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    HandlerWatch() {
        thread = Thread.ofPlatform().name("margay-handler-watch").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// A handler that is watched.
    Handler watched(String pattern, Handler handler) {
        return exchange -> {
            if (exchange instanceof DialingExchange dialing && dialing.carrier().waits()) {
                handler.handle(exchange); // on a thread of its own
            } else {
                onLoop(pattern, handler, exchange);
            }
            if (!exchange.committed() && unanswered.size() < UNANSWERED_MAX) {
                Unanswered one = new Unanswered(exchange, pattern, System.nanoTime());
                unanswered.add(one);
                exchange.onEnd(() -> unanswered.remove(one));
            }
        };
    }

    private void onLoop(String pattern, Handler handler, Exchange exchange) throws IOException {
        Slot own = slot.get();
        own.pattern = pattern;
        own.calls++;
        own.exchange = exchange;
        try {
            handler.handle(exchange);
        } finally {
            own.exchange = null;
        }
    }

    private Slot slot() {
        Slot made = new Slot();
        slots.add(made);
        return made;
    }

    private void run() {
        long looked = System.nanoTime();
        while (!thread.isInterrupted()) {
            LockSupport.parkNanos(this, PERIOD_NANOS);
            long now = System.nanoTime();
            // After a look that comes late all threads may have stood still.
            if (now - looked < 2 * PERIOD_NANOS) {
                slots.forEach(this::look);
                unanswered.forEach(one -> look(one, now));
            }
            looked = now;
            slots.removeIf(one -> !one.thread.isAlive());
        }
    }

    private void look(Slot of) {
        Exchange exchange = of.exchange;
        boolean same = exchange != null && of.calls == of.seen;
        of.seen = of.calls;
        of.looks = same ? of.looks + 1 : 0;
        if (exchange != null && of.looks == LOOKS && isDue(of.pattern)) {
            Throwable where = new Throwable("stack of " + of.thread.getName());
            where.setStackTrace(of.thread.getStackTrace());
            LOG.log(
                    Level.ERROR,
                    "the handler of "
                            + of.pattern
                            + " has held up its loop for 2 s with "
                            + RequestId.describe(exchange)
                            + ": what may wait belongs in Exchange.dispatch",
                    where);
        }
    }

    /// The handler has come back, and the server has nothing to run for the request.
    private void look(Unanswered one, long now) {
        if (now - one.since < LATE_NANOS
                || one.exchange.isScheduled()
                || one.exchange.committed()) {
            return;
        }
        if (unanswered.remove(one) && isDue(one.pattern)) {
            LOG.log(
                    Level.WARNING,
                    "the handler of "
                            + one.pattern
                            + " returned 2 s ago without a response to "
                            + RequestId.describe(one.exchange)
                            + ", and nothing is scheduled: the client waits until some thread"
                            + " calls end() or abort()");
        }
    }

    private boolean isDue(String pattern) {
        return rates.computeIfAbsent(
                        pattern, _ -> new LogRate(Duration.ofMinutes(1), System::nanoTime))
                .isDue();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
