package io.margay.servlet.session;

import io.margay.servlet.session.SessionStores.Purpose;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngine.Lookup;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.SharedSessionLimits;
import io.margay.servlet.session.engine.StoredSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sessions of one application in an engine outside the process, which several servers share, with
/// copies here of those that were asked for lately. Each request asks the engine once whether the
/// copy still is the session; while the engine is away, the copy is. Of a session without a copy
/// nothing is known then, which is not the same as that there is none.
///
/// Thread-safe. What a session needs written waits in `pending`, if not written at once, for the
/// one thread that [SharedSessionWriter] has then. `SessionChanges.writing` of a session is held
/// while it is written or read anew.
final class SharedSessionStore implements SessionStore {
    /// The shortest time in which a gateway asks another server in place of this one.
    private static final long LATE_MILLIS = 1000;

    private final ConcurrentHashMap<String, WebSession> sessions = new ConcurrentHashMap<>();
    private final LongAdder created = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Purpose purpose;
    private final SessionClock clock;
    private final SessionEvents events;
    private final EngineGuard guard;
    private final SharedSessionImage image;
    private final SharedSessionWriter writer;
    private final SharedSessionLimits limits;
    private final boolean sticky;
    private final Consumer<SharedSessionStore> closed;

    SharedSessionStore(
            Purpose purpose,
            EngineGuard guard,
            SessionSeal seal,
            SessionWrite when,
            boolean sticky,
            SharedSessionLimits limits,
            Consumer<SharedSessionStore> closed) {
        this.purpose = purpose;
        this.clock = purpose.clock();
        this.events = purpose.events();
        this.guard = guard;
        this.limits = limits;
        this.sticky = sticky;
        this.closed = closed;
        this.image =
                new SharedSessionImage(
                        seal, purpose.loader(), events, limits, guard.attributeNameBytesMax());
        this.writer = new SharedSessionWriter(purpose, guard, image, when, limits);
    }

    // Life

    @Override
    public int start() {
        return 0;
    }

    @Override
    public void stop() {
        writer.stop(new ArrayList<>(sessions.values()));
        for (WebSession session : sessions.values()) {
            session.login(null);
        }
        sessions.clear();
        closed.accept(this);
    }

    /// The engine is there again.
    void writeSoon() {
        writer.wake();
    }

    int pending() {
        return writer.pending();
    }

    // Sessions

    @Override
    public WebSession create(int maxInactiveSeconds) {
        if (!hasRoom()) {
            refused.increment();
            throw new IllegalStateException(
                    "there are " + purpose.sessionsMax() + " sessions here already");
        }
        WebSession session;
        do {
            session =
                    new WebSession(
                            this,
                            events,
                            clock,
                            purpose.ids().next(),
                            WebSession.Times.now(clock, maxInactiveSeconds),
                            image.begin());
        } while (sessions.putIfAbsent(session.getId(), session) != null);
        created.increment();
        events.created(session);
        return session;
    }

    /// Makes room for one more copy, if there is none that can be let go, says so.
    private boolean hasRoom() {
        if (sessions.size() < purpose.sessionsMax()) {
            return true;
        }
        for (WebSession session : sessions.values()) {
            if (letGo(session)) {
                return true;
            }
        }
        return false;
    }

    /// Forgets a copy that the engine has, too, and that nobody uses.
    private boolean letGo(WebSession session) {
        boolean idle = !session.isInUse() && !changes(session).isSuspect();
        if (!idle || !sessions.remove(session.getId(), session)) {
            return false;
        }
        guard.letGo(key(session.getId()));
        return true;
    }

    @Override
    public @Nullable WebSession find(String id) {
        if (!SessionIds.isWellFormed(id) || writer.isRemoved(id)) {
            return null;
        }
        WebSession local = sessions.get(id);
        long known = local == null ? 0 : changes(local).version;
        try {
            return found(id, local, use(id, local));
        } catch (EngineAwayException e) {
            return local == null ? findLater(id) : findAgain(id, local, known, e.isLate());
        }
    }

    /// A request that has come to its session after a second was held up, and another one may have
    /// been sent in its place: where its client has gone, or a later request has changed the
    /// session on another server, it is not run, for what it sets would pass for newer.
    @Override
    public @Nullable WebSession find(String id, long begunMillis, BooleanSupplier isLeft) {
        WebSession found = find(id);
        if (found != null
                && clock.millis() - begunMillis >= LATE_MILLIS
                && (changes(found).isOlder(begunMillis) || isLeft.getAsBoolean())) {
            throw new UnknownException();
        }
        return found;
    }

