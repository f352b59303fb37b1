package io.margay.server.dispatch;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The `pool` policy: platform threads that take tasks from one bounded queue. Thread-safe; what
/// idles and how many threads exist is guarded by `idle`.
///
/// **Wake-ups are throttled.** At most one worker is on its way from sleep to the queue at a time;
/// it holds the token `searching`. Who submits while the token is held wakes nobody: the worker on
/// its way will see the task. When that worker takes a task and sees more, it passes the token on
/// by waking the next one. So a burst of tasks costs one or two wake-ups as long as tasks are
/// short, and yet each task that blocks leaves a successor behind. The worker that slept last is
/// woken first, while its stack is still in the cache.
///
/// **Where the system starts no thread** (its limit of tasks is reached), tasks are run by virtual
/// threads, which share those that there are; it is asked again after [#REFUSED_NANOS]. Where it
/// has none for these either, and no worker exists, a task is refused.
public final class WorkerPool implements Dispatcher {
    private static final System.Logger LOG = System.getLogger(WorkerPool.class.getName());

    /// A system that has refused a thread is not asked for another so soon, nor complained of.
    static final long REFUSED_NANOS = 10_000_000_000L;

    private final WorkerLimits limits;
    private final LongSupplier nanos;
    private final Consumer<Thread> starter;
    private final TaskQueue queue;
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private final AtomicBoolean searching = new AtomicBoolean();
    private final AtomicInteger active = new AtomicInteger();
    private int threads;
    private int named;
    private final VirtualDispatcher patient;
    private volatile boolean closed;

    /// Whether the system has refused the last thread.
    private volatile boolean lacking;

    /// Until when it is not asked again; guarded by `idle`.
    private long refusedUntilNanos;

    /// Virtual threads that have been started for a task and have not looked for it yet.
    private final AtomicInteger standInsComing = new AtomicInteger();

    /// Workers of an earlier one end when they have nothing to do.
    private final AtomicInteger generation = new AtomicInteger();

    public WorkerPool(WorkerLimits limits) {
        this(limits, System::nanoTime, Thread::start, new VirtualDispatcher(limits.queuedMax()));
    }

    /// @param starter starts a thread, or throws an `OutOfMemoryError`
    WorkerPool(
            WorkerLimits limits,
            LongSupplier nanos,
            Consumer<Thread> starter,
            VirtualDispatcher patient) {
        this.nanos = nanos;
        this.starter = starter;
        this.limits = limits;
        this.patient = patient;
        queue = new TaskQueue(limits.queuedMax());
    }

    @Override
    public boolean submit(Runnable task) {
        if (closed || !queue.offer(task)) {
            return false;
        }
        return wakeOne() || !isTakenBack(task);
    }

    /// Takes a task out of the queue that nobody would look for.
    @SuppressWarnings("ReferenceEquality") // it is the very task
    private boolean isTakenBack(Runnable task) {
        Runnable oldest = queue.poll();
        if (oldest != null && oldest != task) {
            boolean _ = queue.offer(oldest);
        }
        return oldest == task;
    }

    /// Half of the threads are for tasks that do not wait for clients: beyond that the others run
    /// on virtual threads, which cost little while they wait.
    @Override
    public boolean submitStalling(Runnable task) {
        boolean spare = 2 * (active.get() + queue.size()) < limits.threadsMax();
        return spare ? submit(task) : patient.submit(task);
    }

    /// Sends one more worker to the queue, unless one is on its way already or all are busy.
    ///
    /// @return false if nobody will look at the queue
    private boolean wakeOne() {
        while (!searching.get() && searching.compareAndSet(false, true)) {
            if (sendOne()) {
                return true;
            }
            searching.set(false);
            // One that lay down meanwhile saw the token taken, and left the task to its holder.
            if (queue.isEmpty() || !isAnyIdle()) {
                break;
            }
        }
        return !lacking || areStandInsSent() || threads() > 0 || patient.active() > 0;
    }

    /// A task must not wait for a thread that may never come: all may be busy for long, or none
    /// exist.
    private boolean areStandInsSent() {
        while (standInsComing.get() < queue.size()) {
            standInsComing.incrementAndGet();
            if (!patient.submit(this::standIn)) {
                standInsComing.decrementAndGet();
                return false;
            }
        }
        return true;
    }

