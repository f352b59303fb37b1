package io.margay.servlet.session;

import io.margay.servlet.session.engine.ChangeFence;
import io.margay.servlet.session.engine.ChangeOrigin;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SharedSessionLimits;
import io.margay.servlet.session.engine.StoredSession;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Turns what has changed of a session into bytes, and bytes into what has changed elsewhere.
/// Called with `SessionChanges.writing` of the session held. Thread-safe.
final class SharedSessionImage {
    /// A value that another request is changing is written again: a request takes no longer.
    private static final int ATTEMPTS_MAX = 5;

    /// More names of attributes that cannot be written are not told of.
    private static final int TOLD_MAX = 100;

    private static final int WRITER_BYTES = 8;

    /// The digest of what is not known here as it is there.
    private static final byte[] UNKNOWN = {};

    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong order = new AtomicLong();

    /// What no other server has, nor another life of this one.
    private final String writer;

    private final SessionSeal seal;
    private final ClassLoader loader;
    private final SessionEvents events;
    private final SharedSessionLimits limits;
    private final int nameBytesMax;

    SharedSessionImage(
            SessionSeal seal,
            ClassLoader loader,
            SessionEvents events,
            SharedSessionLimits limits,
            int nameBytesMax) {
        byte[] name = new byte[WRITER_BYTES];
        random.nextBytes(name);
        this.writer = HexFormat.of().formatHex(name);
        this.nameBytesMax = nameBytesMax;
        this.seal = seal;
        this.loader = loader;
        this.events = events;
        this.limits = limits;
    }

    /// Of a session that is made now.
    SessionChanges begin() {
        byte[] seed = new byte[SessionHead.SEED_BYTES];
        random.nextBytes(seed);
        return new SessionChanges(seed, true);
    }

    // Writing

    /// What is to be written; null = nothing. What it takes out of the changes of the session it
    /// answers, so that it can be put back.
    @Nullable SessionChange change(WebSession session) throws IOException {
        SessionChanges changes = SharedSessionStore.changes(session);
        boolean whole = changes.isWhole();
        Map<String, ChangeOrigin> since = changes.drainSet();
        Set<String> set = since.keySet();
        Set<String> read = changes.drainRead();
        boolean head = changes.drainHead() || whole;
        Map<String, Object> attributes = session.attributes();
        Map<String, byte[]> put = new HashMap<>();
        Set<String> removed = new HashSet<>();
        Set<String> names = whole ? Set.copyOf(attributes.keySet()) : union(set, read);
        long room = AttributeBytes.SESSION_BYTES_MAX - (whole ? 0 : bytesBeside(names, changes));
        for (String name : names) {
            Object value = attributes.get(name);
            long max = Math.min(room, limits.attributeBytesMax());
            byte[] sealed = value == null ? null : sealed(session, name, value, max);
            if (sealed != null) {
                room -= sealed.length;
                if (whole || set.contains(name) || !isKnown(changes, name, sealed)) {
                    put.put(name, sealed);
                }
            } else if (value == null || changes.digests.containsKey(name)) {
                removed.add(name);
            }
        }
        if (!head && put.isEmpty() && removed.isEmpty()) {
            return null;
        }
        long interval = Math.max(0, session.intervalSeconds()) * 1000L;
        return new SessionChange(
                whole,
                interval,
                head ? head(session, changes) : null,
                put,
                removed,
                new ChangeFence(writer, order.incrementAndGet(), changes.origin(), since));
    }

    /// What the other attributes of the session take in the engine.
    private static long bytesBeside(Set<String> names, SessionChanges changes) {
        long bytes = 0;
        for (Map.Entry<String, byte[]> one : changes.digests.entrySet()) {
            bytes += names.contains(one.getKey()) ? 0 : SessionSeal.length(one.getValue());
        }
        return bytes;
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        if (other.isEmpty()) {
            return one;
        }
        Set<String> all = new HashSet<>(one);
        all.addAll(other);
        return all;
    }

    private static boolean isKnown(SessionChanges changes, String name, byte[] sealed) {
        byte[] known = changes.digests.get(name);
        return known != null && Arrays.equals(known, SessionSeal.digest(sealed));
    }

    private byte[] head(WebSession session, SessionChanges changes) throws IOException {
        SessionLogin login = session.login();
        return seal.head(
                session.getId(),
                new SessionHead(
                        changes.seed,
                        session.creationMillis(),
                        session.getMaxInactiveInterval(),
                        session.passingSeconds(),
                        login == null ? null : login.saved()));
    }

