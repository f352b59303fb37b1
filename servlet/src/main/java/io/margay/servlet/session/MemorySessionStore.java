package io.margay.servlet.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Sessions in the memory of this process. Thread-safe; `identity` guards the pair of an identifier
/// in the map and in its session, which changes at logins and ends. Nothing else takes a lock.
public final class MemorySessionStore implements SessionStore {
    private final ConcurrentHashMap<String, WebSession> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock identity = new ReentrantLock();
    private final SessionIds ids;
    private final SessionEvents events;
    private final SessionClock clock;
    private final int sessionsMax;

    /// A store without sessions.
    public MemorySessionStore(
            SessionIds ids, SessionEvents events, SessionClock clock, int sessionsMax) {
        this.ids = ids;
        this.events = events;
        this.clock = clock;
        this.sessionsMax = sessionsMax;
    }

    @Override
    public WebSession create(int maxInactiveSeconds) {
        if (count.incrementAndGet() > sessionsMax) {
            count.decrementAndGet();
            throw new IllegalStateException("there are " + sessionsMax + " sessions already");
        }
        WebSession session;
        do {
            session = new WebSession(this, events, clock, ids.next(), maxInactiveSeconds);
        } while (sessions.putIfAbsent(session.getId(), session) != null);
        events.created(session);
        return session;
    }

    @Override
    public @Nullable WebSession find(String id) {
        if (!SessionIds.isWellFormed(id)) {
            return null;
        }
        WebSession session = sessions.get(id);
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
            }
        } finally {
            identity.unlock();
        }
    }

    /// Takes back a session read from a file.
    WebSession restore(String id, int maxInactiveSeconds, long createdMillis, long accessedMillis) {
        WebSession session =
                new WebSession(
                        this, events, clock, id, maxInactiveSeconds, createdMillis, accessedMillis);
        if (sessions.putIfAbsent(id, session) == null) {
            count.incrementAndGet();
        }
        return session;
    }

    /// Forgets a session without telling anyone: it lives on in a file.
    void forget(WebSession session) {
        remove(session);
    }

    @Override
    public Collection<WebSession> all() {
        return new ArrayList<>(sessions.values());
    }

    @Override
    public int size() {
        return count.get();
    }

    @Override
    public void expire() {
        for (WebSession session : sessions.values()) {
            if (session.isExpired()) {
                session.end();
            }
        }
    }
}
