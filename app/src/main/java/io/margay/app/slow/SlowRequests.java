package io.margay.app.slow;

import com.sun.management.ThreadMXBean;
import io.margay.server.exchange.Exchange;
import io.margay.server.sight.LastHour;
import io.margay.server.sight.SeenRequest;
import io.margay.server.sight.Sight;
import io.margay.server.sight.SightKey;
import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.About;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds out why requests take long: from a quarter of the time on that counts as long, a thread of
/// its own looks at the thread of each of them again and again, and at no other. While no time
/// counts as long there is no such thread. Thread-safe; `lock` guards what is known.
public final class SlowRequests {
    private static final System.Logger LOG = System.getLogger(SlowRequests.class.getName());

    /// Explanations that are kept.
    private static final int KEPT_MAX = 256;

    /// Requests that are looked at together, and threads at a time.
    private static final int WATCHED_MAX = 1_024;

    private static final int THREADS_MAX = 64;

    /// Looks at a request, after which every twentieth is taken.
    private static final int CLOSE_MAX = 200;

    private static final int SELDOM = 20;

    /// Lines of the log within ten seconds.
    private static final int LINES_MAX = 20;

    private static final long LINES_NANOS = 10_000_000_000L;

    private static final long EVERY_MIN_NANOS = 5_000_000L;
    private static final long EVERY_MAX_NANOS = 50_000_000L;

    /// How much longer than the processor time of a look the rest after it is: looks of up to 20
    /// ms, after which the rest is [#REST_MAX_NANOS], take 2 % of a processor at most.
    private static final int REST = 49;

    private static final long REST_MAX_NANOS = 1_000_000_000L;

    /// Between two looks at how long the requests of routes take.
    private static final long TAILS_NANOS = 15_000_000_000L;

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /// Requests of a minute that are explained for p99.9 alone.
    private static final int TAIL_MAX = 30;

    private final Sight sight;
    private final ReentrantLock lock = new ReentrantLock();
    private final IdentityHashMap<Exchange, Samples> watched = new IdentityHashMap<>();

