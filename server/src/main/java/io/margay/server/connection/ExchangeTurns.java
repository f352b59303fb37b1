package io.margay.server.connection;

import io.margay.transport.Connection;
import io.margay.transport.LentTask;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Whose turn it is to work on one exchange, and what the exchange waits for: dispatched tasks run
/// one after the other, and between them the loop brings events.
///
/// Owned as its exchange is; `working`, `claims`, `closedMeanwhile` and `waiting` are guarded by
/// this object, which is never locked during I/O or foreign code. While the loop looks after an
/// event it has claimed the exchange: tasks that other threads dispatch wait for the end of that.
final class ExchangeTurns implements LentTask {
    /// Tasks run in one go on the loop before other connections have their turn.
    private static final int TURNS_MAX = 16;

    private final Http1Exchange exchange;
    private final Http1Context context;
    private final ConnectionFlow flow;
    private final Connection io;
    private final Http1Output output;
    private final ContentReader content;

    private volatile boolean offLoop;
    private volatile boolean working;

    /// Whether the loop is to send what is in the output. Output that is pending without it is in
    /// the hands of a thread of the application, which waits for the peer itself.
    private volatile boolean outputDue;

    private int claims;
    private boolean closedMeanwhile;
    private @Nullable Runnable task;
    private @Nullable ArrayDeque<Runnable> waiting;

    private @Nullable Runnable readTask;
    private @Nullable Runnable writeTask;
    private long waitStartNanos;

    ExchangeTurns(
            Http1Exchange exchange,
            Http1Context context,
            ConnectionFlow flow,
            ContentReader content) {
        this.exchange = exchange;
        this.context = context;
        this.flow = flow;
        this.content = content;
        io = flow.io;
        output = flow.output;
    }

    /// Whether threads other than the loop have worked on the exchange.
    boolean isOffLoop() {
        return offLoop;
    }

    /// Whether a dispatched task runs now.
    boolean isWorking() {
        return working;
    }

    boolean awaitsInput() {
        return readTask != null;
    }

    // Dispatched tasks

    /// See [io.margay.server.exchange.Exchange#dispatch].
    void dispatch(Runnable toRun) {
        if (exchange.isOver()) {
            throw new IllegalStateException("the exchange is over");
        }
        if (!offLoop && !io.inLoop()) {
            io.execute(() -> exchange.guard(() -> dispatch(toRun)));
            return;
        }
        synchronized (this) {
            if (working || (claims > 0 && !io.inLoop())) {
                if (waiting == null) {
                    waiting = new ArrayDeque<>();
                }
                waiting.add(toRun);
                return;
            }
            working = true;
            task = toRun;
        }
        submit();
    }

    private void submit() {
        boolean before = offLoop;
        offLoop = true;
        if (io.blocking() && io.inLoop()) {
            run();
            return;
        }
        if (exchange.isUnderWay()) {
            flow.interest(0); // else the loop is sending the end
            exchange.spareInput();
        }
        if (!hand()) {
            offLoop = before;
            working = false;
            exchange.answer(503, "The server is busy.");
        }
    }

    /// Has the task run by the loop, by a worker, or apart from them where the client decides how
    /// long it takes.
    private boolean hand() {
        if (content.mayStall()) {
            return context.dispatcher.submitStalling(this);
        }
        return (context.dispatcher.lends(path()) && io.lend(this))
                || context.dispatcher.submit(this);
    }

    private String path() {
        return exchange.request().target().rawPath();
    }

    @Override
    public void overrun() {
        context.dispatcher.overran(path());
    }

    /// Takes the exchange for the length of an event; false when a dispatched task runs. Loop
    /// thread; may be nested.
    boolean claim() {
        synchronized (this) {
            if (working && claims == 0) {
                return false;
            }
            claims++;
            return true;
        }
    }

    /// Ends the claim, and starts what was dispatched meanwhile.
    void unclaim() {
        synchronized (this) {
            claims--;
            Runnable next = claims > 0 || working || waiting == null ? null : waiting.poll();
            if (next == null) {
                return;
            }
            working = true;
            task = next;
        }
        submit();
    }

    /// Runs the dispatched tasks, on a worker or on the loop's thread while that is lent.
    @Override
    public void run() {
        Runnable next = task;
        while (next != null) {
            exchange.guard(next);
            next = nextTask();
        }
    }