    private void standIn() {
        Runnable task = queue.poll();
        standInsComing.decrementAndGet();
        while (task != null) {
            run(task);
            task = queue.poll();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    /// A thread that dies of a report that finds no memory would count for ever.
    private static void report(Throwable failure) {
        try {
            LOG.log(Level.ERROR, "a dispatched task failed", failure);
        } catch (RuntimeException | Error e) {
            // There is nobody left to tell.
        }
    }

    private boolean isAnyIdle() {
        synchronized (idle) {
            return !idle.isEmpty();
        }
    }

    /// Passes the token to a worker that idles or is new; false when there is none.
    private boolean sendOne() {
        Worker worker;
        boolean isNew = false;
        synchronized (idle) {
            worker = idle.pollFirst();
            if (worker == null && threads < limits.threadsMax() && mayStart()) {
                threads++;
                named++;
                worker = new Worker(named);
                isNew = true;
            }
        }
        if (worker == null) {
            return false;
        }
        if (isNew) {
            return isStarted(worker);
        }
        worker.woken = true;
        LockSupport.unpark(worker.thread);
        return true;
    }

    private boolean mayStart() {
        return !lacking || nanos.getAsLong() - refusedUntilNanos >= 0;
    }

    private boolean isStarted(Worker worker) {
        try {
            starter.accept(worker.thread);
            lacking = false;
            return true;
        } catch (OutOfMemoryError e) {
            int left;
            synchronized (idle) {
                threads--;
                left = threads;
                refusedUntilNanos = nanos.getAsLong() + REFUSED_NANOS;
                lacking = true;
            }
            LOG.log(
                    Level.WARNING,
                    "the system starts no further thread ({0}): beside {1} workers, virtual"
                            + " threads take requests",
                    e.getMessage(),
                    left);
            return false;
        }
    }

    @Override
    public int threads() {
        synchronized (idle) {
            return threads;
        }
    }

    /// Lets every thread end, and others take their places when there is work.
    @Override
    public void renew() {
        synchronized (idle) {
            generation.incrementAndGet();
            for (Worker worker : idle) {
                LockSupport.unpark(worker.thread);
            }
        }
    }

    @Override
    public int active() {
        return active.get() + patient.active();
    }

    @Override
    public int queued() {
        return queue.size();
    }

    @Override
    public void close() {
        closed = true;
        patient.close();
        synchronized (idle) {
            for (Worker worker : idle) {
                LockSupport.unpark(worker.thread);
            }
        }
    }

    /// One thread; its fields but `woken` are confined to it.
    private final class Worker implements Runnable {
        final Thread thread;
        volatile boolean woken;
        private boolean searches = true;
        private final int born = generation.get();

        Worker(int number) {
            thread = new Thread(this, "margay-worker-" + number);
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                Runnable task = queue.poll();
                if (task != null) {
                    work(task);
                } else if (!standDown() && !sleep()) {
                    return;
                }
            }
        }

        private void work(Runnable task) {
            if (searches) {
                searches = false;
                searching.set(false);
            }
            if (!queue.isEmpty()) {
                wakeOne();
            }
            active.incrementAndGet();
            try {
                WorkerPool.run(task);
            } finally {
                active.decrementAndGet();
                Thread.interrupted();
            }
        }

        /// Gives the token back; true when work came meanwhile, so that searching goes on.
        private boolean standDown() {
            if (!searches) {
                return false;
            }
            searches = false;
            searching.set(false);
            return resume();
        }

        private boolean resume() {
            if (!queue.isEmpty() && searching.compareAndSet(false, true)) {
                searches = true;
            }
            return searches;
        }

        /// Sleeps until woken with the token; false when this thread shall end.
        private boolean sleep() {
            woken = false;
            if (!lieDown()) {
                // Who submitted meanwhile may have taken this thread for one that would look.
                if (!queue.isEmpty()) {
                    wakeOne();
                }
                return false;
            }
            if (resume()) {
                return awake();
            }
            long deadline = nanos.getAsLong() + limits.idleTimeout().toNanos();
            while (!woken) {
                LockSupport.parkNanos(this, Math.max(1, deadline - nanos.getAsLong()));
                boolean surplus = closed || isOutdated() || deadline - nanos.getAsLong() <= 0;
                if (!woken && surplus && retire()) {
                    return false;
                }
                if (deadline - nanos.getAsLong() <= 0) {
                    deadline = nanos.getAsLong() + limits.idleTimeout().toNanos();
                }
            }
            searches = true;
            return true;
        }

        private boolean isOutdated() {
            return born != generation.get();
        }

        /// Joins the idle ones; false when this thread has been counted out instead.
        private boolean lieDown() {
            synchronized (idle) {
                if (isOutdated() || (closed && queue.isEmpty())) {
                    threads--;
                    return false;
                }
                idle.addFirst(this);
                return true;
            }
        }

        /// This worker holds the token while it stands among the idle ones: it leaves them. When
        /// somebody has woken it at the same time, there cannot be a second token.
        private boolean awake() {
            synchronized (idle) {
                boolean _ = idle.remove(this);
            }
            return true;
        }

        private boolean retire() {
            synchronized (idle) {
                boolean surplus = closed || isOutdated() || threads > limits.threadsKept();
                if (!surplus || !idle.remove(this)) {
                    return false;
                }
                threads--;
                return true;
            }
        }
    }
}
