package io.margay.transport.loop;

import io.margay.transport.LeaderTask;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which thread works on an [EventLoop], and the tasks that it runs though they may wait: the
/// pattern of leader and followers.
///
/// `leader` is that thread, and null while it runs a task: then no thread is the loop, and the task
/// uses connections as a worker's would. When the task has ended its thread becomes the leader
/// again by one compare-and-set. A follower looks once a tick; when it finds the same task still
/// running it becomes the leader by the same compare-and-set and works on the loop from then on,
/// and a new follower is made. The former leader runs its task to the end, and ends.
///
/// A leader that has not been let run since the last look, as where others use its processor, too,
/// is no slow task: where the system tells ([ThreadTimes]), the follower leaves the loop to it.
///
/// Confined to the leader, but for what is volatile or atomic and for [#isLeader], [#isAway],
/// [#promote], [#renew] and [#end]. The compare-and-set hands the rest over.
final class LeaderFollowers {
    /// How often the follower looks; a loop stands still for two of them at most.
    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(800);

    /// A follower that looks so much after its last look has stood still itself, as all threads do
    /// for the collector: it looks once more before it judges.
    private static final long LATE_NANOS = 2 * TICK_NANOS;

    /// After so many ticks without a task the follower sleeps until there is one.
    private static final int QUIET_TICKS_MAX = 64;

    /// A task that has had so much of a processor between two looks was not only kept from it.
    private static final long WORKED_NANOS = TICK_NANOS / 8;

    /// Looks in a row at a task that waits for a processor before the loop is taken over.
    private static final int PATIENCE = 25;

    /// Threads per loop that finish slow tasks; with so many, tasks are no longer taken.
    static final int AWAY_MAX = 64;

    /// Tasks that wait in a row, each for those before it; others are not taken, so that other
    /// processors have their part of a burst.
    static final int ROW_MAX = 64;

    /// The same with one processor: there is no other, and a hand-off only costs.
    static final int ROW_MAX_ALONE = 1024;

    static int rowMax(int processors) {
        return processors > 1 ? ROW_MAX : ROW_MAX_ALONE;
    }

    private static final VarHandle LEADER;

