package io.margay.gateway.shield;

import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Nonces of signed bots that gateways of a group have seen, by their hashes: each tells the others
/// once a second. None is forgotten before it expires: while there are too many, signed requests
/// have to wait, and so have those signed before this gateway began until it has read what others
/// have seen. Thread-safe; entries of the engine are read and written by its thread alone.
///
/// ```
/// name: second of writing, gateway, number    text: (hash 64 bits | expires 32 bits) …, in Base64
/// ```
public final class SharedNonces implements SharedGroup.Task {
    private static final System.Logger LOG = System.getLogger(SharedNonces.class.getName());

    /// Where they are in the engine.
    static final String TABLE = "nonces";

    /// Nonces in the engine, of half a megabyte: from then on signed requests have to wait. What
    /// was accepted before this was known is still written, up to half as much again.
    static final int COUNT_MAX = 32_768;

    /// Entries in the engine: more are joined.
    static final int ENTRIES_MAX = 1_024;

    /// Nonces of one second that others are told; further ones are told in the next.
    private static final int AT_ONCE = 4_096;

    /// Nonces of the group that are remembered, of 8 MiB.
    private static final int OTHERS_MAX = 131_072;

    private static final int BYTES = Long.BYTES + Integer.BYTES;
    private static final int CHARS_OF_ONE = 16;

    private record Seen(long hash, int expires) {}

    private final SharedGroup group;
    private final SharedTable table;
    private final InstantSource clock;
    private final long beganSecond;
    private final byte[] secret;
    private final ConcurrentHashMap<Long, Integer> others = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Seen> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    private final Set<String> read = new HashSet<>();

    /// Whether there are as many as can be kept; written by the thread of the engine.
    private volatile boolean isFull;

    /// Whether the engine was read once; written by its thread.
    private volatile boolean isRead;

    private int count;

    /// What becomes of a nonce.
    enum Added {
        NEW,
        USED,

        /// It cannot be kept, or others may have seen it: the bot is to sign anew.
        LATER
    }

    public SharedNonces(SharedGroup group, InstantSource clock) {
        this.group = group;
        this.clock = clock;
        beganSecond = clock.millis() / 1000;
        table = group.table(TABLE);
        secret = group.derive("nonces of bots");
    }

    /// What hashes are made with, so that all gateways make the same.
    byte[] secret() {
        return secret.clone();
    }

    /// This gateway sees one. A host and its successor after a reload ask at the same time.
    ///
    /// @param created in seconds since 1970
    /// @param expires in seconds since 1970
    Added add(long hash, long created, long expires) {
        boolean isOld = created <= beganSecond + Passports.SKEW_SECONDS;
        if (isFull || others.size() >= OTHERS_MAX || (isOld && !isRead)) {
            return others.containsKey(hash) ? Added.USED : Added.LATER;
        }
        if (pendingCount.incrementAndGet() > COUNT_MAX) { // the engine is away
            int _ = pendingCount.decrementAndGet();
            return Added.LATER;
        }
        if (others.putIfAbsent(hash, (int) expires) != null) {
            int _ = pendingCount.decrementAndGet();
            return Added.USED;
        }
        pending.add(new Seen(hash, (int) expires));
        return Added.NEW;
    }

    @Override
    public void run() throws IOException {
        long now = clock.millis() / 1000;
        boolean _ = pending.removeIf(one -> one.expires <= now && isLess()); // nobody needs them
        Map<String, String> entries = table.refresh();
        take(entries);
        if (nonces(entries) >= COUNT_MAX || entries.size() > ENTRIES_MAX) {
            take(table.update(this::joined));
        }
        List<Seen> own = new ArrayList<>();
        for (Seen one = pending.peek(); one != null && own.size() < AT_ONCE; one = pending.peek()) {
            own.add(one);
            Seen _ = pending.remove();
        }
        if (own.isEmpty()) {
            return;
        }
        String name = name(now);
        read.add(name);
        boolean isWritten = false;
        try {
            Map<String, String> after = table.update(before -> with(before, name, text(own)));
            isWritten = after.containsKey(name);
            take(after);
        } finally {
            if (isWritten) {
                pendingCount.addAndGet(-own.size());
            } else {
                pending.addAll(own);
            }
        }
    }

    private boolean isLess() {
        return pendingCount.decrementAndGet() >= 0;
    }

    private String name(long second) {
        return "%013d %s %d".formatted(second, group.instance(), count++);
    }

    private static long nonces(Map<String, String> entries) {
        return entries.values().stream().mapToLong(String::length).sum() / CHARS_OF_ONE;
    }

    private Map<String, String> with(Map<String, String> before, String name, String text) {
        TreeMap<String, String> after = new TreeMap<>(before);
        long oldest =
                clock.millis() / 1000 - Passports.LIFETIME_SECONDS_MAX - Passports.SKEW_SECONDS;
        after.headMap("%013d".formatted(oldest)).clear();
        after.put(name, text);
        return nonces(after) > COUNT_MAX * 3L / 2 ? before : after;
    }

    /// The same in one entry, without what has expired; as before where that saves nothing. Its
    /// name is new, so that all read it.
    private Map<String, String> joined(Map<String, String> before) {
        long now = clock.millis() / 1000 - Passports.SKEW_SECONDS; // clocks of others may be behind
        List<Seen> left = new ArrayList<>();
        before.values()
                .forEach(text ->
                        seen(text)
                                .forEach(one -> {
                                    if (one.expires > now) {
                                        left.add(one);
                                    }
                                }));
        boolean saves = left.size() < nonces(before) || before.size() > ENTRIES_MAX;
        return saves ? Map.of(name(now), text(left)) : before;
    }

    private static String text(List<Seen> all) {
        ByteBuffer bytes = ByteBuffer.allocate(all.size() * BYTES);
        all.forEach(one -> bytes.putLong(one.hash).putInt(one.expires));
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    private static List<Seen> seen(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        List<Seen> all = new ArrayList<>();
        while (bytes.remaining() >= BYTES) {
            all.add(new Seen(bytes.getLong(), bytes.getInt()));
        }
        return all;
    }

    private void take(Map<String, String> entries) {
        int now = (int) (clock.millis() / 1000);
        others.values().removeIf(expires -> expires <= now);
        read.retainAll(entries.keySet());
        boolean kept = true;
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            if (!read.contains(entry.getKey())) {
                List<Seen> all = seen(entry.getValue());
                if (others.size() + all.size() > OTHERS_MAX) {
                    kept = false; // read again when others have expired
                } else {
                    all.forEach(one -> others.put(one.hash, one.expires));
                    read.add(entry.getKey());
                }
            }
        }
        boolean full = !kept || nonces(entries) >= COUNT_MAX;
        if (full && !isFull) {
            LOG.log(
                    Level.WARNING,
                    "signed bots of the group get 429: {0} nonces are in use, {1} are kept",
                    nonces(entries),
                    COUNT_MAX);
        }
        isFull = full;
        isRead = true;
    }
}
