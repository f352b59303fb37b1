package io.margay.servlet.session;

import io.margay.servlet.session.engine.ChangeOrigin;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One session. Any number of threads may use it at once: attributes lie in a concurrent map, and
/// the end is a single transition of [State].
public final class WebSession implements HttpSession {
    /// What may be done with the session.
    private enum State {
        LIVE,
        /// Listeners are being told; attributes can be read, but it cannot be ended again.
        ENDING,
        ENDED
    }

    /// When a session was made, when it was used last, and how long it may rest.
    record Times(long createdMillis, long accessedMillis, int maxInactiveSeconds) {
        static Times now(SessionClock clock, int maxInactiveSeconds) {
            long now = clock.millis();
            return new Times(now, now, maxInactiveSeconds);
        }
    }

    private final SessionStore store;
    private final SessionEvents events;
    private final SessionClock clock;
    private final long creationMillis;

    /// What is to be written elsewhere; null = it lives in this process alone.
    private final @Nullable SessionChanges changes;

    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.LIVE);
    private final AtomicInteger requests = new AtomicInteger();

    /// What the container remembers of logging in.
    private final AtomicReference<@Nullable SessionLogin> login = new AtomicReference<>();

    private volatile String id;
    private volatile int maxInactiveSeconds;

    /// A shorter interval, until a user has logged in; 0 = none.
    private volatile int passingSeconds;

    private volatile boolean fresh = true;

    /// When the request before the current one came.
    private volatile long lastAccessedMillis;

    private volatile long accessedMillis;
    private volatile long accessedNanos;

    WebSession(
            SessionStore store,
            SessionEvents events,
            SessionClock clock,
            String id,
            int maxInactiveSeconds) {
        this(store, events, clock, id, Times.now(clock, maxInactiveSeconds), null);
    }

    WebSession(
            SessionStore store,
            SessionEvents events,
            SessionClock clock,
            String id,
            Times times,
            @Nullable SessionChanges changes) {
        this.store = store;
        this.changes = changes;
        this.events = events;
        this.clock = clock;
        this.id = id;
        this.maxInactiveSeconds = times.maxInactiveSeconds;
        this.creationMillis = times.createdMillis;
        this.lastAccessedMillis = times.accessedMillis;
        this.accessedMillis = times.accessedMillis;
        long idleMillis = Math.max(0, clock.millis() - times.accessedMillis);
        this.accessedNanos = clock.nanos() - TimeUnit.MILLISECONDS.toNanos(idleMillis);
    }

    // For the container

    /// A request of this session begins: it is no longer new, and not idle until [#release].
    public void access() {
        access(clock.millis());
    }

    /// The same of one that has begun before.
    ///
    /// @param begunMillis since the epoch
    public void access(long begunMillis) {
        requests.incrementAndGet();
        lastAccessedMillis = accessedMillis;
        touch();
        fresh = false;
        begins(begunMillis);
    }

    private void begins(long millis) {
        if (changes != null) {
            changes.begins(millis);
        }
    }

    /// The request that created this session uses it until [#release].
    public void join() {
        requests.incrementAndGet();
        begins(clock.millis());
    }

    /// A request of this session is over.
    public void release() {
        touchNanos();
        int left = requests.decrementAndGet();
        if (changes != null) {
            changes.ends(left == 0);
        }
    }

    /// Writes what has changed where the session is kept outside this process and that is to be
    /// done now. Waits for the engine, for as long as that may take at most.
    ///
    /// @param now which moment this is: before the response ends, or after
    /// @return false if it was to be written before the response, and could not be
    public boolean save(SessionWrite now) {
        return changes == null || store.save(this, now);
    }

    /// What is to be written elsewhere; null = it lives in this process alone.
    @Nullable SessionChanges changes() {
        return changes;
    }

    /// What [#login(SessionLogin)] was given, or a [SavedLogin] in a session that was written.
    public @Nullable SessionLogin login() {
        return login.get();
    }

    /// Remembers who the user is, where no code of the application can see or change it.
    public void login(@Nullable SessionLogin remembered) {
        SessionLogin before = login.getAndSet(remembered);
        if (before != null) {
            before.replacedBy(remembered);
        }
        if (changes != null && !Objects.equals(saved(before), saved(remembered))) {
            changes.head();
        }
        if (remembered != null && state.get() == State.ENDED) {
            login(null);
        }
    }

    private static @Nullable SavedLogin saved(@Nullable SessionLogin login) {
        return login == null ? null : login.saved();
    }

    /// Forgets what has been remembered of logging in for too long.
    @SuppressWarnings("ReferenceEquality") // whether there is a change
    void tidyLogin(long nowNanos) {
        SessionLogin before = login.get();
        if (before != null) {
            SessionLogin now = before.at(nowNanos);
            if (now != before && login.compareAndSet(before, now)) {
                before.replacedBy(now);
            }
        }
    }

    /// It ends when it has not been used for so long, unless a user logs in: it was made for that
    /// alone.
    public void endsAfter(int seconds) {
        passingSeconds = seconds;
        headChanged();
    }

    /// It ends no sooner than others.
    public void lasts() {
        passingSeconds = 0;
        headChanged();
    }

    private void headChanged() {
        if (changes != null) {
            changes.head();
        }
    }

    private void touch() {
        accessedMillis = clock.millis();
        touchNanos();
    }

    private void touchNanos() {
        accessedNanos = clock.nanos();
    }

    /// The interval that counts now; 0 or less = it never times out.
    int intervalSeconds() {
        int seconds = maxInactiveSeconds;
        int passing = passingSeconds;
        return passing > 0 && (seconds <= 0 || passing < seconds) ? passing : seconds;
    }

    int passingSeconds() {
        return passingSeconds;
    }

    /// Whether nobody has used it for its interval.
    public boolean isExpired() {
        int seconds = intervalSeconds();
        return seconds > 0
                && requests.get() == 0
                && clock.nanos() - accessedNanos >= TimeUnit.SECONDS.toNanos(seconds);
    }

    /// Whether a request uses it now.
    boolean isInUse() {
        return requests.get() > 0;
    }

    /// Whether it has not been ended.
    public boolean isLive() {
        return state.get() == State.LIVE;
    }

    void id(String fresh) {
        id = fresh;
    }

    /// Nanoseconds since it was last used here.
    long idleNanos() {
        return clock.nanos() - accessedNanos;
    }

    /// Ends the session if it is live.
    public void end() {
        if (!state.compareAndSet(State.LIVE, State.ENDING)) {
            return;
        }
        if (!store.ends(this)) {
            abandoned();
            return;
        }
        try {
            events.destroyed(this);
            for (String name : names()) {
                Object value = attributes.remove(name);
                if (value != null) {
                    unbound(name, value);
                    events.attributeChanged(this, name, value, null);
                }
            }
        } finally {
            state.set(State.ENDED);
            login(null);
            store.remove(this);
        }
    }

    /// Ends it here if it is live: it has been ended elsewhere, where its listeners have been told.
    void abandon() {
        if (state.compareAndSet(State.LIVE, State.ENDING)) {
            abandoned();
        }
    }

    private void abandoned() {
        attributes.clear();
        state.set(State.ENDED);
        login(null);
        store.remove(this);
    }

    /// It was used elsewhere.
    void usedAt(long millis) {
        accessedMillis = Math.max(accessedMillis, millis);
    }

    /// Takes over what is known of it elsewhere, silently.
    void restoreHead(int maxInactive, int passing, @Nullable SavedLogin known) {
        maxInactiveSeconds = maxInactive;
        passingSeconds = passing;
        SessionLogin before = login.get();
        if (!Objects.equals(saved(before), known) && login.compareAndSet(before, known)) {
            if (before != null) {
                before.replacedBy(known);
            }
        }
    }

    /// Takes an attribute away that has been removed elsewhere, silently.
    void forgetAttribute(String name) {
        attributes.remove(name);
    }

    /// Tells the attributes that ask for it that the session goes to, or comes from, a file.
    void passivate(boolean leaving) {
        HttpSessionEvent event = new HttpSessionEvent(this);
        for (Object value : new ArrayList<>(attributes.values())) {
            passivate(value, event, leaving);
        }
    }

    /// The same for one value.
    void passivate(Object value, boolean leaving) {
        passivate(value, new HttpSessionEvent(this), leaving);
    }

    private void passivate(Object value, HttpSessionEvent event, boolean leaving) {
        if (value instanceof HttpSessionActivationListener listener) {
            guarded(
                    "an activation listener",
                    () -> {
                        if (leaving) {
                            listener.sessionWillPassivate(event);
                        } else {
                            listener.sessionDidActivate(event);
                        }
                    });
        }
    }

    /// Puts back an attribute read from a file, silently.
    void restore(String name, Object value) {
        attributes.put(name, value);
    }

    Map<String, Object> attributes() {
        return attributes;
    }

    private List<String> names() {
        return new ArrayList<>(attributes.keySet());
    }

    private void requireValid() {
        if (state.get() == State.ENDED) {
            throw new IllegalStateException("the session has been invalidated");
        }
    }

    // HttpSession

    @Override
    public long getCreationTime() {
        requireValid();
        return creationMillis;
    }

    /// The same of one that is ending.
    long creationMillis() {
        return creationMillis;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public long getLastAccessedTime() {
        requireValid();
        return lastAccessedMillis;
    }

    long accessedMillis() {
        return accessedMillis;
    }

    @Override
    public ServletContext getServletContext() {
        return events.context();
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        maxInactiveSeconds = seconds;
        passingSeconds = 0;
        headChanged();
    }

    @Override
    public int getMaxInactiveInterval() {
        return maxInactiveSeconds;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        requireValid();
        Object value = name == null ? null : attributes.get(name);
        if (changes != null && name != null && value != null) {
            changes.read(name, value);
        }
        return value;
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        requireValid();
        return Collections.enumeration(names());
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public void setAttribute(String name, @Nullable Object value) {
        if (name == null) {
            throw new IllegalArgumentException("an attribute needs a name");
        }
        if (value == null) {
            removeAttribute(name);
            return;
        }
        requireValid();
        if (isLate(name)) {
            return;
        }
        if (value instanceof HttpSessionBindingListener listener && attributes.get(name) != value) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(this, name, value);
            guarded("a binding listener", () -> listener.valueBound(event));
        }
        ChangeOrigin since = origin();
        attributeChanges(name, since);
        Object before = attributes.put(name, value);
        attributeChanges(name, since);
        if (before != null && before != value) {
            unbound(name, before);
        }
        events.attributeChanged(this, name, before, value);
    }

    @Override
    public void removeAttribute(String name) {
        requireValid();
        if (name == null) {
            return;
        }
        if (isLate(name)) {
            return;
        }
        ChangeOrigin since = origin();
        attributeChanges(name, since);
        Object before = attributes.remove(name);
        attributeChanges(name, since);
        if (before != null) {
            unbound(name, before);
            events.attributeChanged(this, name, before, null);
        }
    }

    /// Whether the request of this thread was late: what another server has made of the attribute
    /// since it began remains.
    private boolean isLate(String name) {
        if (changes == null || !changes.isLate(name)) {
            return false;
        }
        store.late(name);
        return true;
    }

    private @Nullable ChangeOrigin origin() {
        return changes == null ? null : changes.origin();
    }

    private void attributeChanges(String name, @Nullable ChangeOrigin since) {
        if (changes != null && since != null) {
            changes.set(name, since);
        }
    }

    private void unbound(String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(this, name, value);
            guarded("a binding listener", () -> listener.valueUnbound(event));
        }
    }

    private void guarded(String what, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | LinkageError e) {
            events.failed(what, e);
        }
    }

    @Override
    public void invalidate() {
        if (state.get() != State.LIVE) {
            requireValid();
            return;
        }
        end();
    }

    @Override
    public boolean isNew() {
        requireValid();
        return fresh;
    }

    @Override
    public Accessor getAccessor() {
        requireValid();
        return new LaterAccess(this);
    }

    /// Access outside a request, which counts as a use of the session (Servlet 6.1 §7.4).
    private record LaterAccess(WebSession session) implements Accessor {
        @Override
        public void access(Consumer<HttpSession> use) {
            if (!session.isLive() || session.isExpired()) {
                throw new IllegalStateException("the session has been invalidated");
            }
            session.access();
            try {
                use.accept(session);
            } finally {
                session.release();
                boolean _ = session.save(SessionWrite.AFTER);
            }
        }
    }
}