    /// A value as bytes; null = it stays here.
    private byte @Nullable [] sealed(WebSession session, String name, Object value, long max) {
        if (!(value instanceof Serializable)) {
            tell(name, new NotSerializableException(value.getClass().getName()));
            return null;
        }
        int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (nameBytes > nameBytesMax) {
            tell(
                    name,
                    new IOException(
                            "its name takes "
                                    + nameBytes
                                    + " bytes, and the engine at most "
                                    + nameBytesMax));
            return null;
        }
        session.passivate(value, true);
        try {
            byte[] sealed = written(SharedSessionStore.changes(session), name, value, max);
            if (sealed.length <= max) {
                return sealed;
            }
            throw new IOException("it takes " + sealed.length + " bytes");
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            tell(name, e);
            return null;
        } finally {
            session.passivate(value, false);
        }
    }

    /// Once for each name: the application does it with every request.
    private void tell(String name, Throwable cause) {
        if (told.size() < TOLD_MAX && told.add(name)) {
            events.failed("session attribute " + name + " cannot be written and stays here", cause);
        }
    }

    private byte[] written(SessionChanges changes, String name, Object value, long max)
            throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return seal.attribute(changes.seed, name, value, max);
            } catch (ConcurrentModificationException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /// Puts back what was not written.
    void restore(SessionChanges changes, SessionChange change) {
        change.put().keySet().forEach(name -> changes.set(name, change.fence().since(name)));
        change.removed().forEach(name -> changes.set(name, change.fence().since(name)));
        if (change.head() != null) {
            changes.head();
        }
    }

    /// It was written, and has this version there.
    ///
    /// @param late what was left out, and is to be read
    void written(SessionChanges changes, SessionChange change, long version, Set<String> late) {
        change.put()
                .forEach((name, sealed) -> {
                    changes.digests.put(name, SessionSeal.digest(sealed));
                });
        changes.digests.keySet().removeAll(change.removed());
        if (change.whole()) {
            changes.digests.keySet().retainAll(change.put().keySet());
            changes.written();
        }
        if (change.whole() || version == changes.version + 1) {
            changes.version = version;
        } else {
            changes.stale = true;
        }
        if (!late.isEmpty()) {
            late.forEach(name -> changes.digests.put(name, UNKNOWN));
            changes.stale = true;
        }
    }

    // Reading

    SessionHead head(StoredSession stored) throws IOException {
        return seal.openHead(stored.id(), stored.head());
    }

    /// Takes over what has changed elsewhere, but for what has changed here by requests that knew
    /// of that.
    void refresh(WebSession session, StoredSession stored) {
        SessionChanges changes = SharedSessionStore.changes(session);
        changes.writing.lock();
        try {
            boolean older =
                    stored.version() < changes.version
                            || (stored.version() == changes.version && !changes.stale);
            if (!older && stored.id().equals(session.getId())) {
                apply(session, changes, stored);
            }
        } catch (IOException e) {
            events.failed("a session cannot be read again", e);
        } finally {
            changes.writing.unlock();
        }
    }

    private void apply(WebSession session, SessionChanges changes, StoredSession stored)
            throws IOException {
        SessionHead head = head(stored);
        if (!Arrays.equals(head.seed(), changes.seed)) {
            throw new InvalidClassException("it is another session");
        }
        if (!changes.hasHead()) {
            session.restoreHead(head.maxInactiveSeconds(), head.passingSeconds(), head.login());
        }
        session.usedAt(stored.accessedMillis());
        yieldToOthers(changes, stored);
        stored.attributes()
                .forEach((name, sealed) -> {
                    byte[] digest = SessionSeal.digest(sealed);
                    boolean same = Arrays.equals(digest, changes.digests.get(name));
                    changes.digests.put(name, digest);
                    if (!same && !changes.hasSet(name)) {
                        read(session, changes, name, sealed);
                    }
                });
        Set<String> gone = new HashSet<>(changes.digests.keySet());
        gone.removeAll(stored.attributes().keySet());
        for (String name : gone) {
            changes.digests.remove(name);
            if (!changes.hasSet(name)) {
                session.forgetAttribute(name);
            }
        }
        changes.version = stored.version();
        changes.stale = false;
    }

    /// What other servers have changed stays so, also where it was set here, but not written yet,
    /// by a request that did not know of it.
    private void yieldToOthers(SessionChanges changes, StoredSession stored) {
        stored.marks()
                .forEach((name, mark) -> {
                    if (mark.writer().equals(writer) || mark.version() <= changes.version) {
                        return;
                    }
                    changes.foreign(name, mark);
                    if (changes.hasSetBefore(name, mark)) {
                        changes.unset(name);
                        changes.digests.put(name, UNKNOWN);
                    }
                });
    }

    private void read(WebSession session, SessionChanges changes, String name, byte[] sealed) {
        try {
            Object value = seal.openAttribute(changes.seed, name, sealed, loader);
            session.restore(name, Objects.requireNonNull(value));
            session.passivate(value, false);
        } catch (IOException
                | ClassNotFoundException
                | RuntimeException
                | LinkageError
                | StackOverflowError e) {
            session.forgetAttribute(name);
            events.failed("session attribute " + name + " cannot be read and is left out", e);
        }
    }
}
