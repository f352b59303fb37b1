package io.margay.gateway.proxy;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.ProtocolError;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.RequestBodyException;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Reads from a blocking connection for a loop that must not wait: a virtual thread fills an array
/// once it has been emptied. The array is counted as memory. Guarded by `lock`, which is not held
/// during a read.
final class BridgedInput {
    private static final int BYTES = 32 * 1024;

    private static final ProtocolError NO_MEMORY =
            ProtocolError.of(503, "RFC 9110 §15.6.4", "there is no memory for the content now");

    private final Exchange real;
    private final Dialer loop;
    private final BridgedOutput output;
    private final @Nullable ReentrantLock exclusive;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final MemoryBudget.Share memory;
    private byte[] bytes = new byte[0];
    private int from;
    private int to;
    private boolean continueDue;
    private boolean started;
    private boolean ended;
    private boolean restarting;
    private boolean stopped;
    private @Nullable IOException failure;
    private @Nullable Runnable readable;

    /// @param exclusive held during a read, where the connection's directions exclude each other
    BridgedInput(
            Exchange real,
            Dialer loop,
            BridgedOutput output,
            @Nullable ReentrantLock exclusive,
            MemoryBudget budget) {
        this.real = real;
        this.loop = loop;
        this.output = output;
        this.exclusive = exclusive;
        memory = budget.share(0);
        ended = real.inputEnded();
        continueDue = real.request().expectContinue();
    }

    int poll(byte[] target, int offset, int length) throws IOException {
        lock.lock();
        try {
            if (from < to) {
                int count = Math.min(length, to - from);
                System.arraycopy(bytes, from, target, offset, count);
                from += count;
                if (from == to) {
                    changed.signalAll();
                }
                return count;
            }
            if (failure != null) {
                throw failure;
            }
            if (ended) {
                return -1;
            }
            start();
            return 0;
        } finally {
            lock.unlock();
        }
    }

    private void start() throws IOException {
        if (started || restarting) {
            return;
        }
        started = true;
        allocate();
        if (continueDue && !output.isCommitted()) {
            // Among the steps of the output, so that it is not written into one of them.
            output.put(
                    false,
                    () -> {
                        real.interim(100, new FieldList());
                        startThread();
                    });
        } else {
            startThread();
        }
    }

    private void allocate() throws IOException {
        if (stopped || !memory.hold(BYTES)) {
            throw new RequestBodyException(NO_MEMORY);
        }
        bytes = new byte[BYTES];
    }

    private void startThread() {
        Thread.ofVirtual().name("margay-relay-in-" + real.connectionId()).start(this::work);
    }

    boolean isEnded() {
        lock.lock();
        try {
            return ended && from == to;
        } finally {
            lock.unlock();
        }
    }

    void onReadable(Runnable task) {
        lock.lock();
        try {
            if (from < to || failure != null || stopped || (ended && !restarting)) {
                loop.execute(task);
            } else {
                readable = task;
                start();
            }
        } catch (IOException e) {
            failure = e;
            loop.execute(task);
        } finally {
            lock.unlock();
        }
    }

    /// The protocol is being switched: nothing is read before [#restart].
    void awaitRestart() {
        lock.lock();
        try {
            if (!started) {
                restarting = true;
                ended = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /// The protocol has been switched: what comes are raw bytes.
    void restart() {
        lock.lock();
        try {
            restarting = false;
            ended = false;
            started = true;
            allocate();
            startThread();
        } catch (IOException e) {
            failure = e;
            tell();
        } finally {
            lock.unlock();
        }
    }

    /// The exchange is over.
    void stop() {
        lock.lock();
        try {
            stopped = true;
            memory.release();
            changed.signalAll();
            tell();
        } finally {
            lock.unlock();
        }
    }

    private void tell() {
        Runnable task = readable;
        readable = null;
        if (task != null) {
            loop.execute(task);
        }
    }

    private void work() {
        try {
            while (awaitRoom()) {
                int count = read();
                boolean last = count < 0 || real.inputEnded();
                if (!came(count, last)) {
                    return;
                }
            }
        } catch (IOException e) {
            fail(e);
        } catch (RuntimeException e) {
            fail(new IOException(e.getMessage(), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int read() throws IOException {
        if (exclusive == null) {
            return readOn();
        }
        exclusive.lock();
        try {
            return readOn();
        } finally {
            exclusive.unlock();
        }
    }

    /// Waits for content, and takes what has come with it: with the end, as a rule.
    private int readOn() throws IOException {
        int filled = real.read(bytes, 0, bytes.length);
        while (filled > 0 && filled < bytes.length && !real.inputEnded()) {
            int count = real.poll(bytes, filled, bytes.length - filled);
            if (count <= 0) {
                break;
            }
            filled += count;
        }
        return filled;
    }

    private boolean awaitRoom() throws InterruptedException {
        lock.lock();
        try {
            while (from < to && !stopped) {
                changed.await();
            }
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    /// @return whether to go on
    private boolean came(int count, boolean last) {
        lock.lock();
        try {
            from = 0;
            to = Math.max(count, 0);
            ended = last;
            tell();
            return !last;
        } finally {
            lock.unlock();
        }
    }

    private void fail(IOException cause) {
        lock.lock();
        try {
            failure = cause;
            tell();
        } finally {
            lock.unlock();
        }
    }
}
