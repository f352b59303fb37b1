package io.margay.gateway.proxy;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes to a blocking connection for a loop that must not wait: steps are put into a queue and
/// done by a virtual thread. Guarded by `lock`, which is not held while a step is done.
///
/// The queue stays short: the gateway puts nothing more until the queue is empty, but for the head
/// and end of what it is at. Content in it is counted as memory, beyond the first, until then.
final class BridgedOutput {
    /// A write, or what comes between writes.
    interface Step {
        void run() throws IOException;
    }

    /// What each exchange may have in its queue without being counted.
    private static final int FREE_BYTES = 16 * 1024;

    private final Exchange real;
    private final Dialer loop;
    private final @Nullable ReentrantLock exclusive;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Step> steps = new ArrayDeque<>();
    private final MemoryBudget.Share memory;
    private long contentBytes;
    private boolean started;
    private boolean working;
    private boolean committed;
    private boolean stopped;
    private @Nullable IOException failure;
    private @Nullable Runnable writable;

    /// @param exclusive held while a step is done, where the connection's directions exclude each
    ///   other
    BridgedOutput(
            Exchange real, Dialer loop, @Nullable ReentrantLock exclusive, MemoryBudget budget) {
        this.real = real;
        this.loop = loop;
        this.exclusive = exclusive;
        memory = budget.share(FREE_BYTES);
    }

    /// Puts a step.
    ///
    /// @param commits whether the response is committed by it
    void put(boolean commits, Step step) throws IOException {
        lock.lock();
        try {
            if (failure != null || stopped) {
                throw new IOException("the client is gone", failure);
            }
            committed |= commits;
            steps.add(step);
            if (started) {
                changed.signalAll();
            } else {
                started = true;
                Thread.ofVirtual()
                        .name("margay-relay-out-" + real.connectionId())
                        .start(this::work);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Puts a step that writes content, and commits the response.
    void put(byte[] content, Step step) throws IOException {
        lock.lock();
        try {
            if (!memory.hold(contentBytes + content.length)) {
                throw new IOException("no memory for what the client does not take");
            }
            contentBytes += content.length;
            put(true, step);
        } finally {
            lock.unlock();
        }
    }

    private void forget() {
        steps.clear();
        contentBytes = 0;
        memory.release();
    }

    boolean isCommitted() {
        lock.lock();
        try {
            return committed;
        } finally {
            lock.unlock();
        }
    }

    /// Whether all steps are done.
    boolean isEmpty() {
        lock.lock();
        try {
            return steps.isEmpty() && !working;
        } finally {
            lock.unlock();
        }
    }

    void onWritable(Runnable task) {
        lock.lock();
        try {
            if ((steps.isEmpty() && !working) || stopped || failure != null) {
                loop.execute(task);
            } else {
                writable = task;
            }
        } finally {
            lock.unlock();
        }
    }

    /// The exchange is over.
    void stop() {
        lock.lock();
        try {
            stopped = true;
            forget();
            changed.signalAll();
            tell();
        } finally {
            lock.unlock();
        }
    }

    private void tell() {
        Runnable task = writable;
        writable = null;
        if (task != null) {
            loop.execute(task);
        }
    }

    private void work() {
        try {
            for (Step step = next(); step != null; step = next()) {
                run(step);
            }
        } catch (IOException e) {
            fail(e);
        } catch (RuntimeException e) {
            fail(new IOException(e.getMessage(), e));
            real.abort();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Step step) throws IOException {
        if (exclusive == null) {
            step.run();
            return;
        }
        exclusive.lock();
        try {
            step.run();
        } finally {
            exclusive.unlock();
        }
    }

    private void fail(IOException cause) {
        lock.lock();
        try {
            failure = cause;
            working = false;
            forget();
            tell();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Step next() throws InterruptedException {
        lock.lock();
        try {
            working = false;
            if (steps.isEmpty()) {
                forget();
                tell();
            }
            while (steps.isEmpty() && !stopped) {
                changed.await();
            }
            Step step = steps.poll();
            working = step != null;
            return step;
        } finally {
            lock.unlock();
        }
    }
}
