package io.margay.transport.loop;

import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A thread that waits for events of many connections and delivers them.
///
/// Confined to its thread, but for [#post], [#execute], [#wake], [#stop], [#renew] and
/// [#connectionCount]. Which thread that is can change while a leader task runs
/// ([LeaderFollowers]).
public final class EventLoop {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// Turns in a row that may fail, other than for want of memory, before the loop dies.
    private static final int FAILURES_MAX = 100;

    /// What steps that compute may take of one turn; the last of them may go beyond by its own
    /// length. With steps below a millisecond no event waits for them for two.
    static final long STEPS_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    /// Steps that wait for a turn.
    static final int STEPS_WAITING_MAX = 64;

    /// How late a turn is before events are looked for once more.
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int TURNS_MAX = 1_000_000;

    final LongSupplier clock;
    private final Poller poller;
    private final Dialer dialer;
    private final DeadlineWheel wheel;
    private final TaskQueue tasks = new TaskQueue();
    private final ArrayDeque<Runnable> steps = new ArrayDeque<>();

    /// What is left for the end of the round.
    private final ArrayDeque<Runnable> lasts = new ArrayDeque<>();

    /// Events of this round that have not been delivered.
    private int eventsLeft;

    private final Object endLock = new Object();
    private volatile @Nullable LeaderFollowers threads;
    private volatile @Nullable Thread pumping;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean sleeping;
    private volatile boolean stopped;
    private volatile boolean ended;
    private volatile int connectionCount;
    private LoopConnection[] connections = new LoopConnection[64];
    private long nextWarningNanos;
    private final TaskRate rate;
    private long alarmNanos = Long.MAX_VALUE;
    private Runnable alarm = () -> {};

    /// When events were last delivered; other threads see a value of the recent past.
    private long turnNanos;

    /// @param clock nanoseconds, as `System.nanoTime()`
    /// @param poller closed at the loop's end
    /// @param dialers makes what opens connections on this loop
    public EventLoop(LongSupplier clock, Poller poller, Function<EventLoop, Dialer> dialers) {
        this.clock = clock;
        this.poller = poller;
        this.wheel = new DeadlineWheel(clock.getAsLong());
        this.turnNanos = clock.getAsLong();
        this.nextWarningNanos = turnNanos;
        this.rate = new TaskRate(turnNanos);
        this.dialer = dialers.apply(this);
    }

    /// Opens connections on this loop.
    public Dialer dialer() {
        return dialer;
    }

    /// What waits for the events of this loop's sockets.
    public Poller poller() {
        return poller;
    }

    /// Frees a loop that was never started.
    public void discard() {
        poller.close();
    }

    /// Starts the loop on a thread of its own.
    ///
    /// @param onDeath told why the loop or its standby has died, by the dying thread
    public void start(String name, Consumer<Throwable> onDeath) {
        LeaderFollowers made =
                new LeaderFollowers(name, () -> run(onDeath), onDeath, poller.threadTimes());
        threads = made;
        made.start();
    }

    /// Whether the caller is this loop.
    @SuppressWarnings("ReferenceEquality") // threads have identity
    public boolean inLoop() {
        LeaderFollowers s = threads;
        return s != null ? s.isLeader() : Thread.currentThread() == pumping;
    }

    /// Has the loop run a task that may wait, after the events of this round; on the loop.
    ///
    /// @return false when it does not, as where such tasks are few or come many at once: the task
    ///   needs another thread
    public boolean runAsLeader(LeaderTask task) {
        LeaderFollowers s = threads;
        return s != null && rate.offer(turnNanos) >= task.perSecondMin() && s.add(task);
    }

    /// Runs a step that computes, after the events of this round or of a later one; on the loop.
    ///
    /// @return false when too many wait
    boolean compute(Runnable step) {
        if (steps.size() >= STEPS_WAITING_MAX) {
            return false;
        }
        steps.add(step);
        return true;
    }

    /// Runs a step after the events of this round; on the loop.
    ///
    /// @return false when no event and no other such step follows: the caller may as well run it
    ///   now
    public boolean atRoundEnd(Runnable step) {
        if (eventsLeft == 0 && lasts.isEmpty()) {
            return false;
        }
        lasts.add(step);
        return true;
    }

    /// The caller is about to wait, perhaps in a leader task.
    void aboutToWait() {
        LeaderFollowers s = threads;
        if (s != null) {
            s.promote();
        }
    }

    /// Lets the threads end on which leader tasks have run, and others go on in their place.
    public void renew() {
        LeaderFollowers s = threads;
        if (s != null) {
            s.renew();
            wake();
        }
    }

