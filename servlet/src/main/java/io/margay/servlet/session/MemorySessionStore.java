package io.margay.servlet.session;

import io.margay.servlet.session.SessionStores.Purpose;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Sessions in the memory of this process, kept in a file while the application is down.
/// Thread-safe; `identity` guards the pair of an identifier in the map and in its session, which
/// changes at logins and ends; `life` guards who follows, so that at a stop the sessions go either
/// to the file or to the follower. Nothing else takes a lock.
public final class MemorySessionStore implements SessionStore {
    private final ConcurrentHashMap<String, WebSession> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder created = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder restored = new LongAdder();
    private final LongAdder kept = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final ReentrantLock identity = new ReentrantLock();
    private final ReentrantLock life = new ReentrantLock();
    private final SessionIds ids;
    private final SessionEvents events;
    private final SessionClock clock;
    private final int sessionsMax;
    private final @Nullable Path file;
    private final ClassLoader loader;
    private final Duration handoverWait;
    private final SessionImage image;

    /// Where sessions come from that the previous application still has; mostly null.
    private volatile @Nullable Before before;

    /// Who takes over, so that there is nothing to keep here; null = nobody.
    private @Nullable MemorySessionStore follower;

    private boolean stopped;

    /// The sessions that the previous application still has, in this process or another.
    interface Before {
        /// Whether it has a session, as far as that can be told without waiting.
        boolean knows(String id);

        /// The number of those that are not taken over yet, as far as that is known.
        int size();

        /// Moves a session if the previous application has it; when this returns, it has been moved
        /// or there is none.
        void bring(String id);

        /// Moves all that is left.
        void bringAll();
    }

    /// A store without sessions.
    MemorySessionStore(Purpose purpose) {
        this.ids = purpose.ids();
        this.events = purpose.events();
        this.clock = purpose.clock();
        this.sessionsMax = purpose.sessionsMax();
        this.file = purpose.file();
        this.loader = purpose.loader();
        this.handoverWait = purpose.handoverWait();
        this.image = new SessionImage(events);
    }

    // Life

    @Override
    public int start() throws IOException {
        SessionFile.Count count =
                file == null
                        ? SessionFile.Count.NONE
                        : new SessionFile(file, events).load(this, loader);
        restored.add(count.done());
        tell(count, "restored");
        return count.done();
    }

    private void tell(SessionFile.Count count, String what) {
        lost.add(count.lost());
        if (count.done() + count.lost() > 0) {
            events.told("sessions " + what + ": " + count.done() + ", lost: " + count.lost());
        }
    }

    @Override
    public void follow(SessionStore other) {
        if (other instanceof MemorySessionStore memory && !memory.isFollowedBy(this)) {
            // It was stopped, and its file written, after this one had looked for the file.
            try {
                start();
            } catch (IOException e) {
                events.failed("sessions are not restored", e);
            }
        }
    }

    @Override
    public void follow(Elsewhere other) {
        before = new ProcessHandover(other, this);
    }

    @Override
    public byte @Nullable [] give(String id) throws IOException {
        WebSession session = find(id);
        if (session != null) {
            SessionHandover.awaitIdle(session, System.nanoTime(), handoverWait.toNanos());
        }
        life.lock();
        try {
            if (stopped) {
                throw new IOException("sessions are given no more");
            }
            WebSession there = find(id);
            if (there == null) {
                return null;
            }
            Set<String> classes = new TreeSet<>();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            image.write(there, classes, new DataOutputStream(bytes));
            forget(there);
            return ProcessHandover.message(classes, bytes.toByteArray());
        } finally {
            life.unlock();
        }
    }

    /// Makes another store the follower, unless this one has been stopped.
    private boolean isFollowedBy(MemorySessionStore next) {
        life.lock();
        try {
            if (stopped) {
                return false;
            }
            next.before = new SessionHandover(this, next, next.handoverWait);
            follower = next;
            return true;
        } finally {
            life.unlock();
        }
    }

    @Override
    public void followed() {
        Before handover = before;
        if (handover != null) {
            handover.bringAll();
            before = null;
        }
    }

