package io.margay.transport.loop;

import io.margay.transport.Dialer;
import io.margay.transport.LentTask;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A thread that waits for events of many connections and delivers them.
///
/// Confined to its thread, but for [#post], [#execute], [#wake], [#stop], [#renew] and
/// [#connectionCount]. Which thread that is can change while a lent task runs ([LoopSeat]).
public abstract class EventLoop {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// What steps that compute may take of one turn; the last of them may go beyond by its own
    /// length. With steps below a millisecond no event waits for them for two.
    static final long STEPS_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    /// Steps that wait for a turn.
    static final int STEPS_WAITING_MAX = 64;

    protected final LongSupplier clock;
    private final DeadlineWheel wheel;
    private final TaskQueue tasks = new TaskQueue();
    private final ArrayDeque<Runnable> steps = new ArrayDeque<>();
    private final Object endLock = new Object();
    private volatile @Nullable LoopSeat seat;
    private volatile @Nullable Thread pumping;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean sleeping;
    private volatile boolean stopped;
    private volatile boolean ended;
    private volatile int connectionCount;
    private LoopConnection[] connections = new LoopConnection[64];
    private long nextWarningNanos;

    protected EventLoop(LongSupplier clock) {
        this.clock = clock;
        this.wheel = new DeadlineWheel(clock.getAsLong());
        this.nextWarningNanos = clock.getAsLong();
    }

    /// Waits for events and delivers them. Calls [#awake] as soon as the wait is over.
    ///
    /// @param timeoutNanos how long to wait: 0 = not, negative = until an event or [#wake]
    protected abstract void poll(long timeoutNanos) throws IOException;

    /// Ends the wait in [#poll]. Any thread.
    protected abstract void interruptPoll();

    /// Frees what the loop holds, at its end.
    protected abstract void dispose();

    /// Opens connections on this loop.
    public abstract Dialer dialer();

    /// Starts the loop on a thread of its own.
    public final void start(String name) {
        LoopSeat made = new LoopSeat(name, this::run);
        seat = made;
        made.start();
    }

    /// Whether the caller is this loop.
    @SuppressWarnings("ReferenceEquality") // threads have identity
    public final boolean inLoop() {
        LoopSeat s = seat;
        return s != null ? s.isDriver() : Thread.currentThread() == pumping;
    }

    /// Has the loop run a task that may wait, after the events of this round; on the loop.
    ///
    /// @return false when it does not: the task needs another thread
    final boolean lend(LentTask task) {
        LoopSeat s = seat;
        return s != null && s.lend(task);
    }

    /// Runs a step that computes, after the events of this round or of a later one; on the loop.
    ///
    /// @return false when too many wait
    final boolean compute(Runnable step) {
        if (steps.size() >= STEPS_WAITING_MAX) {
            return false;
        }
        steps.add(step);
        return true;
    }

    /// The caller is about to wait, perhaps in a lent task.
    final void aboutToWait() {
        LoopSeat s = seat;
        if (s != null) {
            s.hurry();
        }
    }

    /// Lets the threads end on which lent tasks have run, and others go on in their place.
    public final void renew() {
        LoopSeat s = seat;
        if (s != null) {
            s.renew();
            wake();
        }
    }

    /// Runs a task on the loop, after what runs now. What it throws is logged.
    public final void execute(Runnable task) {
        post(new TaskQueue.Node(task));
    }

    final void post(TaskQueue.Node node) {
        tasks.push(node);
        if (sleeping && !inLoop()) {
            wake();
        }
        if (ended) {
            drainAfterEnd();
        }
    }

    /// Ends the loop; its connections are closed. Returns at once.
    public final void stop() {
        stopped = true;
        wake();
    }

    /// Waits for the end of the loop's thread, at most this long.
    public final void join(long millis) throws InterruptedException {
        if (seat != null && !inLoop()) {
            boolean _ = done.await(millis, TimeUnit.MILLISECONDS);
        }
    }

    /// Open connections of this loop; a value of the recent past on other threads.
    public final int connectionCount() {
        return connectionCount;
    }

    /// To be called by [#poll] once its wait is over, so that posts no longer wake.
    protected final void awake() {
        if (sleeping) {
            sleeping = false;
        }
    }

    private void wake() {
        sleeping = false;
        interruptPoll();
    }

    private void run() {
        int failures = 0;
        LoopSeat own = seat;
        while (!stopped) {
            try {
                turn(true);
                if (own != null && (!own.runLent() || own.passOn())) {
                    return;
                }
                failures = 0;
            } catch (IOException | RuntimeException | Error e) {
                SteadyLog.log(Level.ERROR, "event loop failed, going on", e);
                if (++failures > 100) {
                    SteadyLog.log(Level.ERROR, "event loop ends after 100 failures in a row", e);
                    break;
                }
            }
        }
        end();
    }

