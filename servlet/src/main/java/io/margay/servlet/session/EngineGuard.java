package io.margay.servlet.session;

import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.Kind;
import io.margay.server.steps.Steps.Step;
import io.margay.servlet.session.engine.EngineFullException;
import io.margay.servlet.session.engine.EngineReading;
import io.margay.servlet.session.engine.EngineReading.State;
import io.margay.servlet.session.engine.EngineReadingBuilder;
import io.margay.servlet.session.engine.SessionCallEvent;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.SharedSessionLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Stands before an engine (circuit breaker): after some failures in a row, and if it does not take
/// a write of our own either, nobody asks it any more, and a thread of its own tries that write,
/// less and less often, until it is taken. A full engine is still asked what it has. Who cannot do
/// without an answer may wait for that for a while. Thread-safe without a lock.
final class EngineGuard implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EngineGuard.class.getName());

    private final String store;
    private final SessionEngine engine;
    private final SharedSessionLimits limits;
    private final Runnable back;
    private final AtomicInteger failuresInRow = new AtomicInteger();
    private final AtomicReference<@Nullable Outage> outage = new AtomicReference<>();
    private final Semaphore waiters;
    private final LongAdder calls = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder aways = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder late = new LongAdder();
    private volatile String failure = "";
    private volatile boolean full;
    private volatile boolean closed;

    /// Held by the one caller who finds out whether failures are the engine's.
    private final AtomicBoolean doubting = new AtomicBoolean();

    /// @param back is run when the engine is there again
    EngineGuard(String store, SessionEngine engine, SharedSessionLimits limits, Runnable back) {
        this.store = store;
        this.engine = engine;
        this.limits = limits;
        this.back = back;
        this.waiters = new Semaphore(limits.lookupWaitersMax());
    }

    /// A time in which the engine does not answer.
    ///
    /// @param sinceNanos when that was noticed
    /// @param over opened when it answers again
    private record Outage(long sinceNanos, CountDownLatch over) {}

    /// What is asked of an engine.
    @FunctionalInterface
    interface Call<T> {
        T of(SessionEngine engine) throws IOException;
    }

    /// Asks for what needs room, on the calling thread, unless the engine is away or full.
    ///
    /// @param what it is asked for, as those who follow the request are told
    <T> T ask(String what, Call<T> call) throws EngineAwayException {
        return ask(what, call, isAway());
    }

    /// Asks for what a full engine can do as well: finding sessions and removing them.
    <T> T askThoughFull(String what, Call<T> call) throws EngineAwayException {
        return ask(what, call, isAway() && !full);
    }

    private <T> T ask(String what, Call<T> call, boolean refuse) throws EngineAwayException {
        if (refuse || closed) {
            refused.increment();
            throw new EngineAwayException();
        }
        long begin = System.nanoTime();
        Step step = Steps.begin(Kind.SESSION, what, store);
        Exception failed = null;
        calls.increment();
        try {
            T answer = call.of(engine);
            failuresInRow.set(0);
            return answer;
        } catch (IOException | RuntimeException e) {
            failed = e;
            failures.increment();
            failed(e);
            throw new EngineAwayException("the session store does not answer", e);
        } finally {
            long took = System.nanoTime() - begin;
            nanos.add(took);
            step.end(failed);
            if (FlightRecorder.isInitialized()) {
                SessionCallEvent.ended(store, failed != null, took);
            }
        }
    }

    private void failed(Exception cause) {
        LOG.log(Level.DEBUG, "a call of the session store failed", cause);
        // What is found in between would hide that nothing is written.
        boolean enough =
                failuresInRow.incrementAndGet() >= limits.failuresMax()
                        || cause instanceof EngineFullException;
        if (!enough || !doubting.compareAndSet(false, true)) {
            return;
        }
        try {
            // Where the engine takes a write of ours, the failures are those of single sessions.
            if (look()) {
                failuresInRow.set(0);
            } else {
                away(failure);
            }
        } finally {
            doubting.set(false);
        }
    }

    private void away(String why) {
        Outage begun = new Outage(System.nanoTime(), new CountDownLatch(1));
        if (closed || !outage.compareAndSet(null, begun)) {
            return;
        }
        failure = why;
        aways.increment();
        LOG.log(
                Level.WARNING,
                full
                        ? "sessions: {0} is full ({1}); changes stay in memory until it has room"
                        : "sessions: {0} does not answer ({1}); they stay in memory until it does",
                store,
                why);
        Thread.ofVirtual().name("margay-sessions-probe").start(this::awaitEngine);
    }

    private void awaitEngine() {
        long wait = limits.awayFirst().toNanos();
        do {
            LockSupport.parkNanos(this, wait);
            wait = Math.min(2 * wait, limits.awayMax().toNanos());
        } while (!closed && isAway() && !look());
        // Also when the server stops: nobody waits for an engine that is asked no more.
        back();
    }

    /// Asks for a sign of life, also while the engine is away, which it is not any more then.
    ///
    /// @return whether there is one
    boolean look() {
        try {
            engine.check();
            failure = "";
            full = false;
            back();
            return true;
        } catch (IOException | RuntimeException e) {
            full = e instanceof EngineFullException;
            failure = String.valueOf(e.getMessage());
            return false;
        }
    }

    private void back() {
        Outage over = outage.get();
        if (over == null) {
            return;
        }
        failuresInRow.set(0);
        if (!outage.compareAndSet(over, null)) {
            return;
        }
        over.over.countDown();
        if (!closed) {
            LOG.log(Level.INFO, "sessions: {0} answers again", store);
            back.run();
        }
    }

    /// Asks for a sign of life after a failure; without one the engine counts as away.
    boolean isThere() {
        if (isAway()) {
            return false;
        }
        if (look()) {
            return true;
        }
        away(failure);
        return false;
    }

    /// A change was left out, for a newer one of another server.
    void late() {
        late.increment();
    }

    /// Waits until the engine has answered for the first time: a process that has just started may
    /// need longer than a call may take to find it. Without an answer in time it is away.
    void awaitFirst() {
        FutureTask<Boolean> first = new FutureTask<>(this::lookUntilAnswered);
        Thread.ofVirtual().name("margay-sessions-first").start(first);
        String why = "it has not answered since the start";
        try {
            if (first.get(limits.firstWait().toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (TimeoutException e) {
            first.cancel(true);
        } catch (ExecutionException e) {
            why = String.valueOf(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        away(failure.isEmpty() ? why : failure);
    }

    /// An engine that refuses at once is not there; one that takes its time may be.
    private boolean lookUntilAnswered() {
        long end = System.nanoTime() + limits.firstWait().toNanos();
        long slow = limits.awayFirst().toNanos();
        int refusals = 0;
        while (!closed && refusals < limits.failuresMax() && System.nanoTime() - end < 0) {
            long begin = System.nanoTime();
            if (look()) {
                return true;
            }
            if (System.nanoTime() - begin < slow) {
                refusals++;
                LockSupport.parkNanos(this, slow / 4);
            }
        }
        return false;
    }

    /// Waits within bounds for an engine that is away.
    ///
    /// @return whether it may be asked
    boolean awaitBack() {
        Outage now = outage.get();
        if (now == null) {
            return true;
        }
        if (isAwayForLong() || !waiters.tryAcquire()) {
            return false;
        }
        try {
            return now.over.await(limits.lookupWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiters.release();
        }
    }

    /// Whether the engine has been away for so long that one goes on as if what it has was lost.
    boolean isAwayForLong() {
        Outage now = outage.get();
        return now != null
                && System.nanoTime() - now.sinceNanos >= limits.lookupsRefusedFor().toNanos();
    }

    /// Asks for a sign of life, for who wants to know.
    void check() throws IOException {
        engine.check();
    }

    /// See the engine's; true only while it has not failed lately.
    boolean isNear(SessionKey key, long version) {
        return !isAway() && engine.isNear(key, version);
    }

    void letGo(SessionKey key) {
        engine.letGo(key);
    }

    int attributeNameBytesMax() {
        return engine.attributeNameBytesMax();
    }

    boolean isClosed() {
        return closed;
    }

    /// Whether it answers and has no room for what is written.
    boolean isFull() {
        return isAway() && full;
    }

    /// Whether it is not to be written to: it does not answer, or is full.
    boolean isAway() {
        return outage.get() != null;
    }

    EngineReading reading(int pending) {
        return EngineReadingBuilder.builder()
                .store(store)
                .state(!isAway() ? State.THERE : full ? State.FULL : State.AWAY)
                .failure(failure)
                .calls(calls.sum())
                .failures(failures.sum())
                .refused(refused.sum())
                .aways(aways.sum())
                .nanos(nanos.sum())
                .late(late.sum())
                .pending(pending)
                .build();
    }

    @Override
    public void close() {
        closed = true;
        engine.close();
    }
}
