package io.margay.server.dispatch;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/// The `inline` policy: a task of a path that has been quick so far runs on its connection's loop,
/// without a hand-off; any other, and where there is no loop, goes to a pool. Thread-safe.
///
/// A path shows that it is quick in the pool ([QuickPaths]). One that has held up a loop stays away
/// for a second, and twice as long each time it does so again soon, up to a minute, and has to show
/// again that it is quick; once in [#FORGIVEN_AFTER] tasks is forgiven. So a slow servlet costs its
/// loop two ticks now and then. Where many different paths overrun, no task runs on a loop for a
/// second.
public final class InlineDispatcher implements Dispatcher {
    private static final System.Logger LOG = System.getLogger(InlineDispatcher.class.getName());

    private static final long PENALTY_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final long PENALTY_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    /// Tasks of a path after which it may hold up a loop once without going to the pool for it:
    /// what is so seldom is the collector's, or of a machine that others use, too.
    static final int FORGIVEN_AFTER = 5000;

    /// Loops that may be held up within a second before no task runs on a loop.
    private static final int OVERRUNS_MAX = 20;

    /// Tasks per second from which on a loop's own thread is the cheaper one: below, the thread
    /// that watches over it is woken more often than a worker would be.
    static final int OFTEN_PER_SECOND = 2500;

    private final Dispatcher pool;
    private final QuickPaths quick;
    private final int tasksMin;
    private final LongSupplier clock;
    private final long origin;

    /// Per place, until when its paths go to the pool, in nanoseconds since `origin`.
    private final AtomicLongArray until = new AtomicLongArray(QuickPaths.PLACES);

    /// Per place, the length of the last penalty.
    private final AtomicLongArray penalties = new AtomicLongArray(QuickPaths.PLACES);

    private volatile long allUntil;
    private long windowStart;
    private int overruns;

    /// @param pool runs what does not run on a loop; closed with this
    public InlineDispatcher(Dispatcher pool) {
        this(pool, QuickPaths.QUICK_MIN, OFTEN_PER_SECOND);
    }

    /// @param pool runs what does not run on a loop; closed with this
    /// @param quickMin quick tasks of a path after which it runs on loops, 0 to
    ///   [QuickPaths#QUICK_MIN]; 0 takes every path for quick
    /// @param tasksMin tasks per second that have to come to a loop before they run on it
    public InlineDispatcher(Dispatcher pool, int quickMin, int tasksMin) {
        this(pool, quickMin, tasksMin, System::nanoTime);
    }

    InlineDispatcher(Dispatcher pool, int quickMin, int tasksMin, LongSupplier clock) {
        this.pool = pool;
        this.tasksMin = tasksMin;
        quick = new QuickPaths(clock, quickMin, FORGIVEN_AFTER);
        this.clock = clock;
        origin = clock.getAsLong();
    }

    @Override
    public boolean runsOnLoop(String path) {
        int place = QuickPaths.place(path);
        if (!quick.isQuick(place)) {
            return false;
        }
        long slow = until.getPlain(place);
        if (slow == 0 && allUntil == 0) {
            return true;
        }
        long now = clock.getAsLong() - origin;
        return now >= slow && now >= allUntil;
    }

    @Override
    public int loopTasksMin() {
        return tasksMin;
    }

    @Override
    public QuickPaths quickPaths() {
        return quick;
    }

    @Override
    public void overran(String path) {
        int place = QuickPaths.place(path);
        long now = clock.getAsLong() - origin;
        count(now);
        if (quick.takeCount(place) >= FORGIVEN_AFTER) {
            return;
        }
        long before = penalties.get(place);
        boolean again = now - until.get(place) < 10 * before;
        long penalty =
                before == 0 || !again ? PENALTY_NANOS_MIN : Math.min(2 * before, PENALTY_NANOS_MAX);
        penalties.set(place, penalty);
        until.set(place, now + penalty);
        quick.forget(place);
        LOG.log(
                penalty == PENALTY_NANOS_MIN ? Level.DEBUG : Level.TRACE,
                "{0} held up a loop, and goes to the pool for {1} s",
                path,
                TimeUnit.NANOSECONDS.toSeconds(penalty));
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