    /// One turn: tasks, events, deadlines, steps that compute.
    ///
    /// @param mayWait whether to wait when there is nothing to do
    /// @return whether a task ran
    protected final boolean turn(boolean mayWait) throws IOException {
        boolean ran = runTasks();
        long timeout = 0;
        if (mayWait && tasks.isEmpty() && steps.isEmpty() && !isLending()) {
            timeout = wheel.delayNanos(clock.getAsLong());
            sleeping = true;
            if (!tasks.isEmpty() || stopped) {
                timeout = 0;
            }
        }
        try {
            poll(timeout);
        } finally {
            awake();
        }
        wheel.expire(clock.getAsLong());
        if (!steps.isEmpty()) {
            runSteps();
        }
        return ran;
    }

    /// Runs steps in the order in which they came, as long as there is time for them.
    private void runSteps() {
        long begun = clock.getAsLong();
        do {
            Runnable step = steps.remove();
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                SteadyLog.log(Level.ERROR, "a step on an event loop failed", e);
            }
        } while (!steps.isEmpty() && clock.getAsLong() - begun < STEPS_NANOS_MAX);
    }

    private boolean isLending() {
        LoopSeat s = seat;
        return s != null && s.hasLent();
    }

    /// Makes the calling thread the loop's thread for [#turn] (memory transport).
    protected final void adoptThread(@Nullable Thread caller) {
        pumping = caller;
    }

    /// Whether tasks or steps wait.
    protected final boolean hasTasks() {
        return !tasks.isEmpty() || !steps.isEmpty();
    }

    private boolean runTasks() {
        TaskQueue.Node node = tasks.takeAll();
        boolean any = node != null;
        while (node != null) {
            TaskQueue.Node next = node.next;
            node.next = null;
            try {
                node.task.run();
            } catch (RuntimeException | Error e) {
                SteadyLog.log(Level.ERROR, "task on an event loop failed", e);
            }
            node = next;
        }
        return any;
    }

    /// Closes all connections, runs all tasks, and frees the loop.
    protected final void end() {
        synchronized (endLock) {
            for (int i = connectionCount - 1; i >= 0; i--) {
                connections[i].close();
            }
            steps.clear();
            runTasks();
            ended = true;
            runTasks();
        }
        LoopSeat own = seat;
        if (own != null) {
            own.end();
        }
        dispose();
        done.countDown();
    }

    /// Tasks posted after the end run on the poster's thread, one poster at a time.
    private void drainAfterEnd() {
        synchronized (endLock) {
            runTasks();
        }
    }

    /// A timer of this loop.
    final Dialer.Timer timer(Runnable action) {
        DeadlineWheel.Entry entry = new DeadlineWheel.Entry(action);
        return nanoTime -> {
            if (entry.move(nanoTime)) {
                schedule(entry);
            }
        };
    }

    final void schedule(DeadlineWheel.Entry entry) {
        wheel.schedule(entry, clock.getAsLong());
    }

    final void cancel(DeadlineWheel.Entry entry) {
        wheel.cancel(entry);
    }

    final void add(LoopConnection connection) {
        int count = connectionCount;
        if (count == connections.length) {
            connections = Arrays.copyOf(connections, count * 2);
        }
        connections[count] = connection;
        connection.index = count;
        setCount(count + 1);
    }

    final void remove(LoopConnection connection) {
        int last = connectionCount - 1;
        LoopConnection moved = connections[last];
        connections[connection.index] = moved;
        moved.index = connection.index;
        connections = clear(connections, last);
        setCount(last);
    }

    final void closeConnectionsOf(LoopListener listener) {
        for (int i = connectionCount - 1; i >= 0; i--) {
            if (connections[i].belongsTo(listener)) {
                connections[i].close();
            }
        }
    }

    /// Logs what a handler threw: failures of I/O for debugging, faults at a bounded rate.
    final void logFailure(LoopConnection connection, Throwable failure) {
        if (failure instanceof IOException) {
            LOG.log(Level.DEBUG, () -> "connection " + connection.id() + ": " + failure);
            return;
        }
        long now = clock.getAsLong();
        if (now - nextWarningNanos >= 0) {
            nextWarningNanos = now + WARN_EVERY_NANOS;
            SteadyLog.log(
                    Level.WARNING, "handler of connection " + connection.id() + " failed", failure);
        }
    }

    @SuppressWarnings("NullAway") // slots behind the count are empty
    private static LoopConnection[] clear(LoopConnection[] array, int at) {
        array[at] = null;
        return array;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void setCount(int count) {
        connectionCount = count;
    }
}
