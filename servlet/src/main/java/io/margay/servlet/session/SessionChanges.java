package io.margay.servlet.session;

import io.margay.servlet.session.engine.ChangeMark;
import io.margay.servlet.session.engine.ChangeOrigin;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// What is to be written of a session that lives outside the process, and what is known of what is
/// there. Threads of requests enter changes at any time; `writing` is held while the session is
/// written or read anew, which waits for the engine, so that one write comes after the other.
final class SessionChanges {
    final ReentrantLock writing = new ReentrantLock();

    /// Requests that are told from each other by their threads; more are not told.
    private static final int RUNNING_MAX = 64;

    /// Attributes that were set or removed, with what that comes from.
    private final ConcurrentHashMap<String, ChangeOrigin> set = new ConcurrentHashMap<>();

    private final Set<String> read = ConcurrentHashMap.newKeySet();

    /// Requests that are running, by their threads.
    private final ConcurrentHashMap<Thread, Began> running = new ConcurrentHashMap<>();

    /// Attributes that other servers have changed while requests were running.
    private final ConcurrentHashMap<String, ChangeMark> foreign = new ConcurrentHashMap<>();

    /// When the last request began here.
    private volatile long begunMillis;

    /// When the last request began of another server that has changed something.
    private volatile long foreignMillis;

    private volatile boolean head;
    private volatile boolean whole;
    private volatile boolean claimed;

    // Guarded by `writing`; the first two are read without by who only asks.

    /// The version that is known here, or was the last that was; 0 = it was never there.
    volatile long version;

    /// Whether there is more in the engine than is known here.
    volatile boolean stale;

    final byte[] seed;
    final Map<String, byte[]> digests = new HashMap<>();
    final List<String> formerIds = new ArrayList<>();

    /// Attempts to write it in a row that the engine, which takes others, has refused.
    final AtomicInteger refusals = new AtomicInteger();

    /// When the engine was told last that the session is used.
    volatile long usedNanos;

    /// @param whole whether nothing of it has been written
    SessionChanges(byte[] seed, boolean whole) {
        this.seed = seed;
        this.whole = whole;
    }

    /// A request that is running.
    ///
    /// @param origin what was known when it began, and when that was
    /// @param read attributes that it has read after other servers had changed them
    private record Began(ChangeOrigin origin, Set<String> read) {
        /// What it does from now on comes after that.
        Began hasRead(String name, ChangeMark changed) {
            read.add(name);
            ChangeOrigin later = new ChangeOrigin(origin.version(), changed.begunMillis());
            return new Began(origin.with(later), read);
        }
    }

    // For the session

    /// A request begins on this thread. Where there are too many, those that have begun before are
    /// told from each other still.
    ///
    /// @param millis when it began; what it finds here has come before
    void begins(long millis) {
        Thread own = Thread.currentThread();
        long begun = Math.max(millis, foreignMillis);
        begunMillis = Math.max(begunMillis, begun);
        if (running.size() < RUNNING_MAX || running.containsKey(own)) {
            ChangeOrigin origin = new ChangeOrigin(version, begun);
            running.put(own, new Began(origin, ConcurrentHashMap.newKeySet()));
        }
    }

    /// A request is over.
    ///
    /// @param last whether no other is running
    void ends(boolean last) {
        if (last) {
            running.clear();
            foreign.clear();
        } else {
            running.remove(Thread.currentThread());
        }
    }

    /// An attribute is being set or removed, or has been: both, so that it is missed by none.
    ///
    /// @param since the [#origin] before
    void set(String name, ChangeOrigin since) {
        set.merge(name, since, ChangeOrigin::with);
    }

    /// What a change by this thread comes from.
    ChangeOrigin origin() {
        Began own = running.get(Thread.currentThread());
        return new ChangeOrigin(version, own == null ? begunMillis : own.origin.begunMillis());
    }

    /// Whether another server has changed an attribute since the request of this thread began,
    /// which has not read it since: the request was late, and what it sets is older.
    boolean isLate(String name) {
        ChangeMark changed = foreign.get(name);
        if (changed == null) {
            return false;
        }
        Began own = running.get(Thread.currentThread());
        return own != null && own.origin.isBefore(changed) && !own.read.contains(name);
    }

    /// An attribute is in the hands of the application, which may change it.
    void read(String name, Object value) {
        if (!isImmutable(value) && !read.contains(name)) {
            read.add(name);
        }
        ChangeMark changed = foreign.isEmpty() ? null : foreign.get(name);
        if (changed != null) {
            running.computeIfPresent(
                    Thread.currentThread(), (_, own) -> own.hasRead(name, changed));
        }
    }

    /// Something else than an attribute has changed.
    void head() {
        head = true;
    }

    private static boolean isImmutable(Object value) {
        return switch (value) {
            case String _, Integer _, Long _, Boolean _, Double _ -> true;
            case Enum<?> _, UUID _, Character _, Short _, Byte _, Float _ -> true;
            case BigDecimal number -> number.getClass() == BigDecimal.class;
            case BigInteger number -> number.getClass() == BigInteger.class;
            default -> value.getClass().getName().startsWith("java.time.");
        };
    }

    // For the store

    boolean hasSet(String name) {
        return set.containsKey(name);
    }

    /// Whether an attribute was set here before another server has changed it.
    boolean hasSetBefore(String name, ChangeMark changed) {
        ChangeOrigin since = set.get(name);
        return since != null && since.isBefore(changed);
    }

    /// What was set here is not to be written.
    void unset(String name) {
        set.remove(name);
    }

    /// Another server has changed an attribute.
    void foreign(String name, ChangeMark changed) {
        foreignMillis = Math.max(foreignMillis, changed.begunMillis());
        if (!running.isEmpty()) {
            foreign.put(name, changed);
        }
    }

    /// Whether another server is known to have changed something by a request that began later.
    boolean isOlder(long millis) {
        return foreignMillis > millis;
    }

    boolean hasHead() {
        return head;
    }

    boolean isWhole() {
        return whole;
    }

    /// Everything is to be written.
    void whole() {
        whole = true;
    }

    /// Whether something is to be written, as far as that is known without a look at attributes.
    boolean isDirty() {
        return whole || head || !set.isEmpty();
    }

    /// Whether there may be something to be written.
    boolean isSuspect() {
        return isDirty() || !read.isEmpty();
    }

    Map<String, ChangeOrigin> drainSet() {
        Map<String, ChangeOrigin> drained = Map.copyOf(set);
        drained.forEach(set::remove);
        return drained;
    }

    Set<String> drainRead() {
        return drain(read);
    }

    private static Set<String> drain(Set<String> names) {
        Set<String> drained = Set.copyOf(names);
        names.removeAll(drained);
        return drained;
    }

    boolean drainHead() {
        boolean was = head;
        head = false;
        return was;
    }

    void written() {
        whole = false;
    }

    /// This server has removed it from the engine, and so tells its listeners.
    void claim() {
        claimed = true;
    }

    boolean isClaimed() {
        return claimed;
    }
}
