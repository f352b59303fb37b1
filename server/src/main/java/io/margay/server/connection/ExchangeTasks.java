package io.margay.server.connection;

import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.QuickPaths;
import io.margay.server.exchange.Handler;
import io.margay.server.timing.RequestPhase;
import io.margay.transport.LeaderTask;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The serial task queue of one exchange, whatever protocol carries it: the handler runs first, on
/// the loop, then dispatched tasks one after the other, each on a thread that may wait; and between
/// them the loop brings events. What is dispatched while one of these runs begins after it.
///
/// Tasks that are dispatched after the end of the exchange still run, in order, on a virtual
/// thread.
///
/// Guarded by this object, which is never locked during I/O or foreign code.
public final class ExchangeTasks implements LeaderTask {
    /// Events looked after in one go before other connections have theirs.
    private static final int EVENTS_MAX = 16;

    private final ServedExchange exchange;

    /// Whether threads other than the loop have worked on the exchange.
    private volatile boolean offLoop;

    /// Whether a dispatched task runs, or has been handed over.
    private volatile boolean working;

    /// Whether any dispatched task has begun. Written by who works.
    private volatile boolean begun;

    /// Who runs tasks; null = nobody. Written by who works.
    private volatile @Nullable Thread worker;

    /// Events that the loop is within; they may be nested.
    private int events;

    /// Whether the exchange has failed and is to be concluded as soon as nobody works on it.
    private boolean failed;

    /// When it was handed to a thread that has not begun, microseconds since its start; -1 = it
    /// does not wait for one.
    private int handedMicros = -1;

    /// How long it has waited for threads.
    private int queuedMicros;

    /// The task to begin with, and those behind it.
    private @Nullable Runnable task;

    private @Nullable ArrayDeque<Runnable> waiting;
    private @Nullable Runnable readTask;
    private @Nullable Runnable writeTask;

    ExchangeTasks(ServedExchange exchange) {
        this.exchange = exchange;
    }

    public boolean isOffLoop() {
        return offLoop;
    }

    public boolean isWorking() {
        return working;
    }

    /// Whether something is to be run for the exchange, now or when an event comes.
    synchronized boolean isScheduled() {
        return working || events > 0 || task != null || readTask != null || writeTask != null;
    }

    // The handler, and dispatched tasks

    /// Gives the exchange to the handler. Loop thread.
    public void begin(Handler handler) {
        boolean _ = enter();
        exchange.begun();
        try {
            handler.handle(exchange);
        } catch (Throwable e) {
            exchange.failedBy(e);
        }
        if (!exchange.isOver() && isFree()) {
            settle();
        }
        leave();
    }

    /// The same for a request that has waited, unless its client has gone meanwhile. Loop thread.
    public void beginIfAwaited(Handler handler) {
        if (exchange.isAbandoned()) {
            exchange.context.standstill.isLeft();
        } else {
            begin(handler);
        }
    }

    /// Runs what belongs to the handler.
    public void guard(Runnable foreign) {
        try {
            foreign.run();
        } catch (Throwable e) {
            exchange.failedBy(e);
        }
    }

    /// See [io.margay.server.exchange.Exchange#dispatch].
    public void dispatch(Runnable toRun) {
        if (!offLoop && !exchange.io.inLoop() && !exchange.isOver()) {
            exchange.io.execute(() -> dispatch(toRun)); // the loop owns the connection still
            return;
        }
        synchronized (this) {
            if (working || task != null) {
                if (waiting == null) {
                    waiting = new ArrayDeque<>(2);
                }
                waiting.add(toRun);
                return;
            }
            task = toRun;
            if (events > 0) {
                return;
            }
            working = true;
        }
        handOver();
    }

    private void handOver() {
        if (exchange.isOver()) {
            runLate();
            return;
        }
        offLoop = true;
        if (exchange.ownsThread()) {
            run();
        } else if (exchange.mayLeaveLoop(this)) {
            start();
        }
    }

