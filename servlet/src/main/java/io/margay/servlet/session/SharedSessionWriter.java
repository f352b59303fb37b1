package io.margay.servlet.session;

import io.margay.servlet.session.SessionStores.Purpose;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine.Saved;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.SharedSessionLimits;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Writes sessions to the engine: at once on the thread of the request, or later on a thread of its
/// own, which there is while something waits and the engine is there. Thread-safe. What waits is
/// bounded by the sessions that the store may have here, and by `removalsMax`.
final class SharedSessionWriter {
    private static final System.Logger LOG = System.getLogger(SharedSessionWriter.class.getName());

    /// After so many attempts that fail while the engine takes others, a session stays here.
    private static final int REFUSALS_MAX = 5;

    /// A process that has stood still finds the time of its call over, so it tries again at once;
    /// and once more if the engine takes a write of ours then.
    private static final int ATTEMPTS_MAX = 3;

    private static final int REASON_CHARS_MAX = 200;

    private final Set<WebSession> pending = ConcurrentHashMap.newKeySet();
    private final Set<String> removals = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean running = new AtomicBoolean();
    private final Purpose purpose;
    private final EngineGuard guard;
    private final SharedSessionImage image;
    private final SessionWrite when;
    private final SharedSessionLimits limits;
    private volatile boolean stopped;

    SharedSessionWriter(
            Purpose purpose,
            EngineGuard guard,
            SharedSessionImage image,
            SessionWrite when,
            SharedSessionLimits limits) {
        this.purpose = purpose;
        this.guard = guard;
        this.image = image;
        this.when = when;
        this.limits = limits;
    }

    // At once

    /// A request has come to a moment at which its session may be written.
    ///
    /// @return false if it was to be written before the response, and could not be
    boolean save(WebSession session, SessionWrite now) {
        SessionChanges changes = SharedSessionStore.changes(session);
        if (!changes.isSuspect() || (when == SessionWrite.AFTER && now == SessionWrite.BEFORE)) {
            return true;
        }
        if (when == SessionWrite.LAZILY) {
            if (now == SessionWrite.AFTER) {
                later(session);
            }
            return true;
        }
        return write(session) || when != SessionWrite.BEFORE;
    }