    /// Runs a task on the loop, after what runs now. What it throws is logged.
    public void execute(Runnable task) {
        post(new TaskQueue.Node(task));
    }

    void post(TaskQueue.Node node) {
        tasks.push(node);
        if (sleeping && !inLoop()) {
            wake();
        }
        if (ended) {
            drainAfterEnd();
        }
    }

    /// Ends the loop; its connections are closed. Returns at once.
    public void stop() {
        stopped = true;
        wake();
    }

    /// Waits for the end of the loop's thread, at most this long.
    public void join(long millis) throws InterruptedException {
        if (threads != null && !inLoop()) {
            boolean _ = done.await(millis, TimeUnit.MILLISECONDS);
        }
    }

    /// Open connections of this loop; a value of the recent past on other threads.
    public int connectionCount() {
        return connectionCount;
    }

    /// When the loop last came round, or 0 while it waits for events or runs what may wait.
    long busySinceNanos() {
        return sleeping || leader() == null ? 0 : turnNanos;
    }

    /// The thread that is this loop now; null while it runs a task that may wait, and before the
    /// start.
    @Nullable Thread leader() {
        LeaderFollowers s = threads;
        return s == null ? null : s.leader();
    }

    private void wake() {
        sleeping = false;
        poller.wake();
    }

    private void run(Consumer<Throwable> onDeath) {
        boolean over = true;
        try {
            over = serve();
        } catch (Throwable e) {
            onDeath.accept(e);
        } finally {
            if (over) {
                end();
            }
        }
    }

    /// Works until the loop is stopped, or another thread is to go on.
    ///
    /// A turn that has run out of memory may have left the loop with half a change of its own
    /// state: the loop dies of it.
    ///
    /// @return false when another thread is the loop now
    private boolean serve() throws IOException {
        int failures = 0;
        LeaderFollowers own = threads;
        while (!stopped) {
            try {
                turn(true);
                if (own != null && (!own.runTasks() || own.passOn())) {
                    return false;
                }
                failures = 0;
            } catch (VirtualMachineError e) {
                throw e;
            } catch (IOException | RuntimeException | Error e) {
                if (++failures > FAILURES_MAX) {
                    throw e;
                }
                SteadyLog.log(Level.ERROR, "event loop failed, continuing", e);
            }
        }
        return true;
    }

    /// One turn: tasks, events, what was left for the end of their round, deadlines, steps that
    /// compute.
    ///
    /// @param mayWait whether to wait when there is nothing to do
    /// @return whether a task ran
    boolean turn(boolean mayWait) throws IOException {
        boolean ran = runTasks();
        long timeout = 0;
        long begun = turnNanos;
        if (mayWait && !hasTasks() && !hasLeaderTasks()) {
            begun = clock.getAsLong();
            timeout = untilAlarm(wheel.delayNanos(begun), begun);
            sleeping = true;
            if (!tasks.isEmpty() || stopped) {
                timeout = 0;
            }
        }
        deliver(timeout);
        runLasts();
        turnNanos = clock.getAsLong();
        if (turnNanos - begun - timeout > LATE_NANOS) {
            // The process stood still: what came meanwhile is older than the deadlines that passed,
            // and a poll that a signal has interrupted has not seen it.
            deliver(0);
            runLasts();
        }
        wheel.expire(turnNanos);
        if (alarmNanos - turnNanos <= 0) {
            alarmNanos = Long.MAX_VALUE;
            attempt(alarm, "an alarm on an event loop failed");
        }
        if (!steps.isEmpty()) {
            runSteps();
        }
        return ran;
    }

    /// The time until the next deadline, or until the alarm if that is sooner.
    ///
    /// @param delay as the wheel tells it, negative for no deadline
    private long untilAlarm(long delay, long now) {
        if (alarmNanos == Long.MAX_VALUE) {
            return delay;
        }
        long left = Math.max(0, alarmNanos - now);
        return delay < 0 ? left : Math.min(delay, left);
    }

    /// Has a step run at a time, as exactly as the poller waits, which is to the millisecond: for
    /// what cannot do with deadlines of [DeadlineWheel]. There is one alarm; on the loop.
    ///
    /// @param nanoTime by this loop's clock, or [Long#MAX_VALUE] for never
    public void alarm(long nanoTime, Runnable step) {
        alarmNanos = nanoTime;
        alarm = step;
    }