    @Override
    public void stop() {
        followed();
        MemorySessionStore next;
        life.lock();
        try {
            stopped = true;
            next = follower;
            if (next == null && file != null) {
                keep(file);
            }
        } finally {
            life.unlock();
        }
        if (next != null) {
            next.followed();
        }
        all().forEach(WebSession::end);
    }

    private void keep(Path where) {
        try {
            SessionFile.Count written = new SessionFile(where, events).save(this);
            kept.add(written.done());
            tell(written, "kept");
        } catch (IOException | RuntimeException e) {
            int all = count.get();
            lost.add(all);
            events.failed("sessions cannot be kept, and are lost: " + all, e);
        }
    }

    // For the one that follows

    ClassLoader loader() {
        return loader;
    }

    SessionImage image() {
        return image;
    }

    void failed(String what, Throwable cause) {
        events.failed(what, cause);
    }

    // Sessions

    @Override
    public WebSession create(int maxInactiveSeconds) {
        if (count.incrementAndGet() > sessionsMax) {
            count.decrementAndGet();
            refused.increment();
            throw new IllegalStateException("there are " + sessionsMax + " sessions already");
        }
        WebSession session;
        do {
            session = new WebSession(this, events, clock, ids.next(), maxInactiveSeconds);
        } while (sessions.putIfAbsent(session.getId(), session) != null);
        created.increment();
        events.created(session);
        return session;
    }

    @Override
    public @Nullable WebSession find(String id) {
        if (!SessionIds.isWellFormed(id)) {
            return null;
        }
        WebSession session = sessions.get(id);
        Before handover = before;
        if (session == null && handover != null) {
            handover.bring(id);
            session = sessions.get(id);
        }
        if (session == null || !session.isLive()) {
            return null;
        }
        if (session.isExpired()) {
            session.end();
            return null;
        }
        return session;
    }

    @Override
    public @Nullable WebSession ready(String id) {
        WebSession session = SessionIds.isWellFormed(id) ? sessions.get(id) : null;
        return session != null && session.isLive() && !session.isExpired() ? session : null;
    }

    @Override
    public boolean knows(String id) {
        if (!SessionIds.isWellFormed(id)) {
            return false;
        }
        WebSession session = sessions.get(id);
        if (session != null) {
            return session.isLive() && !session.isExpired();
        }
        Before handover = before;
        return handover != null && handover.knows(id);
    }

    @Override
    public String changeId(WebSession session) {
        String before;
        String fresh;
        identity.lock();
        try {
            if (!session.isLive()) {
                throw new IllegalStateException("the session has been invalidated");
            }
            before = session.getId();
            do {
                fresh = ids.next();
            } while (sessions.putIfAbsent(fresh, session) != null);
            session.id(fresh);
            sessions.remove(before, session);
        } finally {
            identity.unlock();
        }
        events.idChanged(session, before);
        return fresh;
    }

    @Override
    public void remove(WebSession session) {
        identity.lock();
        try {
            if (sessions.remove(session.getId(), session)) {
                count.decrementAndGet();
                if (!session.isLive() && session.isExpired()) {
                    expired.increment();
                }
            }
        } finally {
            identity.unlock();
        }
    }

    /// A session that was written, to be filled and then [listed][#list].
    WebSession unlisted(String id, WebSession.Times times) {
        return new WebSession(this, events, clock, id, times, null);
    }

    /// Lets requests find a session.
    void list(WebSession session) {
        if (sessions.putIfAbsent(session.getId(), session) == null) {
            count.incrementAndGet();
        }
    }

    /// Forgets a session without telling anyone: it lives on in a file.
    void forget(WebSession session) {
        remove(session);
        session.login(null);
    }

    @Override
    public Collection<WebSession> all() {
        return new ArrayList<>(sessions.values());
    }

    @Override
    public int size() {
        Before handover = before;
        return handover == null ? count.get() : count.get() + handover.size();
    }

    @Override
    public SessionTotals totals() {
        return new SessionTotals(
                created.sum(),
                expired.sum(),
                refused.sum(),
                restored.sum(),
                kept.sum(),
                lost.sum());
    }

    @Override
    public void expire() {
        for (WebSession session : sessions.values()) {
            if (session.isExpired()) {
                session.end();
            } else {
                session.tidyLogin(clock.nanos());
            }
        }
    }
}
