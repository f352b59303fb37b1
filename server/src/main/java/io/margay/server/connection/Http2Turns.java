package io.margay.server.connection;

import io.margay.transport.LentTask;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Whose turn it is to work on one exchange of HTTP/2, and what the exchange waits for: the handler
/// first, then dispatched tasks one after the other, and between them events, which the loop
/// brings.
///
/// Guarded by this object, which is never locked during I/O or foreign code.
final class Http2Turns implements LentTask {
    /// Tasks run in one go on the loop before other connections have their turn.
    private static final int TURNS_MAX = 16;

    private final Http2Exchange exchange;
    private final Http2Connection connection;
    private boolean busy;
    private boolean begun;
    private boolean over;
    private @Nullable Runnable task;
    private @Nullable ArrayDeque<Runnable> waiting;
    private @Nullable Runnable readTask;
    private @Nullable Runnable writeTask;

    Http2Turns(Http2Exchange exchange, Http2Connection connection) {
        this.exchange = exchange;
        this.connection = connection;
    }

    /// Runs the handler. Loop thread.
    void begin(Runnable handler) {
        synchronized (this) {
            busy = true;
        }
        exchange.guard(handler);
        passOn();
    }

    /// See [io.margay.server.exchange.Exchange#dispatch].
    void dispatch(Runnable toRun) {
        if (exchange.isOver()) {
            throw new IllegalStateException("the exchange is over");
        }
        synchronized (this) {
            if (busy) {
                if (waiting == null) {
                    waiting = new ArrayDeque<>(2);
                }
                waiting.add(toRun);
                return;
            }
            busy = true;
            task = toRun;
        }
        connection.executions.submit(this);
    }

    /// No thread can be had for the task.
    void refused() {
        exchange.answer(503, "The server is busy.");
        synchronized (this) {
            task = null;
            waiting = null;
        }
        passOn();
    }

    /// What the request is for.
    String path() {
        return exchange.request().target().rawPath();
    }

    /// Whether who reads the content may have to wait for the client.
    boolean mayStall() {
        return !exchange.inputEnded();
    }

    @Override
    public void overrun() {
        connection.executions.overran(path());
    }

    /// Runs the dispatched tasks, on a worker or on the loop's thread while that is lent.
    @Override
    public void run() {
        try {
            Runnable next = first();
            while (next != null) {
                exchange.guard(next);
                synchronized (this) {
                    next = waiting == null ? null : waiting.poll();
                }
            }
            passOn();
        } finally {
            connection.executions.ended();
        }
    }

    /// The task to begin with; none when the client has gone before work began, which then is never
    /// begun (CVE-2023-44487).
    private @Nullable Runnable first() {
        synchronized (this) {
            Runnable next = task;
            task = null;
            if (!begun && exchange.isBroken()) {
                waiting = null;
                return null;
            }
            begun = true;
            return next;
        }
    }

    /// Ends a turn: what was dispatched meanwhile begins, or events have their turn.
    private void passOn() {
        boolean submit = false;
        boolean settle = false;
        synchronized (this) {
            Runnable next = waiting == null ? null : waiting.poll();
            if (next == null) {
                busy = false;
                settle = over || readTask != null || writeTask != null;
            } else {
                task = next;
                submit = true;
            }
        }
        if (submit) {
            connection.executions.submit(this);
        } else if (settle) {
            connection.io.execute(this::settle);
        }
    }

    /// The exchange has failed: it ends now, or when its task has run. Any thread.
    void failed() {
        synchronized (this) {
            over = true;
            if (busy) {
                return;
            }
        }
        connection.io.execute(this::settle);
    }

    void onReadable(Runnable toRun) {
        synchronized (this) {
            if (readTask != null) {
                throw new IllegalStateException("a task waits for input already");
            }
            readTask = toRun;
            if (busy) {
                return;
            }
        }
        connection.io.execute(this::settle);
    }

    void onWritable(Runnable toRun) {
        synchronized (this) {
            if (writeTask != null) {
                throw new IllegalStateException("a task waits for output already");
            }
            writeTask = toRun;
            if (busy) {
                return;
            }
        }
        connection.io.execute(this::settle);
    }

    /// Whether a task waits for content.
    synchronized boolean awaitsInput() {
        return readTask != null;
    }

    /// Something came that a task may wait for.
    ///
    /// @param inLoop whether the caller is on the loop, with no event of this exchange under way
    void changed(boolean inLoop) {
        synchronized (this) {
            if (busy || (readTask == null && writeTask == null)) {
                return;
            }
        }
        if (inLoop) {
            settle();
        } else {
            connection.io.execute(this::settle);
        }
    }

    /// Runs tasks whose event has come. Loop thread.
    private void settle() {
        for (int turns = 0; turns < TURNS_MAX; turns++) {
            Runnable next;
            synchronized (this) {
                next = busy ? null : ready();
                if (next == null) {
                    return;
                }
                busy = true;
            }
            exchange.guard(next);
            if (dispatchedMeanwhile()) {
                return;
            }
        }
        connection.io.execute(this::settle);
    }

    private boolean dispatchedMeanwhile() {
        synchronized (this) {
            Runnable next = waiting == null ? null : waiting.poll();
            if (next == null) {
                busy = false;
                return false;
            }
            task = next;
        }
        connection.executions.submit(this);
        return true;
    }

    private @Nullable Runnable ready() {
        if (over) {
            over = false;
            return exchange::complete;
        }
        boolean failed = exchange.failure() != null;
        Runnable reader = readTask;
        if (reader != null && (failed || exchange.isReadable())) {
            readTask = null;
            return reader;
        }
        Runnable writer = writeTask;
        if (writer != null && (exchange.isBroken() || exchange.writable())) {
            writeTask = null;
            return writer;
        }
        return null;
    }
}
