package io.margay.servlet.engine.async;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.steps.Steps;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.request.RequestInput;
import io.margay.servlet.engine.request.RequestLife;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A connection that an application takes over (Servlet 6.1 §2.3.3.5): after the response 101,
/// bytes go straight to and from the handler. Callbacks are tasks of its own, and so is the end,
/// which therefore never comes while a callback runs. The request and its response are held no
/// longer: an idle connection is to cost little.
///
/// The stream with a write listener may be used by any thread: to one that runs no task of this
/// connection it is never ready, and the listener is called instead.
public final class Upgrade implements UpgradedConnection, RequestLife {
    /// How long a write of another thread waits for its task to begin.
    private static final long BUSY_TASK_MILLIS = 200;

    private final Application app;
    private final Exchange exchange;
    private final HttpUpgradeHandler handler;

    /// Made when an application asks for them. Used in tasks, as the connection is.
    private @Nullable RequestInput input;

    private @Nullable Output output;

    /// What the request is still held for.
    private @Nullable Runnable atEnd;

    /// The thread that runs a task now. Only compared with the thread that reads it, which alone
    /// writes that value: so it needs no order among threads.
    private @Nullable Thread worker;

    private volatile boolean started;
    private volatile boolean over;

    public Upgrade(Application app, Exchange exchange, HttpUpgradeHandler handler) {
        this.app = app;
        this.exchange = exchange;
        this.handler = handler;
    }

    public boolean isStarted() {
        return started;
    }

    /// Switches protocols and hands the connection over; called at the end of the servlet's task.
    ///
    /// @param last run at the end of the connection
    public void start(Runnable last) {
        started = true;
        atEnd = last;
        exchange.onEnd(() -> exchange.dispatch(() -> take(this::destroy)));
        worker = Thread.currentThread();
        try {
            exchange.upgrade();
            handler.init(this);
        } catch (IOException e) {
            app.logger().log(Level.DEBUG, "the client left before the upgrade", e);
            exchange.abort();
        } finally {
            worker = null;
        }
    }

    /// One task. The catch ladder of an upgraded connection.
    private void take(Runnable task) {
        ClassLoader before = app.runtime().enter();
        worker = Thread.currentThread();
        boolean followed = Steps.enter(exchange);
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            app.failures().log("an upgraded connection ended abnormally", exchange, e);
            exchange.abort();
            if (e instanceof VirtualMachineError) {
                throw e;
            }
        } finally {
            if (followed) {
                Steps.leave();
            }
            worker = null;
            app.runtime().leave(before);
        }
    }

    private void destroy() {
        if (over) {
            return;
        }
        try {
            handler.destroy();
        } catch (RuntimeException | LinkageError e) {
            app.log("an upgrade handler failed in destroy", e);
        } finally {
            over = true;
            Runnable last = atEnd;
            if (last != null) {
                last.run();
            }
        }
    }

    @Override
    public ServletInputStream getInputStream() {
        RequestInput made = input;
        if (made == null) {
            made = new RequestInput(this, exchange);
            input = made;
        }
        return made;
    }

    @Override
    public ServletOutputStream getOutputStream() {
        Output made = output;
        if (made == null) {
            made = new Output();
            output = made;
        }
        return made;
    }

    // For the streams

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void requireOpen() {
        if (over) {
            throw new IllegalStateException("the connection has ended");
        }
    }

    @Override
    public void requireAsync() {
        // It is upgraded.
    }

    @Override
    public void asyncFailed(Throwable cause) {
        close();
    }

    @Override
    public void close() {
        try {
            exchange.end();
        } catch (IOException e) {
            app.logger().log(Level.DEBUG, "an upgraded connection was lost", e);
            exchange.abort();
        }
    }

    // For handlers of the container itself

    @Override
    public void abort() {
        exchange.abort();
    }

    @Override
    public void enqueue(Runnable task) {
        exchange.dispatch(() -> {
            if (!over) {
                take(task);
            }
        });
    }

    @Override
    public boolean inTask() {
        return Thread.currentThread().equals(worker);
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return exchange.poll(target, offset, length);
    }

    @Override
    public void onReadable(Runnable task) {
        exchange.onReadable(() -> enqueue(task));
    }

    @Override
    public boolean writable() {
        return exchange.writable();
    }

    @Override
    public void onWritable(Runnable task) {
        exchange.onWritable(() -> enqueue(task));
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        exchange.offer(source, offset, length);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        exchange.write(source, offset, length);
    }

    @Override
    public void forget(Set<String> fields) {
        exchange.replaceFields(exchange.request().fields().without(fields));
    }

    @Override
    public MemoryBudget memory() {
        return app.settings().memory();
    }

    @Override
    public @Nullable IOException failure() {
        return exchange.failure();
    }

    /// Bytes to the peer, as they come.
    private final class Output extends ServletOutputStream {
        private volatile @Nullable WriteListener listener;

        /// Whether the last `isReady` said no, so that a callback is due.
        private final AtomicBoolean awaited = new AtomicBoolean();

        private volatile boolean closed;

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, source.length);
            if (closed) {
                throw new IOException("the connection has been closed");
            }
            if (listener == null) {
                if (inTask()) {
                    exchange.write(source, offset, length);
                } else {
                    writeInATask(source, offset, length);
                }
                return;
            }
            // Not by `awaited`: another thread may have asked since this one was told it may.
            if (!inTask() || !exchange.writable()) {
                throw new IllegalStateException("written although isReady() was not true");
            }
            exchange.offer(source, offset, length);
        }

        /// For a thread that runs no task: a task writes, for which this waits. Where another task
        /// is kept busy by the application, perhaps by a read that waits, it is not waited for.
        private void writeInATask(byte[] source, int offset, int length) throws IOException {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            AtomicBoolean begun = new AtomicBoolean();
            enqueue(() -> {
                if (begun.compareAndSet(false, true)) {
                    try {
                        exchange.write(source, offset, length);
                        done.complete(true);
                    } catch (IOException | RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                }
            });
            try {
                try {
                    boolean _ = done.get(BUSY_TASK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    if (begun.compareAndSet(false, true)) {
                        exchange.write(source, offset, length);
                    } else {
                        boolean _ = done.get();
                    }
                }
            } catch (ExecutionException e) {
                throw new IOException("the connection was lost", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while writing");
            }
        }

        @Override
        public boolean isReady() {
            if (listener == null) {
                return true;
            }
            if (awaited.get()) {
                return false;
            }
            boolean inTask = inTask();
            if (inTask && exchange.writable()) {
                return true;
            }
            if (awaited.compareAndSet(false, true)) {
                if (inTask) {
                    exchange.onWritable(() -> enqueue(this::writePossible));
                } else {
                    enqueue(this::writePossible);
                }
            }
            return false;
        }

        @Override
        public void setWriteListener(WriteListener writeListener) {
            Objects.requireNonNull(writeListener);
            if (listener != null) {
                throw new IllegalStateException("there is a write listener already");
            }
            listener = writeListener;
            awaited.set(true);
            enqueue(this::writePossible);
        }

        private void writePossible() {
            WriteListener waiting = listener;
            if (waiting == null || closed || over) {
                return;
            }
            IOException failure = exchange.failure();
            if (failure == null && !exchange.writable()) {
                exchange.onWritable(() -> enqueue(this::writePossible));
                return;
            }
            awaited.set(false);
            try {
                if (failure != null) {
                    throw failure;
                }
                waiting.onWritePossible();
            } catch (IOException | RuntimeException | LinkageError e) {
                try {
                    waiting.onError(e);
                } finally {
                    exchange.abort();
                }
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