    /// Writes what has changed; if that cannot be done now, later.
    ///
    /// @return whether a response may say that it was done: it was, or sessions go on in memory
    ///   while the engine is away, or this one stays here
    boolean write(WebSession session) {
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            try {
                writeNow(session);
                return true;
            } catch (EngineAwayException e) {
                boolean there = attempt == 1 ? !guard.isAway() : guard.isThere();
                if (!there || guard.isClosed()) {
                    later(session);
                    return !guard.isFull();
                }
                if (isGivenUp(session, e)) {
                    return true;
                }
            }
        }
        later(session);
        return false;
    }

    /// The engine is there and did not take this session: after some attempts it stays here, but
    /// for one attempt with each request that changes it.
    private boolean isGivenUp(WebSession session, EngineAwayException failure) {
        if (guard.isAway() || guard.isClosed()) {
            return false;
        }
        AtomicInteger refused = SharedSessionStore.changes(session).refusals;
        int refusals = refused.incrementAndGet();
        if (refusals == REFUSALS_MAX) {
            if (!guard.look()) {
                refused.set(0);
                return false;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: the store refuses a session, which stays on this server: {1}",
                    purpose.application(),
                    reason(failure));
        }
        return refusals >= REFUSALS_MAX;
    }

    /// The first line of what the store has said, bounded: databases quote what they refuse in the
    /// next ones.
    private static String reason(EngineAwayException failure) {
        Throwable cause = failure.getCause();
        String said = cause == null ? null : cause.getMessage();
        String line = String.valueOf(said).lines().findFirst().orElse("");
        return line.length() > REASON_CHARS_MAX ? line.substring(0, REASON_CHARS_MAX) : line;
    }

    private void writeNow(WebSession session) throws EngineAwayException {
        SessionChanges changes = SharedSessionStore.changes(session);
        changes.writing.lock();
        try {
            Saved saved = session.isLive() ? write(session, changes) : null;
            if (saved instanceof Saved.Absent) {
                // It was lost there; it is here.
                changes.whole();
                saved = write(session, changes);
            }
            if (saved instanceof Saved.Removed) {
                session.abandon();
            } else {
                removeFormer(changes);
            }
        } finally {
            changes.writing.unlock();
        }
    }

    private @Nullable Saved write(WebSession session, SessionChanges changes)
            throws EngineAwayException {
        SessionChange change;
        try {
            change = image.change(session);
        } catch (IOException e) {
            purpose.events().failed("a session cannot be written", e);
            return null;
        }
        if (change == null) {
            return null;
        }
        SessionKey key = key(session.getId());
        boolean done = false;
        try {
            Saved saved = guard.ask("save", engine -> engine.save(key, change));
            if (saved instanceof Saved.As(long version, Set<String> late)) {
                image.written(changes, change, version, late);
                late.forEach(this::late);
                changes.refusals.set(0);
                done = true;
            }
            return saved;
        } finally {
            if (!done) {
                image.restore(changes, change);
            }
        }
    }

    /// A change was left out.
    void late(String name) {
        guard.late();
        LOG.log(
                System.Logger.Level.DEBUG,
                "{0}: attribute {1} stays as another server has left it",
                purpose.application(),
                name);
    }

    private SessionKey key(String id) {
        return new SessionKey(purpose.application(), id);
    }

    // Identifiers that are no longer one

    /// A session has another identifier; its `writing` is held. It is there under that soon, whole,
    /// and then no longer under the one before.
    void renamed(WebSession session, String before) {
        SessionChanges changes = SharedSessionStore.changes(session);
        changes.whole();
        changes.version = 0;
        changes.digests.clear();
        if (changes.formerIds.size() < limits.formerIdsMax()) {
            changes.formerIds.add(before);
        } else {
            removed(before);
        }
    }

    private void removeFormer(SessionChanges changes) throws EngineAwayException {
        for (String former : List.copyOf(changes.formerIds)) {
            guard.ask("remove", engine -> engine.remove(key(former)));
            changes.formerIds.remove(former);
        }
    }

    /// A session has ended, which the engine could not be told.
    void removed(String id) {
        if (removals.size() < limits.removalsMax()) {
            removals.add(id);
        }
        wake();
    }

    /// Whether a session has ended, which the engine has not been told yet.
    boolean isRemoved(String id) {
        return !removals.isEmpty() && removals.contains(id);
    }

    // Later

    /// Has a session written soon.
    void later(WebSession session) {
        pending.add(session);
        wake();
    }

    void forget(WebSession session) {
        pending.remove(session);
    }

    int pending() {
        return pending.size();
    }

    boolean hasWork() {
        return !pending.isEmpty() || !removals.isEmpty();
    }

    /// Has the thread run, if there is something to do that can be done.
    void wake() {
        if (hasWork() && !stopped && !guard.isAway() && running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("margay-sessions-" + purpose.application()).start(this::run);
        }
    }

    private void run() {
        Thread.currentThread().setContextClassLoader(purpose.loader());
        try {
            do {
                LockSupport.parkNanos(this, limits.lazyDelay().toNanos());
                drain();
            } while (hasWork() && !guard.isAway() && !stopped);
        } finally {
            running.set(false);
        }
        wake();
    }

    /// Whoever hears that the engine is there again wakes this thread.
    private void drain() {
        for (String id : List.copyOf(removals)) {
            try {
                guard.askThoughFull("remove", engine -> engine.remove(key(id)));
                removals.remove(id);
            } catch (EngineAwayException e) {
                if (guard.isAway() || guard.isClosed()) {
                    return;
                }
            }
        }
        for (WebSession session : List.copyOf(pending)) {
            try {
                writeNow(session);
                pending.remove(session);
                if (session.isLive() && SharedSessionStore.changes(session).isDirty()) {
                    // Changed while it was written.
                    pending.add(session);
                }
            } catch (EngineAwayException e) {
                if (guard.isAway() || guard.isClosed()) {
                    return;
                }
                if (isGivenUp(session, e) && !stopped) {
                    pending.remove(session);
                }
            }
        }
    }

    /// An engine that counts as away may have come back since it was asked last, or does so in
    /// time.
    private void drainAtLast() {
        long end = System.nanoTime() + limits.stopWait().toNanos();
        while (hasWork() && !guard.isClosed() && System.nanoTime() - end < 0) {
            if (!guard.isAway() || guard.look()) {
                drain();
            }
            if (hasWork()) {
                LockSupport.parkNanos(this, limits.awayFirst().toNanos() / 4);
            }
        }
    }

    /// Writes what is left, within bounds of time, and ends.
    void stop(Collection<WebSession> sessions) {
        stopped = true;
        long begin = System.nanoTime();
        for (WebSession session : sessions) {
            if (SharedSessionStore.changes(session).isSuspect()) {
                pending.add(session);
            }
        }
        if (hasWork()) {
            Thread last = Thread.ofVirtual().unstarted(this::drainAtLast);
            last.setContextClassLoader(purpose.loader());
            last.start();
            try {
                boolean _ = last.join(limits.stopWait());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (hasWork()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: {1} sessions could not be written in {2} ms and are lost",
                    purpose.application(),
                    pending.size(),
                    (System.nanoTime() - begin) / 1_000_000);
        }
    }
}
