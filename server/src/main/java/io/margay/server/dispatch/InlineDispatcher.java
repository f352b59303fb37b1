package io.margay.server.dispatch;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/// The `inline` policy: a task runs on its connection's loop, without a hand-off, unless its path
/// has held up a loop of late; then, and where there is no loop, it goes to a pool. Thread-safe.
///
/// Paths are remembered by their hash in a table of fixed size: two that share a place share the
/// pool, too. A path that has held up a loop stays away for a second, and twice as long each time
/// it does so again soon, up to a minute. So a slow servlet costs its loop two ticks now and then.
/// Where many different paths overrun, no task runs on a loop for a second.
public final class InlineDispatcher implements Dispatcher {
    private static final System.Logger LOG = System.getLogger(InlineDispatcher.class.getName());

    /// Paths told apart, a power of two.
    private static final int PLACES = 4096;

    private static final long PENALTY_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final long PENALTY_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    /// Loops that may be held up within a second before no task runs on a loop.
    private static final int OVERRUNS_MAX = 20;

    private final Dispatcher pool;
    private final LongSupplier clock;
    private final long origin;

    /// Per place, until when its paths go to the pool, in nanoseconds since `origin`.
    private final AtomicLongArray until = new AtomicLongArray(PLACES);

    /// Per place, the length of the last penalty.
    private final AtomicLongArray penalties = new AtomicLongArray(PLACES);

    private volatile long allUntil;
    private long windowStart;
    private int overruns;

    /// @param pool runs what does not run on a loop; closed with this
    public InlineDispatcher(Dispatcher pool) {
        this(pool, System::nanoTime);
    }

    InlineDispatcher(Dispatcher pool, LongSupplier clock) {
        this.pool = pool;
        this.clock = clock;
        origin = clock.getAsLong();
    }

    @Override
    public boolean runsOnLoop(String path) {
        long slow = until.getPlain(place(path));
        if (slow == 0 && allUntil == 0) {
            return true;
        }
        long now = clock.getAsLong() - origin;
        return now >= slow && now >= allUntil;
    }

    private static int place(String path) {
        int hash = path.hashCode();
        return (hash ^ hash >>> 16) & (PLACES - 1);
    }

    @Override
    public void overran(String path) {
        int place = place(path);
        long now = clock.getAsLong() - origin;
        long before = penalties.get(place);
        boolean again = now - until.get(place) < 10 * before;
        long penalty =
                before == 0 || !again ? PENALTY_NANOS_MIN : Math.min(2 * before, PENALTY_NANOS_MAX);
        penalties.set(place, penalty);
        until.set(place, now + penalty);
        LOG.log(
                penalty == PENALTY_NANOS_MIN ? Level.DEBUG : Level.TRACE,
                "{0} held up a loop, and goes to the pool for {1} s",
                path,
                TimeUnit.NANOSECONDS.toSeconds(penalty));
        count(now);
    }

    private synchronized void count(long now) {
        if (now - windowStart > PENALTY_NANOS_MIN) {
            windowStart = now;
            overruns = 0;
        }
        overruns++;
        if (overruns > OVERRUNS_MAX) {
            allUntil = now + PENALTY_NANOS_MIN;
        }
    }

    @Override
    public boolean submit(Runnable task) {
        return pool.submit(task);
    }

    @Override
    public boolean submitStalling(Runnable task) {
        return pool.submitStalling(task);
    }

    @Override
    public void renew() {
        pool.renew();
    }

    @Override
    public int active() {
        return pool.active();
    }

    @Override
    public int threads() {
        return pool.threads();
    }

    @Override
    public int queued() {
        return pool.queued();
    }

    @Override
    public void close() {
        pool.close();
    }
}
