package io.margay.server.sight;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.handover.TravellingState;
import io.margay.server.meter.Meter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// What a server remembers of its requests. Thread-safe. A thread of its own, once it is
/// [started][#start], begins each minute.
public final class Sight implements ExchangeObserver, TravellingState, AutoCloseable {
    private static final long LOOK_NANOS = 1_000_000_000L;

    private final RunningRequests running;
    private final NotableRequests notable;
    private final LastHour hour;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private final List<Supplier<List<Watched>>> sources = new CopyOnWriteArrayList<>();
    private volatile @Nullable SlowObserver slow;
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    /// @param nanos the clock by which exchanges begin
    public Sight(SightLimits limits, LongSupplier nanos, InstantSource clock) {
        running = new RunningRequests(limits.runningMax());
        notable = new NotableRequests(limits);
        hour = new LastHour(limits, this::watched, nanos);
        this.nanos = nanos;
        this.clock = clock;
    }

    /// Requests that are worth a look.
    ///
    /// @param running under way, the oldest first
    /// @param slowest of the last hour, the slowest first
    /// @param failing those that failed, the last first
    public record Requests(
            List<SeenRequest> running, List<SeenRequest> slowest, List<SeenRequest> failing) {}

    /// Is told of requests that took long. Thread-safe; must not wait.
    public interface SlowObserver extends AutoCloseable {
        /// Whether it wants to be told of a request.
        ///
        /// @param at for whom it was counted
        boolean isSlow(SightKey at, long tookNanos);

        /// A request has ended that took so long.
        void ended(Exchange exchange, SightKey at, SeenRequest seen);

        /// Nothing is served any more.
        @Override
        void close();
    }

    /// Has somebody told of slow requests from now on; null = nobody.
    public void tellSlow(@Nullable SlowObserver to) {
        slow = to;
    }

    /// Requests under way that began before a moment of the clock of exchanges, in no order.
    public List<Exchange> begunBefore(long moment) {
        return running.begunBefore(moment);
    }

    /// Has what counts requests be watched, those of each time it is asked.
    public void watch(Supplier<List<Watched>> source) {
        sources.add(source);
    }

    private List<Watched> watched() {
        return sources.stream().flatMap(each -> each.get().stream()).toList();
    }

    /// Begins the minutes.
    public void start() {
        hour.follow();
        thread = Thread.ofVirtual().name("margay-sight").start(this::run);
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(this, Math.max(LOOK_NANOS, hour.restNanos()));
            tick();
        }
    }

    /// Has the next minute begin, if this one is over.
    void tick() {
        for (int i = hour.tick(); i > 0; i--) {
            notable.nextMinute();
        }
    }

    /// Other things count from now on. Before the [start][#start] nothing counts.
    public void follow() {
        if (thread != null) {
            hour.follow();
        }
    }

    @Override
    public void begun(Exchange exchange) {
        running.begun(exchange);
    }

    /// The host of a request in flight is known, or its route.
    ///
    /// @param key for whom it will be counted
    public void at(Exchange exchange, SightKey key) {
        running.at(exchange, key);
    }

    @Override
    public void ended(Exchange exchange) {
        running.ended(exchange);
    }

    /// A request has ended that was counted.
    ///
    /// @param at for whom
    /// @return how long it took, nanoseconds
    public long ended(Exchange exchange, SightKey at) {
        long took = Math.max(0, nanos.getAsLong() - exchange.startNanos());
        notable.ended(exchange, at, took, clock);
        if (FlightRecorder.isInitialized()) {
            RequestEvent.ended(exchange, at, took);
        }
        SlowObserver told = slow;
        if (told != null && told.isSlow(at, took)) {
            long now = exchange.startNanos() + took;
            told.ended(exchange, at, SeenRequest.of(exchange, at, now, clock.millis()));
        }
        return took;
    }

    /// What was served of late.
    ///
    /// @param minutes to look at, 1 to 60, with the one that has not ended
    public List<LastHour.Row> rows(SightKey.By by, int minutes) {
        return hour.rows(by, Math.clamp(minutes, 1, LastHour.MINUTES));
    }

    /// How members did in each minute of the last hour.
    public List<LastHour.Health> health() {
        return hour.health();
    }

    /// Requests that are worth a look.
    ///
    /// @param most of each kind
    public Requests requests(int most) {
        long now = nanos.getAsLong();
        long millis = clock.millis();
        return new Requests(
                running.list().stream()
                        .limit(most)
                        .map(each -> SeenRequest.of(each, now, millis))
                        .toList(),
                notable.slowest(most),
                notable.failing().stream().limit(most).toList());
    }

    /// Where the thread of a request in flight is; empty = no thread works on it, or it has ended.
    public List<StackTraceElement> stack(String id) {
        for (RunningRequests.Running one : running.list()) {
            Exchange each = one.exchange();
            Thread worker = each.worker();
            if (worker != null && each.requestId().equals(id)) {
                StackTraceElement[] stack = worker.getStackTrace();
                return worker.equals(each.worker()) ? List.of(stack) : List.of();
            }
        }
        return List.of();
    }

    /// Routes, members and listeners that are not watched, because there are too many.
    public int unwatched() {
        return hour.unwatched();
    }

    /// What it counts of itself.
    public List<Meter> meters() {
        return List.of(
                Meter.gauge(
                        "margay_sight_unwatched",
                        "Routes, members and listeners whose durations are not counted, for there"
                                + " are too many.",
                        hour::unwatched),
                Meter.gauge(
                        "margay_sight_hour_bytes",
                        "Memory that the last hour takes.",
                        hour::bytes));
    }

    @Override
    public String name() {
        return "sight";
    }

    @Override
    public void write(DataOutput out) throws IOException {
        hour.write(out);
        notable.write(out, clock.millis());
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        hour.read(in, since.toMinutes());
        notable.read(in, clock.millis() - since.toMillis());
    }

    @Override
    public void close() {
        closed = true;
        hour.close();
        SlowObserver told = slow;
        if (told != null) {
            told.close();
        }
        Thread started = thread;
        if (started != null) {
            LockSupport.unpark(started);
        }
    }
}
