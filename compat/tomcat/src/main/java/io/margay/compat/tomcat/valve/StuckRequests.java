package io.margay.compat.tomcat.valve;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The requests that threads of an application work on now, and which of them take suspiciously
/// long. Thread-safe: workers enter and leave, one watcher looks.
final class StuckRequests {
    private static final System.Logger LOG = System.getLogger(StuckRequests.class.getName());

    /// Stacks that one look writes at most: a server of which all threads wait for one database
    /// shall not spend itself on saying so.
    private static final int STACKS_MAX = 10;

    private final long thresholdNanos;
    private final long interruptNanos;
    private final LongSupplier clock;
    private final Set<Work> inFlight = ConcurrentHashMap.newKeySet();

    /// @param thresholdNanos after which a request is told
    /// @param interruptNanos after which its thread is interrupted, once; 0 = never
    /// @param clock `System.nanoTime()`
    StuckRequests(long thresholdNanos, long interruptNanos, LongSupplier clock) {
        this.thresholdNanos = thresholdNanos;
        this.interruptNanos = interruptNanos;
        this.clock = clock;
    }

    /// The calling thread begins to work on a request; [#leave] ends that.
    Work enter(String method, String path) {
        Work work = new Work(Thread.currentThread(), method, path, clock.getAsLong());
        inFlight.add(work);
        return work;
    }

    /// The calling thread has finished what it entered.
    void leave(Work work) {
        inFlight.remove(work);
        boolean interrupted = work.finish();
        if (work.told) {
            LOG.log(
                    Level.WARNING,
                    "{0} has finished after {1} s; it was reported as stuck{2}",
                    work,
                    work.seconds(clock.getAsLong()),
                    interrupted ? ", and its thread was interrupted" : "");
        }
    }

    /// How many requests have taken longer than the threshold by now.
    int stuck() {
        long now = clock.getAsLong();
        return (int)
                inFlight.stream().filter(work -> now - work.startNanos >= thresholdNanos).count();
    }

    /// Tells the requests that have become stuck, and interrupts what shall be.
    void look() {
        long now = clock.getAsLong();
        List<Work> fresh = new ArrayList<>();
        int stuck = 0;
        for (Work work : inFlight) {
            if (now - work.startNanos >= thresholdNanos) {
                stuck++;
                if (!work.told) {
                    fresh.add(work);
                }
            }
        }
        for (int i = 0; i < fresh.size(); i++) {
            StackTraceElement[] stack = fresh.get(i).tell();
            if (stack != null && i < STACKS_MAX) {
                tell(fresh.get(i), stack, stuck, now);
            }
        }
        if (fresh.size() > STACKS_MAX) {
            LOG.log(Level.WARNING, "{0} more requests are stuck", fresh.size() - STACKS_MAX);
        }
        if (interruptNanos > 0) {
            interrupt(now);
        }
    }

    private static void tell(Work work, StackTraceElement[] stack, int stuck, long now) {
        Throwable where = new Throwable("where thread " + work.thread.getName() + " is");
        where.setStackTrace(stack);
        LOG.log(
                Level.WARNING,
                work
                        + " may be stuck: thread "
                        + work.thread.getName()
                        + " has worked on it for "
                        + work.seconds(now)
                        + " s; requests of this application that may be: "
                        + stuck,
                where);
    }

    private void interrupt(long now) {
        for (Work work : inFlight) {
            if (now - work.startNanos >= interruptNanos && work.interrupt()) {
                LOG.log(
                        Level.WARNING,
                        "{0} has taken {1} s: its thread {2} is interrupted",
                        work,
                        work.seconds(now),
                        work.thread.getName());
            }
        }
    }

    /// A thread at work on a request. Guarded by itself.
    static final class Work {
        private final Thread thread;
        private final String method;
        private final String path;
        private final long startNanos;
        private volatile boolean told;
        private boolean interrupted;
        private boolean finished;

        private Work(Thread thread, String method, String path, long startNanos) {
            this.thread = thread;
            this.method = method;
            this.path = path;
            this.startNanos = startNanos;
        }

        /// Where the thread is; null when it goes on no more.
        private synchronized StackTraceElement @Nullable [] tell() {
            if (finished) {
                return null;
            }
            told = true;
            return thread.getStackTrace();
        }

        /// Interrupts the thread, once and only while it works on this request.
        private synchronized boolean interrupt() {
            boolean due = !finished && !interrupted;
            if (due) {
                interrupted = true;
                thread.interrupt();
            }
            return due;
        }

        /// Ends the work; what comes next on the thread is not interrupted by this any more.
        ///
        /// @return whether the thread was interrupted
        private synchronized boolean finish() {
            finished = true;
            if (interrupted) {
                boolean _ = Thread.interrupted();
            }
            return interrupted;
        }

        private long seconds(long now) {
            return TimeUnit.NANOSECONDS.toSeconds(now - startNanos);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }
}