    static {
        try {
            LEADER =
                    MethodHandles.lookup()
                            .findVarHandle(LeaderFollowers.class, "leader", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable work;
    private final String name;
    private final Consumer<Throwable> onDeath;
    private final @Nullable ThreadTimes times;
    private final ArrayDeque<LeaderTask> tasks = new ArrayDeque<>();
    private final AtomicInteger away = new AtomicInteger();

    private final int rowMax = rowMax(Runtime.getRuntime().availableProcessors());
    private volatile @Nullable Thread leader;
    private volatile @Nullable Thread follower;
    private volatile boolean watched;
    private volatile boolean promoted;
    private volatile boolean renewDue;
    private volatile boolean ended;

    /// Counts tasks; written before `leader`, read after it.
    private long count;

    private @Nullable LeaderTask running;
    private @Nullable Worker runner;

    /// A thread that leads, or will.
    private static final class Worker extends Thread {
        /// What the system calls it, 0 = unknown; negative until its first task.
        int number = -1;

        Worker(Runnable work, String name) {
            super(work, name);
        }
    }

    /// @param work what the leader does: returns when the loop has ended or another thread leads
    /// @param onDeath told why the follower has died: without it a slow task holds up the loop
    /// @param times null = nothing is known of threads
    LeaderFollowers(
            String name, Runnable work, Consumer<Throwable> onDeath, @Nullable ThreadTimes times) {
        this.name = name;
        this.onDeath = onDeath;
        this.work = work;
        this.times = times;
    }

    void start() {
        begin(new Worker(work, name));
    }

    private void begin(Thread thread) {
        thread.setDaemon(true);
        leader = thread;
        thread.start();
    }

    @SuppressWarnings("ReferenceEquality") // threads have identity
    boolean isLeader() {
        return Thread.currentThread() == leader;
    }

    @Nullable Thread leader() {
        return leader;
    }

    boolean hasTasks() {
        return !tasks.isEmpty();
    }

    /// Takes a task to be run by [#runTasks]. Leader.
    ///
    /// @return false when no thread can stand by, or many tasks wait
    boolean add(LeaderTask task) {
        if (tasks.size() >= rowMax
                || away.get() >= AWAY_MAX
                || (follower == null && !makeFollower())) {
            return false;
        }
        tasks.add(task);
        return true;
    }

    /// Runs the tasks. Leader, with nothing of the loop on its stack.
    ///
    /// @return false when another thread leads now
    boolean runTasks() {
        for (LeaderTask next = tasks.poll(); next != null; next = tasks.poll()) {
            if (!run(next)) {
                return false;
            }
        }
        return true;
    }

    private boolean run(LeaderTask task) {
        Worker me = (Worker) Thread.currentThread();
        if (me.number < 0) {
            me.number = times == null ? 0 : times.number();
        }
        running = task;
        runner = me;
        count++;
        leader = null;
        if (!watched) {
            watched = true;
            LockSupport.unpark(follower);
        }
        try {
            task.run();
        } catch (Throwable e) {
            SteadyLog.log(Level.ERROR, "a task failed", e);
        } finally {
            Thread.interrupted();
        }
        if (LEADER.compareAndSet(this, null, me)) {
            running = null;
            if (promoted) {
                promoted = false;
            }
            return true;
        }
        away.decrementAndGet();
        return false;
    }

    /// The calling thread is about to wait; if it runs a task, its loop need not find out.
    @SuppressWarnings("ReferenceEquality") // threads have identity
    void promote() {
        if (leader == null && runner == Thread.currentThread()) {
            promoted = true;
            LockSupport.unpark(follower);
        }
    }

    /// Lets the threads end on which tasks have run. The loop is to be woken.
    void renew() {
        renewDue = follower != null;
    }

    /// Has a new thread lead if that is due. Leader.
    ///
    /// @return whether it did: the caller leads no more
    boolean passOn() {
        if (!renewDue) {
            return false;
        }
        renewDue = false;
        try {
            begin(new Worker(work, name));
        } catch (OutOfMemoryError e) {
            leader = Thread.currentThread();
            return false;
        }
        return true;
    }

    /// The loop ends: what waits and has not begun runs elsewhere.
    void end() {
        ended = true;
        LockSupport.unpark(follower);
        for (LeaderTask next = tasks.poll(); next != null; next = tasks.poll()) {
            Thread _ = Thread.ofVirtual().name("margay-task").start(next);
        }
    }

    private boolean makeFollower() {
        Thread made =
                new Worker(
                        () -> {
                            try {
                                follow();
                            } catch (Throwable e) {
                                onDeath.accept(e);
                            }
                        },
                        name + "-follower");
        made.setDaemon(true);
        follower = made;
        try {
            made.start();
            return true;
        } catch (OutOfMemoryError e) {
            follower = null;
            return false;
        }
    }

    // The follower thread

    private void follow() {
        Looks looks = new Looks();
        int quiet = 0;
        while (!ended) {
            if (watched) {
                LockSupport.parkNanos(this, TICK_NANOS);
            } else {
                LockSupport.park(this);
            }
            boolean free = leader == null;
            long now = count;
            boolean same = now == looks.seen;
            if (looks.findHeldUp(free, now)
                    && LEADER.compareAndSet(this, null, Thread.currentThread())) {
                takeOver();
                return;
            }
            quiet = !free && same ? quiet + 1 : 0;
            if (quiet > QUIET_TICKS_MAX) {
                quiet = 0;
                watched = false;
                if (leader == null || count != looks.seen) {
                    watched = true;
                }
            }
        }
    }

    /// What one follower has seen. Confined to it.
    private final class Looks {
        /// The number of tasks.
        long seen = -1;

        private long doubted = -1;
        private long looked = System.nanoTime();

        /// What the thread of the task had worked when the task was first seen; -1 = unknown.
        private long worked = -1;

        private int patience;

        /// Looks once more.
        ///
        /// @param free whether a task runs
        /// @param now the number of tasks
        /// @return whether the loop is held up by one
        boolean findHeldUp(boolean free, long now) {
            long time = System.nanoTime();
            boolean late = time - looked > LATE_NANOS;
            boolean same = now == seen;
            looked = time;
            seen = now;
            if (!free || promoted) {
                return free;
            }
            if (!same) {
                worked = workedNanos();
                patience = PATIENCE;
                return false;
            }
            if (late && now != doubted) {
                doubted = now;
                return false;
            }
            return patience-- <= 0 || !waitsForProcessor();
        }

        private boolean waitsForProcessor() {
            Worker of = runner;
            return worked >= 0
                    && times != null
                    && of != null
                    && workedNanos() - worked < WORKED_NANOS
                    && times.isRunnable(of.number);
        }

        private long workedNanos() {
            Worker of = runner;
            return times == null || of == null || of.number <= 0
                    ? -1
                    : times.workedNanos(of, of.number);
        }
    }

    private void takeOver() {
        promoted = false;
        Thread former = runner;
        LeaderTask slow = running;
        running = null;
        away.incrementAndGet();
        Thread.currentThread().setName(name);
        if (former != null) {
            former.setName(name + "-slow");
        }
        boolean _ = makeFollower();
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
