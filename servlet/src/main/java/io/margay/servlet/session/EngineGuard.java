package io.margay.servlet.session;

import io.margay.servlet.session.engine.EngineReading;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.SharedSessionLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// Stands before an engine (circuit breaker): after some failures in a row nobody waits for it any
/// more, and a thread of its own asks for a sign of life, less and less often, until there is one.
/// Thread-safe without a lock.
final class EngineGuard implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EngineGuard.class.getName());

    private final String store;
    private final SessionEngine engine;
    private final SharedSessionLimits limits;
    private final Runnable back;
    private final AtomicInteger failuresInRow = new AtomicInteger();
    private final AtomicBoolean away = new AtomicBoolean();
    private final LongAdder calls = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder aways = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private volatile String failure = "";
    private volatile boolean closed;

    /// @param back is run when the engine is there again
    EngineGuard(String store, SessionEngine engine, SharedSessionLimits limits, Runnable back) {
        this.store = store;
        this.engine = engine;
        this.limits = limits;
        this.back = back;
    }

    /// What is asked of an engine.
    @FunctionalInterface
    interface Call<T> {
        T of(SessionEngine engine) throws IOException;
    }

    /// Asks, on the calling thread, unless the engine is away.
    <T> T ask(Call<T> call) throws EngineAwayException {
        if (away.get() || closed) {
            refused.increment();
            throw new EngineAwayException();
        }
        long begin = System.nanoTime();
        calls.increment();
        try {
            T answer = call.of(engine);
            failuresInRow.set(0);
            return answer;
        } catch (IOException | RuntimeException e) {
            failures.increment();
            failed(e);
            throw new EngineAwayException("the engine of sessions does not answer", e);
        } finally {
            nanos.add(System.nanoTime() - begin);
        }
    }

    private void failed(Exception cause) {
        LOG.log(Level.DEBUG, "a call of the engine of sessions failed", cause);
        if (failuresInRow.incrementAndGet() >= limits.failuresMax()
                && !closed
                && away.compareAndSet(false, true)) {
            failure = String.valueOf(cause.getMessage());
            aways.increment();
            LOG.log(
                    Level.WARNING,
                    "sessions: {0} does not answer ({1}); they go on in memory until it does",
                    store,
                    failure);
            Thread.ofVirtual().name("margay-sessions-probe").start(this::awaitEngine);
        }
    }

    private void awaitEngine() {
        long wait = limits.awayFirst().toNanos();
        while (!closed) {
            LockSupport.parkNanos(this, wait);
            wait = Math.min(2 * wait, limits.awayMax().toNanos());
            try {
                engine.check();
                break;
            } catch (IOException | RuntimeException e) {
                failure = String.valueOf(e.getMessage());
            }
        }
        failure = "";
        failuresInRow.set(0);
        away.set(false);
        if (!closed) {
            LOG.log(Level.INFO, "sessions: {0} answers again", store);
            back.run();
        }
    }

    /// Asks for a sign of life, for who wants to know.
    void check() throws IOException {
        engine.check();
    }

    /// See the engine's; true only while it has not failed lately.
    boolean isNear(SessionKey key, long version) {
        return !away.get() && engine.isNear(key, version);
    }

    void letGo(SessionKey key) {
        engine.letGo(key);
    }

    int attributeNameBytesMax() {
        return engine.attributeNameBytesMax();
    }

    boolean isAway() {
        return away.get();
    }

    EngineReading reading(int pending) {
        return new EngineReading(
                store,
                !away.get(),
                failure,
                calls.sum(),
                failures.sum(),
                refused.sum(),
                aways.sum(),
                nanos.sum(),
                pending);
    }

    @Override
    public void close() {
        closed = true;
        engine.close();
    }
}
