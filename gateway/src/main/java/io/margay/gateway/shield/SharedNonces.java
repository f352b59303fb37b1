package io.margay.gateway.shield;

import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import java.io.IOException;
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
/// once a second. Thread-safe; entries of the engine are read and written by its thread alone.
///
/// ```
/// name: second of writing, gateway, number    text: (hash 64 bits | expires 32 bits) …, in Base64
/// ```
public final class SharedNonces implements SharedGroup.Task {
    /// Where they are in the engine.
    static final String TABLE = "nonces";

    /// Nonces in the engine, of half a megabyte; beyond it the oldest leave.
    static final int COUNT_MAX = 32_768;

    /// Nonces of one second that others are told; further ones are told in the next.
    private static final int AT_ONCE = 4_096;

    /// Nonces of the group that are remembered, of 8 MiB; further ones are not, until some expire.
    private static final int OTHERS_MAX = 131_072;

    private static final int BYTES = Long.BYTES + Integer.BYTES;

    private record Seen(long hash, int expires) {}

    private final SharedGroup group;
    private final SharedTable table;
    private final InstantSource clock;
    private final byte[] secret;
    private final ConcurrentHashMap<Long, Integer> others = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Seen> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    private final Set<String> read = new HashSet<>();
    private int count;

    public SharedNonces(SharedGroup group, InstantSource clock) {
        this.group = group;
        this.clock = clock;
        table = group.table(TABLE);
        secret = group.derive("nonces of bots");
    }

    /// What hashes are made with, so that all gateways make the same.
    byte[] secret() {
        return secret.clone();
    }

    /// Whether a gateway has seen a nonce, another or this one before a reload.
    boolean isUsed(long hash) {
        return others.containsKey(hash);
    }

    /// This gateway has seen one.
    ///
    /// @param expires in seconds since 1970
    void add(long hash, long expires) {
        if (others.size() < OTHERS_MAX) { // for the host as it is after a reload
            Integer _ = others.put(hash, (int) expires);
        }
        if (pendingCount.incrementAndGet() <= COUNT_MAX) {
            pending.add(new Seen(hash, (int) expires));
        } else {
            int _ = pendingCount.decrementAndGet(); // the engine is away
        }
    }

    @Override
    public void run() throws IOException {
        take(table.refresh());
        List<Seen> own = new ArrayList<>();
        for (Seen one = pending.peek(); one != null && own.size() < AT_ONCE; one = pending.peek()) {
            own.add(one);
            Seen _ = pending.remove();
        }
        if (own.isEmpty()) {
            return;
        }
        String name = "%013d %s %d".formatted(clock.millis() / 1000, group.instance(), count++);
        read.add(name);
        try {
            take(table.update(before -> with(before, name, text(own))));
            pendingCount.addAndGet(-own.size());
        } catch (IOException | RuntimeException e) {
            pending.addAll(own);
            throw e;
        }
    }

    private Map<String, String> with(Map<String, String> before, String name, String text) {
        TreeMap<String, String> after = new TreeMap<>(before);
        long oldest =
                clock.millis() / 1000 - Passports.LIFETIME_SECONDS_MAX - Passports.SKEW_SECONDS;
        after.headMap("%013d".formatted(oldest)).clear();
        after.put(name, text);
        long chars = after.values().stream().mapToLong(String::length).sum();
        while (chars > COUNT_MAX * (BYTES * 4L / 3) || after.size() > COUNT_MAX / 16) {
            String oldestName = after.firstKey();
            chars -= after.getOrDefault(oldestName, "").length();
            String _ = after.remove(oldestName);
        }
        return after;
    }

    private static String text(List<Seen> all) {
        ByteBuffer bytes = ByteBuffer.allocate(all.size() * BYTES);
        all.forEach(one -> bytes.putLong(one.hash).putInt(one.expires));
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    private void take(Map<String, String> entries) {
        int now = (int) (clock.millis() / 1000);
        read.retainAll(entries.keySet());
        entries.forEach((name, text) -> {
            if (read.add(name)) {
                ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
                while (bytes.remaining() >= BYTES && others.size() < OTHERS_MAX) {
                    Integer _ = others.put(bytes.getLong(), bytes.getInt());
                }
            }
        });
        others.values().removeIf(expires -> expires <= now);
    }
}