    private @Nullable Runnable nextTask() {
        synchronized (this) {
            Runnable next = waiting == null ? null : waiting.poll();
            if (next != null) {
                return next;
            }
            if (exchange.isUnderWay() && !closedMeanwhile) {
                boolean armed = readTask != null || writeTask != null || outputDue;
                working = false;
                if (armed) {
                    io.execute(this::settleLater);
                }
                return null;
            }
            working = false;
            if (!closedMeanwhile || exchange.isOver()) {
                return null;
            }
        }
        endInFailure();
        return null;
    }

    /// The transport has closed the connection: the exchange ends, now or when its task has run.
    /// Loop thread.
    void connectionClosed() {
        synchronized (this) {
            closedMeanwhile = true;
            if (working) {
                return;
            }
        }
        endInFailure();
    }

    private void endInFailure() {
        // The input's array goes to the garbage collector, not to others: a thread of the
        // application may be reading into it.
        output.drop();
        Runnable reader = readTask;
        Runnable writer = writeTask;
        readTask = null;
        writeTask = null;
        exchange.complete();
        if (reader != null) {
            exchange.guard(reader);
        }
        if (writer != null) {
            exchange.guard(writer);
        }
    }

    // Events

    void onReadable(Runnable toRun) {
        if (readTask != null) {
            throw new IllegalStateException("a task waits for input already");
        }
        readTask = toRun;
        waitStartNanos = System.nanoTime();
        awaitEvents();
    }

    void onWritable(Runnable toRun) {
        if (writeTask != null) {
            throw new IllegalStateException("a task waits for output already");
        }
        writeTask = toRun;
        awaitEvents();
    }

    /// Has the loop look at what is waited for, unless a dispatched task runs: its end will.
    private void awaitEvents() {
        if (!working) {
            io.execute(this::settleLater);
        }
    }

    /// The connection has not taken all output: the loop sends the rest.
    void awaitOutput() {
        outputDue = true;
        if (working) {
            return;
        }
        if (io.inLoop()) {
            flow.deadline(context.writeNanos);
            flow.moreInterest(Connection.WRITE);
        } else {
            io.execute(this::settleLater);
        }
    }

    /// The connection has taken all output.
    void outputTaken() {
        if (outputDue) {
            outputDue = false;
        }
    }

    private void settleLater() {
        if (!exchange.isOver() && !working) {
            settle();
        }
    }

    /// Runs tasks whose event has come, and asks the connection for the events of the others. Loop
    /// thread.
    void settle() {
        if (claim()) {
            try {
                settleClaimed();
            } finally {
                unclaim();
            }
        }
    }

    private void settleClaimed() {
        int turns = 0;
        while (!exchange.isOver() && !working && runReady()) {
            if (++turns == TURNS_MAX) {
                io.execute(this::settleLater);
                return;
            }
        }
        if (exchange.isUnderWay() && !working) {
            arm();
        }
    }

    private boolean runReady() {
        Runnable reader = readTask;
        if (reader != null && (exchange.failure() != null || content.isReady())) {
            readTask = null;
            exchange.guard(reader);
            return true;
        }
        Runnable writer = writeTask;
        if (writer != null && !output.isPending()) {
            writeTask = null;
            exchange.guard(writer);
            return true;
        }
        return false;
    }

    private void arm() {
        boolean awaitsContent = readTask != null && !content.isRaw();
        if (awaitsContent && !askedForContent()) {
            return;
        }
        int operations = readTask != null || flow.isWatching(exchange) ? Connection.READ : 0;
        if (outputDue) {
            operations |= Connection.WRITE;
            flow.deadline(context.writeNanos);
        } else if (awaitsContent) {
            flow.deadline(context.bodyNanos);
        }
        flow.interest(operations);
    }

    /// Asks for the content that is waited for; false when the connection failed.
    private boolean askedForContent() {
        try {
            content.ask();
            return true;
        } catch (IOException e) {
            context.log.clientFailed(io.id(), e);
            return false;
        }
    }

    /// Input came while the loop owns the exchange; false when nobody waits for it.
    boolean inputReady() {
        Runnable reader = readTask;
        if (reader == null) {
            return false;
        }
        readTask = null;
        content.waited(System.nanoTime() - waitStartNanos);
        exchange.guard(reader);
        settle();
        return true;
    }
}
