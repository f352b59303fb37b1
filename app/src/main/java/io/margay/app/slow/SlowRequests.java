package io.margay.app.slow;

import com.sun.management.ThreadMXBean;
import io.margay.server.exchange.Exchange;
import io.margay.server.sight.SeenRequest;
import io.margay.server.sight.Sight;
import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.About;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
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

    /// From now on so much time counts as long; zero = none does.
    public void from(Duration time) {
        Watch before = watch;
        if (before != null && before.fromNanos() == time.toNanos() && before.thread.isAlive()) {
            return;
        }
        if (before != null) {
            before.close();
        }
        Watch next = time.isZero() ? null : new Watch(time.toNanos());
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
    private record Ended(Exchange exchange, SeenRequest seen, long atNanos) {}

    /// Looks at requests while one time counts as long. A thread of its own runs [#run].
    private final class Watch implements Sight.SlowObserver, Runnable {
        private final long fromNanos;
        private final long everyNanos;
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

        Watch(long fromNanos) {
            this.fromNanos = fromNanos;
            everyNanos = Math.clamp(fromNanos / 40, 5_000_000L, 50_000_000L);
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
        public long fromNanos() {
            return fromNanos;
        }

        @Override
        public void ended(Exchange exchange, SeenRequest seen) {
            if (!isSwitched(exchange)) {
                boolean _ = ended.offer(new Ended(exchange, seen, System.nanoTime()));
            }
        }

        @Override
        public void run() {
            while (!over) {
                LockSupport.parkNanos(this, everyNanos);
                lock.lock();
                try {
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
            List<Exchange> late = sight.begunBefore(System.nanoTime() - fromNanos / 4);
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
            for (Ended each = ended.poll(); each != null; each = ended.poll()) {
                explain(each);
            }
            Set<Exchange> there = new HashSet<>(late);
            watched.entrySet()
                    .removeIf(each -> each.getValue().isGone(there.contains(each.getKey())));
        }

        private void sample(Exchange exchange, Samples samples, Map<Long, String> owners) {
            long nanos = samples.size() < CLOSE_MAX ? everyNanos : everyNanos * SELDOM;
            Thread worker = exchange.worker();
            if (worker == null) {
                samples.apart(nanos);
                return;
            }
            About step = Steps.ongoing(worker);
            StackTraceElement[] stack = worker.getStackTrace();
            if (worker.equals(exchange.worker()) && stack.length > 0) {
                samples.add(nanos, worker, stack, step, threads, owners::get);
            }
        }

        private void explain(Ended one) {
            Samples samples = watched.remove(one.exchange);
            long begun = one.atNanos - one.seen.micros() * 1_000;
            Explanation why =
                    Explanation.of(one.seen, samples, collections.micros(begun, one.atNanos));
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