    /// Looks once more at a session that is here, unless the engine is away: a process that has
    /// stood still finds the time of its call over, and what it has may be old. So may the request
    /// be: where others have changed the session meanwhile, it is not run, for what it sets would
    /// pass for newer than theirs.
    ///
    /// @param known the version that was here before the first look
    /// @param late whether that has taken too long
    private @Nullable WebSession findAgain(String id, WebSession local, long known, boolean late) {
        if (guard.isAway()) {
            return unlessEnded(local);
        }
        try {
            Lookup lookup = use(id, local);
            boolean older =
                    changes(local).version > known
                            || (lookup instanceof Lookup.Found(StoredSession it)
                                    && it.version() > known);
            if (late && older) {
                throw new UnknownException();
            }
            return found(id, local, lookup);
        } catch (EngineAwayException e) {
            // The copy is all there is now.
            return unlessEnded(local);
        }
    }

    private static @Nullable WebSession unlessEnded(WebSession local) {
        return local.isLive() && !local.isExpired() ? local : null;
    }

    /// Looks once more for a session that nobody has here, and of which a call that failed told
    /// nothing: to take it for lost would have the application begin a new one.
    private @Nullable WebSession findLater(String id) {
        try {
            if (guard.awaitBack()) {
                WebSession local = sessions.get(id);
                return found(id, local, use(id, local));
            }
        } catch (EngineAwayException e) {
            // Nothing is known still.
        }
        if (guard.isAwayForLong()) {
            return null;
        }
        throw new UnknownException();
    }

    private Lookup use(String id, @Nullable WebSession local) throws EngineAwayException {
        if (local != null) {
            SessionChanges changes = changes(local);
            if (changes.version == 0) {
                return new Lookup.Unchanged(local.accessedMillis());
            }
            if (isNear(id, local, changes)) {
                return new Lookup.Unchanged(local.accessedMillis());
            }
            long known = changes.stale ? 0 : changes.version;
            changes.usedNanos = clock.nanos();
            return ask(id, known);
        }
        return ask(id, 0);
    }

    private Lookup ask(String id, long known) throws EngineAwayException {
        SessionKey key = key(id);
        return sticky && purpose.ids().isRoutedHere(id)
                ? guard.askThoughFull("load", engine -> engine.useNear(key, known))
                : guard.askThoughFull("load", engine -> engine.use(key, known));
    }

    /// Whether the copy here is the session, as far as anybody can know.
    private boolean isNear(String id, WebSession local, SessionChanges changes) {
        if (!sticky || changes.stale || !purpose.ids().isRoutedHere(id) || local.isExpired()) {
            return false;
        }
        long age = SessionEngine.NEAR_MAX.toNanos();
        long interval = TimeUnit.SECONDS.toNanos(local.intervalSeconds());
        age = interval > 0 ? Math.min(age, interval / 4) : age;
        return clock.nanos() - changes.usedNanos < age && guard.isNear(key(id), changes.version);
    }

    private SessionKey key(String id) {
        return new SessionKey(purpose.application(), id);
    }

    private @Nullable WebSession found(String id, @Nullable WebSession local, Lookup lookup) {
        return switch (lookup) {
            case Lookup.Unchanged(long accessedMillis) -> {
                if (local != null) {
                    local.usedAt(accessedMillis);
                }
                yield live(local);
            }
            case Lookup.Found(StoredSession stored) -> {
                if (local != null && local.isLive()) {
                    image.refresh(local, stored);
                    yield live(local);
                }
                yield live(list(id, stored));
            }
            case Lookup.Absent() -> absent(local);
            case Lookup.Removed() -> {
                if (local != null) {
                    local.abandon();
                }
                yield null;
            }
        };
    }

    private static @Nullable WebSession live(@Nullable WebSession session) {
        return session != null && session.isLive() ? session : null;
    }

    /// The engine has no such session, and nobody has removed it: it has timed out, or the engine
    /// has lost what it had, and gets it anew.
    private @Nullable WebSession absent(@Nullable WebSession local) {
        if (local == null && guard.isFull() && !guard.isAwayForLong()) {
            // Another server may have made it, and found no room for it.
            throw new UnknownException();
        }
        if (local == null || !local.isLive()) {
            return null;
        }
        if (local.isExpired()) {
            local.end();
            return null;
        }
        changes(local).whole();
        return local;
    }

    /// A session that another server has made, or an earlier life of this one.
    private @Nullable WebSession list(String id, StoredSession stored) {
        WebSession session = load(stored);
        if (session == null) {
            return null;
        }
        hasRoom();
        WebSession other = sessions.putIfAbsent(id, session);
        return other == null ? session : other;
    }

