package io.margay.transport.loop;

import io.margay.transport.LentTask;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which thread works on an [EventLoop], and the tasks that it runs though they may wait.
///
/// `driver` is that thread, and null while it runs a lent task: then no thread is the loop, and the
/// task uses connections as a worker's would. When the task has ended its thread takes the seat
/// again by one compare-and-set. A standby thread looks once a tick; when it finds the same task
/// still running it takes the seat by the same compare-and-set and works on the loop from then on,
/// and a new standby is made. The thread that has lost the seat runs its task to the end, and ends.
///
/// Confined to the driver, but for what is volatile or atomic and for [#isDriver], [#isAway],
/// [#hurry], [#renew] and [#end]. The seat's compare-and-set hands the rest over.
final class LoopSeat {
    /// How often the standby looks; a loop stands still for two of them at most.
    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(800);

    /// After so many ticks without a lent task the standby sleeps until there is one.
    private static final int QUIET_TICKS_MAX = 64;

    /// Threads per loop that finish slow tasks; with so many, tasks are no longer lent.
    static final int AWAY_MAX = 64;

    private static final VarHandle DRIVER;

    static {
        try {
            DRIVER = MethodHandles.lookup().findVarHandle(LoopSeat.class, "driver", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable work;
    private final String name;
    private final Consumer<Throwable> onDeath;
    private final ArrayDeque<LentTask> lent = new ArrayDeque<>();
    private final AtomicInteger away = new AtomicInteger();

    private volatile @Nullable Thread driver;
    private volatile @Nullable Thread standby;
    private volatile boolean watched;
    private volatile boolean hurried;
    private volatile boolean renewDue;
    private volatile boolean ended;

    /// Counts lent tasks; written before `driver`, read after it.
    private long turn;

    private @Nullable LentTask running;
    private @Nullable Thread runner;

    /// @param work what the driver does: returns when the loop has ended or the seat is lost
    /// @param onDeath told why the standby has died: without it a slow task holds up the loop
    LoopSeat(String name, Runnable work, Consumer<Throwable> onDeath) {
        this.name = name;
        this.onDeath = onDeath;
        this.work = work;
    }

    void start() {
        begin(new Thread(work, name));
    }

    private void begin(Thread thread) {
        thread.setDaemon(true);
        driver = thread;
        thread.start();
    }

    @SuppressWarnings("ReferenceEquality") // threads have identity
    boolean isDriver() {
        return Thread.currentThread() == driver;
    }

    boolean hasLent() {
        return !lent.isEmpty();
    }

    /// Takes a task to be run by [#runLent]. Driver.
    ///
    /// @return false when no thread can stand by
    boolean lend(LentTask task) {
        if (away.get() >= AWAY_MAX || (standby == null && !makeStandby())) {
            return false;
        }
        lent.add(task);
        return true;
    }

    /// Runs the lent tasks. Driver, with nothing of the loop on its stack.
    ///
    /// @return false when the caller has lost the seat
    boolean runLent() {
        for (LentTask next = lent.poll(); next != null; next = lent.poll()) {
            if (!run(next)) {
                return false;
            }
        }
        return true;
    }

    private boolean run(LentTask task) {
        Thread me = Thread.currentThread();
        running = task;
        runner = me;
        turn++;
        driver = null;
        if (!watched) {
            watched = true;
            LockSupport.unpark(standby);
        }
        try {
            task.run();
        } catch (Throwable e) {
            SteadyLog.log(Level.ERROR, "a task failed", e);
        } finally {
            Thread.interrupted();
        }
        if (DRIVER.compareAndSet(this, null, me)) {
            running = null;
            if (hurried) {
                hurried = false;
            }
            return true;
        }
        away.decrementAndGet();
        return false;
    }

    /// The calling thread is about to wait; if it runs a lent task, its loop need not find out.
    @SuppressWarnings("ReferenceEquality") // threads have identity
    void hurry() {
        if (driver == null && runner == Thread.currentThread()) {
            hurried = true;
            LockSupport.unpark(standby);
        }
    }

    /// Lets the threads end on which lent tasks have run. The loop is to be woken.
    void renew() {
        renewDue = standby != null;
    }

    /// Passes the seat to a new thread if that is due. Driver.
    ///
    /// @return whether it did: the caller has no seat any more
    boolean passOn() {
        if (!renewDue) {
            return false;
        }
        renewDue = false;
        try {
            begin(new Thread(work, name));
        } catch (OutOfMemoryError e) {
            driver = Thread.currentThread();
            return false;
        }
        return true;
    }

    /// The loop ends: what has been lent and not begun runs elsewhere.
    void end() {
        ended = true;
        LockSupport.unpark(standby);
        for (LentTask next = lent.poll(); next != null; next = lent.poll()) {
            Thread _ = Thread.ofVirtual().name("margay-turn").start(next);
        }
    }

    private boolean makeStandby() {
        Thread made =
                new Thread(
                        () -> {
                            try {
                                standBy();
                            } catch (Throwable e) {
                                onDeath.accept(e);
                            }
                        },
                        name + "-standby");
        made.setDaemon(true);
        standby = made;
        try {
            made.start();
            return true;
        } catch (OutOfMemoryError e) {
            standby = null;
            return false;
        }
    }

    // The standby thread

    private void standBy() {
        long seen = -1;
        int quiet = 0;
        while (!ended) {
            if (watched) {
                LockSupport.parkNanos(this, TICK_NANOS);
            } else {
                LockSupport.park(this);
            }
            boolean free = driver == null;
            long now = turn;
            if (free && (now == seen || hurried)) {
                if (DRIVER.compareAndSet(this, null, Thread.currentThread())) {
                    takeOver();
                    return;
                }
            }
            quiet = !free && now == seen ? quiet + 1 : 0;
            seen = now;
            if (quiet > QUIET_TICKS_MAX) {
                quiet = 0;
                watched = false;
                if (driver == null || turn != seen) {
                    watched = true;
                }
            }
        }
    }

    private void takeOver() {
        hurried = false;
        Thread former = runner;
        LentTask slow = running;
        running = null;
        away.incrementAndGet();
        Thread.currentThread().setName(name);
        if (former != null) {
            former.setName(name + "-slow");
        }
        boolean _ = makeStandby();
        if (slow != null) {
            try {
                slow.overrun();
            } catch (RuntimeException e) {
                SteadyLog.log(Level.ERROR, "a task failed", e);
            }
        }
        work.run();
    }
}