    /// Waits for events and delivers them. To be called within a turn only by who has taken a
    /// socket out of the poller that must notice it.
    void deliver(long timeoutNanos) throws IOException {
        int count;
        try {
            count = poller.poll(timeoutNanos);
        } finally {
            sleeping = false;
        }
        for (int i = 0; i < count; i++) {
            eventsLeft = count - 1 - i;
            Pollable target = poller.target(i);
            if (target != null) {
                target.ready(poller.operations(i));
            }
        }
    }

    /// Runs what was left for the end of the round.
    private void runLasts() {
        for (Runnable next = lasts.poll(); next != null; next = lasts.poll()) {
            attempt(next, "a step on an event loop failed");
        }
    }

    /// Runs steps in the order in which they came, as long as there is time for them.
    private void runSteps() {
        long begun = clock.getAsLong();
        do {
            attempt(steps.remove(), "a step on an event loop failed");
        } while (!steps.isEmpty() && clock.getAsLong() - begun < STEPS_NANOS_MAX);
    }

    /// Runs what keeps no other from its turn when it fails.
    private static void attempt(Runnable step, String failed) {
        try {
            step.run();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            SteadyLog.log(Level.ERROR, failed, e);
        }
    }

    private boolean hasLeaderTasks() {
        LeaderFollowers s = threads;
        return s != null && s.hasTasks();
    }

    /// Runs a loop without a thread on the calling one, until nothing is left to do now.
    public void pump() throws IOException {
        adoptThread(Thread.currentThread());
        try {
            int turns = 0;
            do {
                turn(false);
                if (++turns > TURNS_MAX) {
                    throw new IllegalStateException("events without end");
                }
            } while (hasTasks());
        } finally {
            adoptThread(null);
        }
    }

    /// Ends a loop without a thread.
    public void endPumped() {
        adoptThread(Thread.currentThread());
        end();
        adoptThread(null);
    }

    /// Makes the calling thread the loop's thread for [#turn].
    void adoptThread(@Nullable Thread caller) {
        pumping = caller;
    }

    /// Whether tasks or steps wait.
    boolean hasTasks() {
        return !tasks.isEmpty() || !steps.isEmpty() || !lasts.isEmpty();
    }

    private boolean runTasks() {
        TaskQueue.Node node = tasks.takeAll();
        boolean any = node != null;
        while (node != null) {
            TaskQueue.Node next = node.next;
            node.next = null;
            attempt(node.task, "task on an event loop failed");
            node = next;
        }
        return any;
    }

    /// Closes all connections, runs all tasks, and frees the loop.
    void end() {
        synchronized (endLock) {
            for (int i = connectionCount - 1; i >= 0; i--) {
                closeQuietly(connections[i]);
            }
            steps.clear();
            lasts.clear();
            runTasks();
            ended = true;
            runTasks();
        }
        LeaderFollowers own = threads;
        if (own != null) {
            own.end();
        }
        poller.close();
        done.countDown();
    }

    private static void closeQuietly(LoopConnection connection) {
        try {
            connection.close();
        } catch (RuntimeException | Error e) {
            SteadyLog.log(Level.ERROR, "a connection could not be closed", e);
        }
    }

    /// Tasks posted after the end run on the poster's thread, one poster at a time.
    private void drainAfterEnd() {
        synchronized (endLock) {
            runTasks();
        }
    }

    /// A timer of this loop.
    Dialer.Timer timer(Runnable action) {
        DeadlineWheel.Entry entry = new DeadlineWheel.Entry(action);
        return nanoTime -> {
            if (entry.move(nanoTime)) {
                schedule(entry);
            }
        };
    }

    void schedule(DeadlineWheel.Entry entry) {
        wheel.schedule(entry, clock.getAsLong());
    }

    void cancel(DeadlineWheel.Entry entry) {
        wheel.cancel(entry);
    }

    void add(LoopConnection connection) {
        int count = connectionCount;
        if (count == connections.length) {
            connections = Arrays.copyOf(connections, count * 2);
        }
        connections[count] = connection;
        connection.index = count;
        setCount(count + 1);
    }

    void remove(LoopConnection connection) {
        int last = connectionCount - 1;
        LoopConnection moved = connections[last];
        connections[connection.index] = moved;
        moved.index = connection.index;
        connections = clear(connections, last);
        setCount(last);
    }

    void closeConnectionsOf(LoopListener listener) {
        for (int i = connectionCount - 1; i >= 0; i--) {
            if (connections[i].belongsTo(listener)) {
                connections[i].close();
            }
        }
    }

    /// Logs what a handler threw: failures of I/O for debugging, faults at a bounded rate.
    void logFailure(LoopConnection connection, Throwable failure) {
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
