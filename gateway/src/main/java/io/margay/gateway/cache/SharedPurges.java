package io.margay.gateway.cache;

import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// What is removed from the caches of one gateway of a group is removed at all. Each removal stays
/// in the engine for some minutes; a gateway that has not seen it for longer than that, or that has
/// missed some, removes everything. Thread-safe; `lock` is never held while the engine or a cache
/// is asked.
public final class SharedPurges implements SharedGroup.Task {
    private static final System.Logger LOG = System.getLogger(SharedPurges.class.getName());

    /// Where they are in the engine.
    public static final String TABLE = "purges";

    /// How long one stays there.
    private static final Duration KEPT = Duration.ofMinutes(10);

    /// How long the engine may be away before everything is removed.
    private static final Duration AWAY_MAX = KEPT.dividedBy(2);

    /// Removals at once; more of them remove everything.
    static final int COUNT_MAX = 500;

    /// The same for their lengths: a table of the engine has room for a megabyte.
    private static final int CHARS_MAX = 1 << 18;

    private static final CachePurge ALL = new CachePurge(CachePurge.Kind.PREFIX, "/");

    private final SharedGroup group;
    private final SharedTable table;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /// What follows is guarded by `lock`: the caches in force.
    private Supplier<? extends Collection<HostCache>> caches = List::of;

    /// Removals that have been made here, by their names in the engine.
    private final Set<String> done = new HashSet<>();

    /// Those that have been made here, and are not in the engine yet.
    private final Map<String, CachePurge> pending = new TreeMap<>();

    private int count;
    private boolean follows;

    /// When the engine has answered last, or this gateway has begun.
    private long seenNanos;

    /// @param nanos as of `System.nanoTime`
    public SharedPurges(SharedGroup group, InstantSource clock, LongSupplier nanos) {
        this.group = group;
        this.clock = clock;
        this.nanos = nanos;
        seenNanos = nanos.getAsLong();
        table = group.table(TABLE);
    }

    /// These caches are in force now.
    public void follow(Supplier<? extends Collection<HostCache>> now) {
        lock.lock();
        try {
            boolean first = !follows;
            follows = true;
            caches = now;
            if (!first) {
                return;
            }
        } finally {
            lock.unlock();
        }
        // Files may have what was removed while this gateway was away.
        for (HostCache one : now.get()) {
            Duration idle = one.idle();
            if (idle.compareTo(AWAY_MAX) > 0) {
                int _ = ALL.from(List.of(one));
            } else if (!idle.isZero()) {
                for (String text : table.entries().values()) {
                    int _ = read(text).from(List.of(one));
                }
            }
        }
    }

    /// Something was removed here.
    public void add(CachePurge what) {
        lock.lock();
        try {
            if (pending.size() >= COUNT_MAX) {
                pending.clear();
                put(ALL);
            } else {
                put(what);
            }
        } finally {
            lock.unlock();
        }
        group.wake();
    }

    private void put(CachePurge what) {
        String name = "%015d %s %d".formatted(clock.millis(), group.instance(), count++);
        pending.put(name, what);
        done.add(name);
    }

    /// Removes what has been removed elsewhere, and tells what has been removed here.
    @Override
    public void run() throws IOException {
        take(table.refresh());
        Map<String, CachePurge> own;
        lock.lock();
        try {
            own = new TreeMap<>(pending);
        } finally {
            lock.unlock();
        }
        if (!own.isEmpty()) {
            Map<String, String> now = table.update(before -> with(before, own));
            lock.lock();
            try {
                own.keySet().forEach(pending::remove);
            } finally {
                lock.unlock();
            }
            take(now);
        }
    }

    /// The entries with some more, without those that all have seen.
    private Map<String, String> with(Map<String, String> before, Map<String, CachePurge> own) {
        TreeMap<String, String> after = new TreeMap<>(before);
        after.headMap("%015d".formatted(clock.millis() - KEPT.toMillis())).clear();
        own.forEach((name, what) -> after.put(name, what.kind().word() + " " + what.what()));
        long chars = after.values().stream().mapToLong(String::length).sum();
        if (after.size() > COUNT_MAX || chars > CHARS_MAX) {
            String last = after.lastKey();
            after.clear();
            after.put(last, ALL.kind().word() + " " + ALL.what());
        }
        return after;
    }

    private void take(Map<String, String> entries) {
        List<CachePurge> fresh = new ArrayList<>();
        Collection<HostCache> all;
        lock.lock();
        try {
            long now = nanos.getAsLong();
            if (now - seenNanos > AWAY_MAX.toNanos()) {
                fresh.add(ALL);
            }
            seenNanos = now;
            new TreeMap<>(entries)
                    .forEach((name, text) -> {
                        boolean everything = text.equals(ALL.kind().word() + " " + ALL.what());
                        if (done.add(everything ? name + " /" : name) && !isOwn(name, everything)) {
                            fresh.add(read(text));
                        }
                    });
            done.removeIf(name -> !isAmong(name, entries) && !pending.containsKey(name));
            all = caches.get();
        } finally {
            lock.unlock();
        }
        for (CachePurge one : fresh) {
            int removed = one.from(all);
            LOG.log(
                    Level.DEBUG,
                    "{0} URLs removed from caches by another gateway: {1}",
                    removed,
                    one.kind().word());
        }
    }

    /// One that removes everything may stand in the place of another one's.
    private boolean isOwn(String name, boolean everything) {
        return !everything && pending.containsKey(name);
    }

    private static boolean isAmong(String name, Map<String, String> entries) {
        return entries.containsKey(name)
                || (name.endsWith(" /")
                        && entries.containsKey(name.substring(0, name.length() - 2)));
    }

    /// What cannot be read removes everything.
    private static CachePurge read(String text) {
        try {
            return CachePurge.of(List.of(text.split(" ", 2)));
        } catch (IllegalArgumentException e) {
            return ALL;
        }
    }
}
