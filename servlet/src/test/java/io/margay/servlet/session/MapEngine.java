package io.margay.servlet.session;

import io.margay.servlet.session.engine.ChangeFence;
import io.margay.servlet.session.engine.ChangeMark;
import io.margay.servlet.session.engine.EngineFullException;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.StoredSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// The plainest engine, in a map of the test's, by the test's clock. It can be away, and lose what
/// it has.
final class MapEngine implements SessionEngine {
    final Map<SessionKey, Record> records = new HashMap<>();
    final AtomicInteger calls = new AtomicInteger();
    final AtomicInteger saves = new AtomicInteger();
    volatile boolean away;

    /// Writes are refused, and all else is answered.
    volatile boolean full;

    /// The session that is refused; none = "".
    volatile String refused = "";

    /// So many calls fail, one after the other.
    final AtomicInteger failing = new AtomicInteger();

    /// So many calls find their time over.
    final AtomicInteger slow = new AtomicInteger();

    /// Run by each [#save], on its thread.
    volatile Runnable saving = () -> {};

    /// As in a database.
    static final int NAME_BYTES_MAX = 255;

    private final SessionClock clock;
    private long versions;

    MapEngine(SessionClock clock) {
        this.clock = clock;
    }

    /// A session, or that one was removed: without a head.
    static final class Record {
        long version;
        long accessedMillis;
        long intervalMillis;
        byte[] head;
        final Map<String, byte[]> attributes = new HashMap<>();
        final Map<String, ChangeMark> marks = new HashMap<>();
    }

    private void call() throws IOException {
        calls.incrementAndGet();
        if (away || failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException("away");
        }
        if (slow.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException("late", new TimeoutException());
        }
    }

    private boolean isExpired(Record record) {
        return record.intervalMillis > 0
                && clock.millis() - record.accessedMillis >= record.intervalMillis;
    }

    private static StoredSession stored(String id, Record record, long accessedMillis) {
        return new StoredSession(
                id, record.version, accessedMillis, record.head, record.attributes, record.marks);
    }

    @Override
    public synchronized Lookup use(SessionKey key, long knownVersion) throws IOException {
        call();
        Record record = records.get(key);
        if (record == null) {
            return new Lookup.Absent();
        }
        if (record.head == null) {
            return new Lookup.Removed();
        }
        if (isExpired(record)) {
            return new Lookup.Absent();
        }
        long before = record.accessedMillis;
        record.accessedMillis = clock.millis();
        return record.version == knownVersion
                ? new Lookup.Unchanged(before)
                : new Lookup.Found(stored(key.id(), record, before));
    }

    /// A copy is near while it is what the session is.
    @Override
    public synchronized boolean isNear(SessionKey key, long version) {
        Record record = records.get(key);
        return record != null && record.head != null && record.version == version;
    }

    @Override
    public synchronized Saved save(SessionKey key, SessionChange change) throws IOException {
        call();
        saves.incrementAndGet();
        saving.run();
        room();
        if (key.id().equals(refused)) {
            throw new IOException("the value is too large");
        }
        for (String name : change.put().keySet()) {
            if (name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
                throw new IOException("the name is too long");
            }
        }
        Record record = records.get(key);
        if (record != null && record.head == null) {
            return new Saved.Removed();
        }
        if (record == null) {
            if (!change.whole()) {
                return new Saved.Absent();
            }
            record = new Record();
            versions += 1000;
            record.version = versions;
            records.put(key, record);
        }
        record.version++;
        if (change.head() != null) {
            record.head = change.head();
        }
        record.intervalMillis = change.intervalMillis();
        record.accessedMillis = clock.millis();
        ChangeFence fence = change.fence();
        Set<String> names = new HashSet<>(change.put().keySet());
        names.addAll(change.whole() ? record.attributes.keySet() : change.removed());
        Set<String> late = new HashSet<>();
        for (String name : names) {
            if (fence.isLate(name, record.marks.get(name))) {
                late.add(name);
                continue;
            }
            record.marks.put(name, fence.mark(name, record.version));
            byte[] put = change.put().get(name);
            if (put == null) {
                record.attributes.remove(name);
            } else {
                record.attributes.put(name, put);
            }
        }
        return new Saved.As(record.version, late);
    }

    @Override
    public synchronized boolean remove(SessionKey key) throws IOException {
        call();
        Record before = records.put(key, new Record());
        return before == null || before.head != null;
    }

    @Override
    public synchronized List<StoredSession> takeExpired(String application, int max)
            throws IOException {
        call();
        List<StoredSession> taken = new ArrayList<>();
        for (Map.Entry<SessionKey, Record> one : records.entrySet()) {
            Record record = one.getValue();
            if (record.head != null && isExpired(record) && taken.size() < max) {
                taken.add(stored(one.getKey().id(), record, record.accessedMillis));
                one.setValue(new Record());
            }
        }
        return taken;
    }

    @Override
    public int attributeNameBytesMax() {
        return NAME_BYTES_MAX;
    }

    @Override
    public void check() throws IOException {
        call();
        room();
    }

    private void room() throws IOException {
        if (full) {
            throw new EngineFullException("full", new IOException("no room"));
        }
    }

    @Override
    public void close() {
        away = true;
    }
}