    /// The last ones that were explained, by identifier, from the oldest on.
    private final Map<String, Slow> known =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Slow> eldest) {
                    return size() > KEPT_MAX;
                }
            };

    private volatile @Nullable Watch watch;

    /// @param sight that knows the requests
    public SlowRequests(Sight sight) {
        this.sight = sight;
    }

    /// From now on these are explained.
    public void from(SlowSettings settings) {
        Watch before = watch;
        if (before != null && before.settings.equals(settings) && before.thread.isAlive()) {
            return;
        }
        if (before != null) {
            before.close();
        }
        Watch next = settings.isOff() ? null : new Watch(settings);
        watch = next;
        sight.tellSlow(next);
        if (next != null) {
            next.start();
        }
    }

    /// A request that took long, and why.
    private record Slow(SeenRequest seen, Explanation why) {}

    /// The last requests that took long, the last one first.
    public List<SeenRequest> list() {
        lock.lock();
        try {
            return known.values().stream().map(Slow::seen).toList().reversed();
        } finally {
            lock.unlock();
        }
    }

    /// Why a request took long, or takes long, as far as that is known.
    public Explanation explain(SeenRequest seen) {
        lock.lock();
        try {
            Slow found = known.get(seen.id());
            if (found != null && found.seen.micros() == seen.micros()) {
                return found.why;
            }
            Samples samples = null;
            for (Samples each : watched.values()) {
                samples = each.id().equals(seen.id()) ? each : samples;
            }
            return Explanation.of(seen, samples, 0);
        } finally {
            lock.unlock();
        }
    }

    /// A request that has ended.
    ///
    /// @param tailNanos from which duration on its route's count as slow, where it is explained for
    ///   that alone; 0 = it is not
    private record Ended(Exchange exchange, SeenRequest seen, long atNanos, long tailNanos) {}

    /// Looks at requests while one time counts as long. A thread of its own runs [#run].
    private final class Watch implements Sight.SlowObserver, Runnable {
        private final SlowSettings settings;

        /// [Long#MAX_VALUE] = no fixed one.
        private final long fromNanos;

        private final long everyNanos;
        private final TailTimes tails = new TailTimes();
        private long tailsNanos;
        private long minuteNanos = System.nanoTime();
        private int minuteCount;

        /// Since the look before.
        private long sinceNanos;

        private long lookedNanos = System.nanoTime();
        private final ArrayBlockingQueue<Ended> ended = new ArrayBlockingQueue<>(1_024);
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final CollectionTimes collections = new CollectionTimes();
        private final Thread thread =
                Thread.ofPlatform().daemon().name("margay-slow").unstarted(this);
        private volatile boolean over;
        private long linesNanos = System.nanoTime();
        private int lines;
        private long ticks;

        /// Lines of the log that are written when the lock has been left.
        private final List<String> told = new ArrayList<>();

        Watch(SlowSettings settings) {
            this.settings = settings;
            fromNanos = settings.from().isZero() ? Long.MAX_VALUE : settings.from().toNanos();
            long least = settings.tail() ? Math.min(fromNanos, TailTimes.FLOOR_NANOS) : fromNanos;
            everyNanos = Math.clamp(least / 40, EVERY_MIN_NANOS, EVERY_MAX_NANOS);
            tailsNanos = System.nanoTime() - TAILS_NANOS;
        }

        void start() {
            Steps.watch();
            thread.start();
        }

        @Override
        public synchronized void close() {
            if (!over) {
                over = true;
                Steps.unwatch();
                LockSupport.unpark(thread);
            }
        }

        @Override
        public boolean isSlow(SightKey at, long tookNanos) {
            return tookNanos >= fromNanos
                    || (tookNanos >= tails.leastNanos() && tookNanos >= tails.nanos(at));
        }

        @Override
        public void ended(Exchange exchange, SightKey at, SeenRequest seen) {
            if (!isSwitched(exchange)) {
                long tail = seen.micros() * 1_000 >= fromNanos ? 0 : tails.nanos(at);
                if (tail != Long.MAX_VALUE) { // Else its route has just become too quiet.
                    boolean _ = ended.offer(new Ended(exchange, seen, System.nanoTime(), tail));
                }
            }
        }

        /// From which age on requests are looked at.
        private long ageNanos() {
            return Math.min(fromNanos, tails.leastNanos()) / 4;
        }

        /// Asks, now and then, how long the requests of routes take.
        private void readTails() {
            long now = System.nanoTime();
            if (settings.tail() && now - tailsNanos >= TAILS_NANOS) {
                tailsNanos = now;
                tails.read(sight.rows(SightKey.By.ROUTE, LastHour.MINUTES));
            }
        }

        @Override
        public void run() {
            long wait = everyNanos;
            while (!over) {
                LockSupport.parkNanos(this, wait);
                long spent = threads.getCurrentThreadCpuTime();
                long begun = System.nanoTime();
                sinceNanos = Math.min(begun - lookedNanos, REST_MAX_NANOS);
                lookedNanos = begun;
                lock.lock();
                try {
                    readTails();
                    collections.tick();
                    look();
                } catch (RuntimeException e) {
                    watched.clear();
                    told.add("looking at them has failed: " + e);
                } catch (OutOfMemoryError e) {
                    // What is known of requests is let go.
                    watched.clear();
                    ended.clear();
                } finally {
                    lock.unlock();
                }
                told.forEach(line -> LOG.log(Level.WARNING, "slow: {0}", line));
                told.clear();
                spent = threads.getCurrentThreadCpuTime() - spent;
                long rest = Math.min(spent * REST, REST_MAX_NANOS);
                wait = Math.max(everyNanos, rest);
            }
            lock.lock();
            try {
                watched.clear();
            } finally {
                lock.unlock();
            }
        }

        /// A WebSocket lasts as long as its ends like.
        private static boolean isSwitched(Exchange exchange) {
            return exchange.status() == 101 || exchange.request().method().equals("CONNECT");
        }

        private void look() {
            List<Exchange> late = sight.begunBefore(System.nanoTime() - ageNanos());
            Map<Long, String> owners = new HashMap<>();
            for (Exchange each : late) {
                Thread worker = each.worker();
                if (worker != null) {
                    owners.put(worker.threadId(), each.requestId());
                }
            }
            ticks++;
            int looks = 0;
            for (int i = 0; i < late.size() && looks < THREADS_MAX; i++) {
                // Not the same ones first each time.
                Exchange each = late.get((int) ((i + ticks) % late.size()));
                if (isSwitched(each)) {
                    Samples _ = watched.remove(each);
                    continue;
                }
                Samples samples = watched.get(each);
                if (samples == null && watched.size() < WATCHED_MAX) {
                    samples = new Samples(each.requestId());
                    watched.put(each, samples);
                }
                if (samples != null && (samples.size() < CLOSE_MAX || ticks % SELDOM == 0)) {
                    sample(each, samples, owners);
                    looks += each.worker() == null ? 0 : 1;
                }
            }
            if (!ended.isEmpty()) {
                collections.tick(); // They may have been stopped while others were looked at.
            }
            for (Ended each = ended.poll(); each != null; each = ended.poll()) {
                explain(each);
            }
            Set<Exchange> there = new HashSet<>(late);
            watched.entrySet()
                    .removeIf(each -> each.getValue().isGone(there.contains(each.getKey())));
        }

        private void sample(Exchange exchange, Samples samples, Map<Long, String> owners) {
            long since = samples.size() < CLOSE_MAX ? sinceNanos : sinceNanos * SELDOM;
            long nanos = Math.min(since, System.nanoTime() - exchange.startNanos());
            Thread worker = exchange.worker();
            if (worker == null) {
                if (exchange.underWay() == null) {
                    samples.apart(nanos);
                }
                return;
            }
            Supplier<About> step = Steps.ongoing(worker);
            StackTraceElement[] stack = worker.getStackTrace();
            if (worker.equals(exchange.worker()) && stack.length > 0) {
                samples.add(nanos, worker, stack, step, threads, owners::get);
            }
        }

        /// Whether another one of the slowest thousandth may be explained in this minute.
        private boolean hasRoom() {
            long now = System.nanoTime();
            if (now - minuteNanos >= MINUTE_NANOS) {
                minuteNanos = now;
                minuteCount = 0;
            }
            return ++minuteCount <= TAIL_MAX;
        }

        private void explain(Ended one) {
            Samples samples = watched.remove(one.exchange);
            if (one.tailNanos > 0 && !hasRoom()) {
                return;
            }
            long begun = one.atNanos - one.seen.micros() * 1_000;
            Explanation why =
                    Explanation.of(one.seen, samples, collections.micros(begun, one.atNanos))
                            .tail(one.tailNanos);
            known.put(one.seen.id(), new Slow(one.seen, why));
            long now = System.nanoTime();
            if (now - linesNanos > LINES_NANOS) {
                if (lines > LINES_MAX) {
                    told.add(lines - LINES_MAX + " more requests");
                }
                linesNanos = now;
                lines = 0;
            }
            if (++lines <= LINES_MAX) {
                told.add(
                        one.seen.place().method()
                                + " "
                                + one.seen.path().replaceAll(";[^/]*", "")
                                + " "
                                + why.sentence()
                                + " (request "
                                + one.seen.id()
                                + ")");
            }
        }
    }
}
