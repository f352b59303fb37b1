package io.margay.server.shared;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Texts by name that the servers of a group share, encrypted in the engine as one document with a
/// version. A change is made to the newest version and taken if that still is the newest (compare
/// and set), else made again: changes of different entries are both kept, and of two changes of one
/// entry the later holds. Thread-safe: one thread at a time asks the engine, and no other waits for
/// it but to do the same.
///
/// An engine whose version is an earlier one than that known here, or none, has lost its data: what
/// is known here is written back.
public final class SharedTable {
    /// Lua counts to 2^53.
    private static final int CHANCE_BITS = 20;

    private final String name;
    private final SharedGroup group;
    private final SharedLimits limits;
    private volatile Map<String, String> entries = Map.of();
    private volatile long version;

    SharedTable(String name, SharedGroup group, SharedLimits limits) {
        this.name = name;
        this.group = group;
        this.limits = limits;
    }

    /// As they were when the engine was asked last.
    public Map<String, String> entries() {
        return entries;
    }

    /// Whether nobody has written it, as far as is known.
    public boolean isNew() {
        return version == 0;
    }

    /// Takes over what others have changed.
    public synchronized Map<String, String> refresh() throws IOException {
        SharedStore.Document found = group.ask(store -> store.read(name, version));
        long there = Math.max(0, found.version());
        if (there == version) {
            return entries;
        }
        if (found.content().length > limits.sealedBytesMax()) {
            throw new SharedDataException(name + " of the shared engine is too large");
        }
        if (there < version) {
            boolean _ = write(there, version, entries);
        } else {
            entries = decode(group.seal().open(name, found.version(), found.content()));
            version = found.version();
        }
        return entries;
    }

    /// Changes entries.
    ///
    /// @param change makes new entries of the newest ones; it may be asked more than once
    /// @return what they are now
    /// @throws IOException when nothing was changed
    public synchronized Map<String, String> update(UnaryOperator<Map<String, String>> change)
            throws IOException {
        for (int i = 0; i < limits.writesMax(); i++) {
            Map<String, String> before = refresh();
            Map<String, String> after = change.apply(before);
            if (after.equals(before) || write(version, next(), after)) {
                return entries;
            }
        }
        throw new SharedDataException(name + " of the shared engine changes all the time");
    }

    /// @param at the version in the engine
    /// @param next the one that it gets; that known where the same entries are written back, so
    ///   that they are no newer than what another server knows
    private boolean write(long at, long next, Map<String, String> after) throws IOException {
        byte[] content = encode(after);
        if (after.size() > limits.entriesMax() || content.length > limits.tableBytesMax()) {
            throw new SharedDataException(name + " of the shared engine would be too large");
        }
        byte[] sealed = group.seal().seal(name, next, content);
        boolean done = group.ask(store -> store.write(name, at, next, sealed));
        if (done) {
            entries = Map.copyOf(after);
            version = next;
        }
        return done;
    }

    /// A version after that known: a counter and 20 bits by chance, so that two servers that begin
    /// anew at once, after the engine has lost its data, do not take one's for the other's.
    private long next() {
        return (((version >>> CHANCE_BITS) + 1) << CHANCE_BITS) | group.seal().chance(CHANCE_BITS);
    }

    /// `number of entries (4 bytes) | length (4 bytes) | name | length | text | …`.
    private static byte[] encode(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(entries.size());
        for (Map.Entry<String, String> each : new TreeMap<>(entries).entrySet()) {
            write(out, each.getKey());
            write(out, each.getValue());
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private Map<String, String> decode(byte[] content) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
        Map<String, String> read = new TreeMap<>();
        int count = in.readInt();
        for (int i = 0; i < count && i < limits.entriesMax(); i++) {
            read.put(read(in), read(in));
        }
        return Map.copyOf(read);
    }

    private static String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new EOFException("a text that is cut off");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
