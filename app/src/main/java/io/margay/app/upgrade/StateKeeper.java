package io.margay.app.upgrade;

import io.margay.server.handover.StateLimits;
import io.margay.server.handover.TravellingState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps in the work folder what the next process goes on with: all of it at the end, and what not
/// even a crash may lose within a second of each change. Thread-safe; `lock` guards the file and
/// what was written last.
public final class StateKeeper {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final KeptState file;
    private final Supplier<List<TravellingState>> states;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private @Nullable Thread thread;
    private List<Long> written = List.of();
    private boolean closed;

    /// @param states those of the site in force
    public StateKeeper(Path work, Supplier<List<TravellingState>> states) {
        file = new KeptState(work, StateLimits.defaults(), InstantSource.system());
        this.states = states;
    }

    /// Has the site go on with what the process before has left in the folder.
    void restore() {
        lock.lock();
        try {
            file.restore(states.get());
        } finally {
            lock.unlock();
        }
    }

    /// What the next process goes on with.
    public List<TravellingState> states() {
        return states.get();
    }

    /// The process before has left the sockets to this one: takes over what that has learnt since,
    /// and keeps it from now on; and hears of the requests that it still has.
    public void takeOver(Predecessor before) {
        before.restore(kept());
        before.watch(() -> states.get().stream().filter(TravellingState::isLive).toList());
        start();
    }

    /// Begins to keep what has to be kept, if there is such a thing by now.
    public void start() {
        lock.lock();
        try {
            if (thread == null && !closed && !kept().isEmpty()) {
                thread = Thread.ofVirtual().name("margay-state").start(this::run);
            }
        } finally {
            lock.unlock();
        }
    }

    private List<TravellingState> kept() {
        return states.get().stream().filter(each -> each.revision() >= 0).toList();
    }

    private void run() {
        lock.lock();
        try {
            long left = 0;
            while (!closed) {
                if (left <= 0) {
                    write();
                    left = EVERY.toNanos();
                }
                left = closing.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        List<TravellingState> kept = kept();
        List<Long> revisions = new ArrayList<>();
        kept.forEach(each -> revisions.add(each.revision()));
        boolean never = written.isEmpty() && revisions.stream().allMatch(each -> each == 0);
        if (!never && !revisions.equals(written)) {
            file.write(kept);
            written = revisions;
        }
    }

    /// Ends it: another process keeps its own by now.
    public void leave() {
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The same at the end of the server: all that there is is written, unless [#leave] came
    /// before.
    public void close() {
        lock.lock();
        try {
            List<TravellingState> all =
                    closed
                            ? List.of()
                            : states.get().stream().filter(each -> !each.isLive()).toList();
            leave();
            if (!all.isEmpty()) {
                file.write(all);
            }
        } finally {
            lock.unlock();
        }
    }
}
