package io.margay.acme;

import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// An engine in memory that can be away, and lose what it has. Thread-safe.
final class MemoryEngine implements SharedStore {
    private static final Document NONE = new Document(0, new byte[0]);

    private final Map<String, Document> documents = new HashMap<>();
    private final Map<String, Lease> leases = new HashMap<>();
    private final TreeSet<String> servers = new TreeSet<>();
    private volatile boolean away;
    private @Nullable Runnable atWrite;

    private record Lease(String holder, long endNanos) {}

    /// A server of the group that asks this engine.
    SharedGroup group(String server, String secret) {
        return new SharedGroup(
                this,
                secret,
                "shop",
                server,
                SharedLimits.defaults(),
                new SecureRandom(),
                System::nanoTime);
    }

    void away(boolean now) {
        away = now;
    }

    synchronized void loseAll() {
        documents.clear();
        leases.clear();
    }

    /// Does something while the next change is written.
    synchronized void atNextWrite(Runnable step) {
        atWrite = step;
    }

    synchronized void endLeases() {
        leases.clear();
    }

    synchronized Map<String, Document> documents() {
        return Map.copyOf(documents);
    }

    private void answer() throws IOException {
        if (away) {
            throw new IOException("away");
        }
    }

    @Override
    public synchronized Document read(String name, long known) throws IOException {
        answer();
        Document found = documents.getOrDefault(name, NONE);
        return found.version() == known ? new Document(known, new byte[0]) : found;
    }

    @Override
    public synchronized boolean write(String name, long known, long version, byte[] content)
            throws IOException {
        answer();
        if (documents.getOrDefault(name, NONE).version() != known) {
            return false;
        }
        documents.put(name, new Document(version, content));
        Runnable step = atWrite;
        atWrite = null;
        if (step != null) {
            step.run();
        }
        return true;
    }

    @Override
    public synchronized boolean lease(String name, String holder, Duration time)
            throws IOException {
        answer();
        long now = System.nanoTime();
        Lease there = leases.get(name);
        if (there != null && !there.holder.equals(holder) && now - there.endNanos < 0) {
            return false;
        }
        leases.put(name, new Lease(holder, now + time.toNanos()));
        return true;
    }

    @Override
    public synchronized List<String> present(String server, Duration time, int most)
            throws IOException {
        answer();
        servers.add(server);
        return List.copyOf(servers);
    }

    @Override
    public synchronized void absent(String server) {
        servers.remove(server);
    }

    @Override
    public long[] take(String table, long intervalNanos, List<Count> taken) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long[] use(String table, String server, Duration time, List<Count> used) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
