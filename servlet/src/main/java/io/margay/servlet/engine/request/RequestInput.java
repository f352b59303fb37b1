package io.margay.servlet.engine.request;

import io.margay.server.exchange.ExchangeRequest;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The content of one request (Servlet 6.1 §3.7). Used by one thread at a time.
///
/// With a listener, `isReady` fetches ahead into a small buffer: what is in it can be read without
/// waiting.
public final class RequestInput extends ServletInputStream {
    private static final int AHEAD_BYTES = 4096;

    private final RequestLife cycle;
    private final ExchangeRequest exchange;
    private byte[] ahead = {};
    private int from;
    private int to;
    private boolean finished;
    private boolean closed;
    private @Nullable ReadListener listener;

    /// Whether the last `isReady` said no, so that a callback is due.
    private volatile boolean awaited;

    private boolean endTold;
    private @Nullable IOException failure;

    public RequestInput(RequestLife cycle, ExchangeRequest exchange) {
        this.cycle = cycle;
        this.exchange = exchange;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int length = read(one, 0, 1);
        return length < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        cycle.requireOpen();
        if (closed) {
            throw new IOException("the request's stream has been closed");
        }
        if (length == 0) {
            return 0;
        }
        if (from < to) {
            int count = Math.min(length, to - from);
            System.arraycopy(ahead, from, target, offset, count);
            from += count;
            return count;
        }
        if (finished) {
            return -1;
        }
        if (listener != null) {
            return readWithoutWaiting(target, offset, length);
        }
        int count = exchange.read(target, offset, length);
        finished = count < 0;
        return count;
    }

    private int readWithoutWaiting(byte[] target, int offset, int length) throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (awaited) {
            throw new IllegalStateException("read although isReady() was not true");
        }
        int count = exchange.poll(target, offset, length);
        if (count == 0) {
            throw new IllegalStateException("read although isReady() was not true");
        }
        if (count < 0) {
            end();
        }
        return count;
    }

    @Override
    public int available() throws IOException {
        cycle.requireOpen();
        return to - from;
    }

    @Override
    public boolean isFinished() {
        return from == to && (finished || (!awaited && exchange.inputEnded()));
    }

    @Override
    public boolean isReady() {
        cycle.requireOpen();
        if (listener == null) {
            return true;
        }
        if (from < to || failure != null) {
            return true;
        }
        if (finished || awaited) {
            return false;
        }
        if (fill()) {
            return true;
        }
        if (!finished) {
            await();
        }
        return false;
    }

    /// Fetches what is there; false when there is nothing now or nothing more.
    private boolean fill() {
        try {
            if (ahead.length == 0) {
                ahead = new byte[AHEAD_BYTES];
            }
            int count = exchange.poll(ahead, 0, ahead.length);
            if (count > 0) {
                from = 0;
                to = count;
                return true;
            }
            if (count < 0) {
                end();
            }
            return false;
        } catch (IOException e) {
            failure = e;
            return true;
        }
    }

    private void await() {
        awaited = true;
        exchange.onReadable(() -> cycle.enqueue(this::dataAvailable));
    }

    private void end() {
        finished = true;
        if (listener != null && !endTold) {
            endTold = true;
            cycle.enqueue(this::allRead);
        }
    }

    @Override
    public void setReadListener(ReadListener readListener) {
        Objects.requireNonNull(readListener);
        if (listener != null) {
            throw new IllegalStateException("there is a read listener already");
        }
        cycle.requireAsync();
        listener = readListener;
        awaited = true;
        cycle.enqueue(this::firstLook);
    }

    /// The first callback comes as soon as there is something to tell.
    private void firstLook() {
        awaited = false;
        if (cycle.isOver()) {
            return;
        }
        if (from == to && !fill()) {
            if (!finished) {
                await();
            }
            return;
        }
        dataAvailable();
    }

    private void dataAvailable() {
        ReadListener reader = listener;
        if (reader == null || cycle.isOver()) {
            return;
        }
        awaited = false;
        try {
            if (from == to && failure == null && !fill()) {
                if (!finished) {
                    await();
                }
                return;
            }
            if (failure != null) {
                throw failure;
            }
            reader.onDataAvailable();
            if (!awaited && !finished && from == to && exchange.inputEnded()) {
                end();
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            failed(reader, e);
        }
    }

    private void allRead() {
        ReadListener reader = listener;
        if (reader == null || cycle.isOver()) {
            return;
        }
        try {
            reader.onAllDataRead();
        } catch (IOException | RuntimeException | LinkageError e) {
            failed(reader, e);
        }
    }

    private void failed(ReadListener reader, Throwable cause) {
        finished = true;
        reader.onError(cause);
        cycle.asyncFailed(cause);
    }

    @Override
    public void close() {
        closed = true;
    }
}