    /// Has the tasks run by another thread.
    public void start() {
        if (!submit()) {
            refused();
            exchange.worked();
        }
    }

    /// By the loop's thread as its leader, by a worker, or apart from them where the client decides
    /// how long it takes.
    ///
    /// @return false when no thread can be had
    private boolean submit() {
        Dispatcher dispatcher = exchange.context.dispatcher;
        if (exchange.mayStall()) {
            handedMicros = exchange.micros();
            return dispatcher.submitStalling(this);
        }
        if (dispatcher.runsOnLoop(path()) && exchange.io.runAsLeader(this)) {
            return true;
        }
        handedMicros = exchange.micros();
        return dispatcher.submit(this);
    }

    /// The client is told, and a task that follows others runs where it keeps nobody waiting, since
    /// those may count on it.
    private void refused() {
        boolean drops;
        synchronized (this) {
            drops = !begun;
            if (drops) {
                offLoop = false;
                working = false;
                task = null;
                waiting = null;
            }
        }
        exchange.answer(503, "The server is busy.");
        if (!drops) {
            runLate();
        } else if (takeFailed()) {
            conclude();
        }
    }

    private void runLate() {
        Thread.ofVirtual().name("margay-task").start(this::work);
    }

    private String path() {
        return exchange.request().target().rawPath();
    }

    /// The phase in which it is, with what its tasks wait for. Any thread.
    ///
    /// @param noted by the host or the gateway
    synchronized @Nullable RequestPhase underWay(@Nullable RequestPhase noted) {
        if (handedMicros >= 0) {
            return RequestPhase.QUEUED;
        }
        if (worker() != null) {
            return noted;
        }
        if (writeTask != null) {
            return RequestPhase.CLIENT;
        }
        boolean awaits = readTask != null && (noted == null || noted == RequestPhase.SEND);
        return awaits ? RequestPhase.CONTENT : noted;
    }

    /// How long it has waited for threads, microseconds up to 35 minutes.
    int queuedMicros() {
        return queuedMicros;
    }

    @Override
    public int perSecondMin() {
        return exchange.context.dispatcher.loopTasksMin();
    }

    @Override
    public void overrun() {
        exchange.context.dispatcher.overran(path());
    }

    /// Runs the dispatched tasks, on a worker or on the loop's thread as its leader.
    @Override
    public void run() {
        if (handedMicros >= 0) {
            int waited = Math.max(0, exchange.micros() - handedMicros);
            queuedMicros = Math.max(queuedMicros, queuedMicros + waited);
            handedMicros = -1;
        }
        try {
            QuickPaths paths = exchange.context.dispatcher.quickPaths();
            if (paths == null) {
                work();
                return;
            }
            String path = path();
            long begun = paths.now();
            work();
            paths.took(path, paths.now() - begun);
        } finally {
            exchange.worked();
        }
    }

    private void work() {
        Runnable next = first();
        while (next != null) {
            worker = Thread.currentThread();
            try {
                guard(next);
            } finally {
                worker = null; // Before another one may work.
            }
            next = next();
        }
    }

    /// Who runs tasks now; null = nobody does.
    @Nullable Thread worker() {
        return worker;
    }

    /// The task to begin with; none when the client has gone before work began, which then is never
    /// begun where the protocol says so.
    private @Nullable Runnable first() {
        boolean abandoned = !begun && exchange.isAbandoned();
        synchronized (this) {
            Runnable next = task;
            task = null;
            if (!abandoned) {
                begun = true;
                return next;
            }
            waiting = null;
        }
        return next();
    }

    /// The task that follows; else the exchange is the loop's again.
    private @Nullable Runnable next() {
        synchronized (this) {
            Runnable next = waiting == null ? null : waiting.poll();
            if (next != null) {
                return next;
            }
            working = false;
            if (!failed) {
                if (readTask != null || writeTask != null || exchange.needsLoop()) {
                    exchange.io.execute(this::settle);
                }
                return null;
            }
        }
        if (takeFailed()) {
            conclude();
        }
        return null;
    }