    private @Nullable WebSession load(StoredSession stored) {
        try {
            SessionHead head = image.head(stored);
            SessionChanges changes = new SessionChanges(head.seed(), false);
            WebSession session =
                    new WebSession(
                            this,
                            events,
                            clock,
                            stored.id(),
                            new WebSession.Times(
                                    head.createdMillis(),
                                    stored.accessedMillis(),
                                    head.maxInactiveSeconds()),
                            changes);
            changes.usedNanos = clock.nanos();
            image.refresh(session, stored);
            return session;
        } catch (IOException e) {
            events.failed("a session cannot be read and is not used", e);
            return null;
        }
    }

    @Override
    public boolean knows(String id) {
        WebSession session = SessionIds.isWellFormed(id) ? sessions.get(id) : null;
        return session != null && session.isLive() && !session.isExpired();
    }

    @Override
    public String changeId(WebSession session) {
        SessionChanges changes = changes(session);
        String before;
        String fresh;
        changes.writing.lock();
        try {
            if (!session.isLive()) {
                throw new IllegalStateException("the session has been invalidated");
            }
            before = session.getId();
            do {
                fresh = purpose.ids().next();
            } while (sessions.putIfAbsent(fresh, session) != null);
            session.id(fresh);
            sessions.remove(before, session);
            if (changes.version != 0) {
                writer.renamed(session, before);
            }
        } finally {
            changes.writing.unlock();
        }
        events.idChanged(session, before);
        boolean _ = writer.write(session); // before the response it is tried again
        return fresh;
    }

    @Override
    public boolean save(WebSession session, SessionWrite now) {
        return writer.save(session, now);
    }

    @Override
    public void late(String name) {
        writer.late(name);
    }

    @Override
    public boolean ends(WebSession session) {
        SessionChanges changes = changes(session);
        if (changes.isClaimed() || changes.version == 0) {
            return true;
        }
        boolean mine = true;
        for (String former : List.copyOf(changes.formerIds)) {
            writer.removed(former);
        }
        String id = session.getId();
        try {
            mine = guard.askThoughFull("remove", engine -> engine.remove(key(id)));
        } catch (EngineAwayException e) {
            writer.removed(id);
        }
        return mine;
    }

    @Override
    public void remove(WebSession session) {
        if (sessions.remove(session.getId(), session)
                && !session.isLive()
                && session.isExpired()
                && changes(session).isClaimed()) {
            expired.increment();
        }
        writer.forget(session);
    }

    @Override
    public Collection<WebSession> all() {
        return new ArrayList<>(sessions.values());
    }

    @Override
    public int size() {
        return sessions.size();
    }

    @Override
    public SessionTotals totals() {
        return new SessionTotals(created.sum(), expired.sum(), refused.sum());
    }

    @Override
    public void expire() {
        for (WebSession session : sessions.values()) {
            tidy(session);
        }
        if (writer.hasWork()) {
            writer.wake();
        }
        try {
            int taken = limits.expiredMax();
            for (int i = 0; i < limits.expiredRounds() && taken == limits.expiredMax(); i++) {
                taken = takeExpired();
            }
        } catch (EngineAwayException e) {
            // They end when it is there again.
            return;
        }
    }

    private int takeExpired() throws EngineAwayException {
        String application = purpose.application();
        List<StoredSession> taken =
                guard.askThoughFull(
                        "expire", engine -> engine.takeExpired(application, limits.expiredMax()));
        for (StoredSession stored : taken) {
            WebSession local = sessions.get(stored.id());
            WebSession session = local != null && local.isLive() ? local : load(stored);
            if (session != null) {
                changes(session).claim();
                expired.increment();
                session.end();
            }
        }
        return taken.size();
    }

    private void tidy(WebSession session) {
        session.tidyLogin(clock.nanos());
        SessionChanges changes = changes(session);
        if (changes.isDirty()) {
            // Changed outside a request, or the engine was away.
            if (changes.version == 0 && session.isExpired()) {
                session.end();
            } else {
                writer.later(session);
            }
        } else if (session.isInUse()) {
            keep(session);
        } else if (session.idleNanos() > limits.localIdle().toNanos()) {
            letGo(session);
        }
    }

    /// Tells the engine of a session that a long request uses, before its interval is over there.
    private void keep(WebSession session) {
        SessionChanges changes = changes(session);
        long interval = TimeUnit.SECONDS.toNanos(session.intervalSeconds());
        long wait = limits.localIdle().toNanos();
        wait = interval > 0 ? Math.min(wait, interval / 4) : wait;
        if (clock.nanos() - changes.usedNanos >= wait) {
            try {
                found(session.getId(), session, use(session.getId(), session));
            } catch (EngineAwayException e) {
                // It is in use here, and goes on.
                return;
            }
        }
    }

    static SessionChanges changes(WebSession session) {
        return Objects.requireNonNull(session.changes());
    }
}
