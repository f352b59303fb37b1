package io.margay.server.dispatch;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
public final class WorkerPool implements Dispatcher {
    private static final System.Logger LOG = System.getLogger(WorkerPool.class.getName());

    private final WorkerLimits limits;
    private final LongSupplier nanos;
    private final TaskQueue queue;
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private final AtomicBoolean searching = new AtomicBoolean();
    private final AtomicInteger active = new AtomicInteger();
    private int threads;
    private int named;
    private final VirtualDispatcher patient;
    private volatile boolean closed;

    /// Workers of an earlier one end when they have nothing to do.
    private final AtomicInteger generation = new AtomicInteger();

    public WorkerPool(WorkerLimits limits) {
        this(limits, System::nanoTime);
    }

    WorkerPool(WorkerLimits limits, LongSupplier nanos) {
        this.nanos = nanos;
        this.limits = limits;
        queue = new TaskQueue(limits.queuedMax());
        patient = new VirtualDispatcher(limits.queuedMax());
    }

    @Override
    public boolean submit(Runnable task) {
        if (closed || !queue.offer(task)) {
            return false;
        }
        wakeOne();
        return true;
    }

    /// Half of the threads are for tasks that do not wait for clients: beyond that the others run
    /// on virtual threads, which cost little while they wait.
    @Override
    public boolean submitStalling(Runnable task) {
        boolean spare = 2 * (active.get() + queue.size()) < limits.threadsMax();
        return spare ? submit(task) : patient.submit(task);
    }

    /// Sends one more worker to the queue, unless one is on its way already or all are busy.
    private void wakeOne() {
        while (!searching.get() && searching.compareAndSet(false, true)) {
            if (sendOne()) {
                return;
            }
            searching.set(false);
            // One that lay down meanwhile saw the token taken, and left the task to its holder.
            if (queue.isEmpty() || !isAnyIdle()) {
                return;
            }
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
            if (worker == null && threads < limits.threadsMax()) {
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
            start(worker);
        } else {
            worker.woken = true;
            LockSupport.unpark(worker.thread);
        }
        return true;
    }

    private void start(Worker worker) {
        try {
            worker.thread.start();
        } catch (OutOfMemoryError e) {
            synchronized (idle) {
                threads--;
            }
            searching.set(false);
            LOG.log(Level.WARNING, "no memory for another worker thread; {0} exist", threads());
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
                task.run();
            } catch (Throwable e) {
                report(e);
            } finally {
                active.decrementAndGet();
                Thread.interrupted();
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