    // The end

    /// The exchange has failed: it is concluded when nobody works on it.
    ///
    /// @param now whether at once if that is so now, which is for the loop thread to ask; else soon
    public void failed(boolean now) {
        synchronized (this) {
            failed = true;
            if (working || events > 0) {
                return;
            }
        }
        if (!now) {
            exchange.io.execute(this::settle);
        } else if (takeFailed()) {
            conclude();
        }
    }

    /// Takes it on the caller to conclude.
    private synchronized boolean takeFailed() {
        boolean due = failed && !working && events == 0;
        failed &= !due;
        return due;
    }

    private void conclude() {
        exchange.concludeFailed();
        Runnable reader;
        Runnable writer;
        synchronized (this) {
            reader = readTask;
            writer = writeTask;
            readTask = null;
            writeTask = null;
        }
        if (reader != null) {
            guard(reader);
        }
        if (writer != null) {
            guard(writer);
        }
    }

    // Events

    /// Takes the exchange for the length of an event; false when a dispatched task runs. Loop
    /// thread; may be nested.
    public synchronized boolean enter() {
        if (working && events == 0) {
            return false;
        }
        events++;
        return true;
    }

    /// Ends the event, and starts what was dispatched meanwhile.
    public void leave() {
        boolean hasTask;
        synchronized (this) {
            events--;
            if (events > 0 || working) {
                return;
            }
            hasTask = task != null;
            working = hasTask;
        }
        if (hasTask) {
            handOver();
        } else if (takeFailed()) {
            conclude();
        }
    }

    public void onReadable(Runnable toRun) {
        synchronized (this) {
            if (readTask != null) {
                throw new IllegalStateException("a task waits for input already");
            }
            readTask = toRun;
        }
        changed(false);
    }

    public void onWritable(Runnable toRun) {
        synchronized (this) {
            if (writeTask != null) {
                throw new IllegalStateException("a task waits for output already");
            }
            writeTask = toRun;
        }
        changed(false);
    }

    public synchronized boolean awaitsInput() {
        return readTask != null;
    }

    /// Input came, which who waits for it has to look at itself. Loop thread, within an event.
    public void inputCame() {
        Runnable reader;
        synchronized (this) {
            reader = readTask;
            readTask = null;
        }
        if (reader != null) {
            guard(reader);
        }
        settle();
    }

    /// Something came that a task may wait for.
    ///
    /// @param now whether the caller is on the loop, and the tasks may run at once
    public void changed(boolean now) {
        synchronized (this) {
            boolean awaited = readTask != null || writeTask != null;
            if (working || !awaited || (events > 0 && exchange.io.inLoop())) {
                return; // who works on it looks
            }
        }
        if (now) {
            settle();
        } else {
            exchange.io.execute(this::settle);
        }
    }

    /// Runs tasks whose event has come, and has the exchange ask for the events of the others. Loop
    /// thread.
    public void settle() {
        if (!enter()) {
            return;
        }
        try {
            int count = 0;
            Runnable ready = ready();
            while (ready != null) {
                guard(ready);
                if (++count == EVENTS_MAX) {
                    exchange.io.execute(this::settle);
                    return;
                }
                ready = ready();
            }
            if (isFree()) {
                exchange.arm();
            }
        } finally {
            leave();
        }
    }

    private synchronized boolean isFree() {
        return !working && !failed && task == null;
    }

    /// A task whose event has come.
    private @Nullable Runnable ready() {
        Runnable reader;
        Runnable writer;
        synchronized (this) {
            if (!isFree() || exchange.isOver()) {
                return null;
            }
            reader = readTask;
            writer = writeTask;
        }
        if (reader != null && exchange.hasInput()) {
            synchronized (this) {
                readTask = null;
            }
            return reader;
        }
        if (writer != null && exchange.hasRoom()) {
            synchronized (this) {
                writeTask = null;
            }
            return writer;
        }
        return null;
    }
}
