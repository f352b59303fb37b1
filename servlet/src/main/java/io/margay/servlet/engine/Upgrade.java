package io.margay.servlet.engine;

import io.margay.server.exchange.Exchange;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A connection that an application takes over (Servlet 6.1 §2.3.3.5): after the response 101,
/// bytes go straight to and from the handler. Callbacks are turns of the request's cycle.
final class Upgrade implements WebConnection {
    private final RequestCycle cycle;
    private final Exchange exchange;
    private final HttpUpgradeHandler handler;
    private final RequestInput input;
    private final Output output = new Output();
    private final AtomicBoolean destroyed = new AtomicBoolean();
    private volatile boolean started;

    Upgrade(RequestCycle cycle, Exchange exchange, HttpUpgradeHandler handler) {
        this.cycle = cycle;
        this.exchange = exchange;
        this.handler = handler;
        this.input = new RequestInput(cycle, exchange);
    }

    boolean isStarted() {
        return started;
    }

    /// Switches protocols and hands the connection over; called at the end of the servlet's turn.
    void start() {
        started = true;
        exchange.onEnd(() -> Thread.ofVirtual().name("margay-upgrade-end").start(this::destroy));
        try {
            exchange.upgrade();
            handler.init(this);
        } catch (IOException e) {
            cycle.app().logger().log(Level.DEBUG, "the client left before the upgrade", e);
            exchange.abort();
        }
    }

    private void destroy() {
        if (!destroyed.compareAndSet(false, true)) {
            return;
        }
        ClassLoader before = cycle.app().enter();
        try {
            handler.destroy();
        } catch (RuntimeException | LinkageError e) {
            cycle.app().log("an upgrade handler failed in destroy", e);
        } finally {
            cycle.app().leave(before);
            cycle.end();
        }
    }

    @Override
    public ServletInputStream getInputStream() {
        return input;
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return output;
    }

    @Override
    public void close() {
        try {
            exchange.end();
        } catch (IOException e) {
            cycle.app().logger().log(Level.DEBUG, "an upgraded connection was lost", e);
            exchange.abort();
        }
    }

    /// Bytes to the peer, as they come.
    private final class Output extends ServletOutputStream {
        private @Nullable WriteListener listener;
        private volatile boolean awaited;
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
                exchange.write(source, offset, length);
                return;
            }
            if (awaited || !exchange.writable()) {
                throw new IllegalStateException("written although isReady() was not true");
            }
            exchange.offer(source, offset, length);
        }

        @Override
        public boolean isReady() {
            if (listener == null) {
                return true;
            }
            if (awaited) {
                return false;
            }
            if (exchange.writable()) {
                return true;
            }
            awaited = true;
            exchange.onWritable(() -> cycle.turn(this::writePossible));
            return false;
        }

        @Override
        public void setWriteListener(WriteListener writeListener) {
            Objects.requireNonNull(writeListener);
            if (listener != null) {
                throw new IllegalStateException("there is a write listener already");
            }
            listener = writeListener;
            awaited = true;
            cycle.turn(this::writePossible);
        }

        private void writePossible() {
            WriteListener waiting = listener;
            if (waiting == null || closed || cycle.isOver()) {
                return;
            }
            awaited = false;
            IOException failure = exchange.failure();
            try {
                if (failure != null) {
                    throw failure;
                }
                waiting.onWritePossible();
            } catch (IOException | RuntimeException | LinkageError e) {
                waiting.onError(e);
                exchange.abort();
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
