package io.margay.server.shared;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// An engine in memory that can be away. Thread-safe.
final class MemoryStore implements SharedStore {
    final Map<String, Document> documents = new HashMap<>();
    final List<String> present = new ArrayList<>();
    private final Map<String, String> leases = new HashMap<>();
    boolean away;

    /// Is told the name of a document before it is written.
    Consumer<String> beforeWrite = _ -> {};

    private void answer() throws IOException {
        if (away) {
            throw new IOException("away");
        }
    }

    @Override
    public synchronized Document read(String name, long known) throws IOException {
        answer();
        Document found = documents.getOrDefault(name, new Document(0, new byte[0]));
        return found.version() == known ? new Document(known, new byte[0]) : found;
    }

    @Override
    public synchronized boolean write(String name, long known, long version, byte[] content)
            throws IOException {
        answer();
        beforeWrite.accept(name);
        if (documents.getOrDefault(name, new Document(0, new byte[0])).version() != known) {
            return false;
        }
        documents.put(name, new Document(version, content));
        return true;
    }

    @Override
    public synchronized boolean lease(String name, String holder, Duration time)
            throws IOException {
        answer();
        return leases.computeIfAbsent(name, _ -> holder).equals(holder);
    }

    @Override
    public synchronized List<String> present(String server, Duration time, int most)
            throws IOException {
        answer();
        if (!present.contains(server)) {
            present.add(server);
        }
        return List.copyOf(present);
    }

    @Override
    public synchronized void absent(String server) {
        present.remove(server);
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
