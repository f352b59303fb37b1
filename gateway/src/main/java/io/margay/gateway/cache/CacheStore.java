package io.margay.gateway.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.margay.gateway.rules.CacheRule;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The responses that a cache keeps, in memory, and their content in files if there is a folder for
/// them; those that are used least go first. Thread-safe.
///
/// What is fetched while its key is removed is not put: it may be what was there before.
final class CacheStore {
    /// Entries that one response may push out where the memory of all caches is used up.
    private static final int COLDEST = 64;

    private final Cache<String, Variants> all;
    private final MemoryBudget memory;
    private final int variantsMax;
    private final AtomicLong bytes = new AtomicLong();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Removals removals;
    private final @Nullable DiskStore disk;

    /// Whether nothing is put any more.
    private volatile boolean closed;

    /// The variants of one URL, the newest first. Immutable.
    private record Variants(List<StoredResponse> responses, int bytes) {
        static Variants of(String key, List<StoredResponse> responses) {
            long sum = key.length();
            for (StoredResponse one : responses) {
                sum += one.bytes();
            }
            return new Variants(List.copyOf(responses), (int) Math.min(Integer.MAX_VALUE, sum));
        }
    }

    /// @param memory what all caches together may hold
    /// @param disk null = there are no files
    CacheStore(
            CacheRule.Room room, MemoryBudget memory, Removals removals, @Nullable DiskStore disk) {
        this.memory = memory;
        this.removals = removals;
        this.disk = disk;
        variantsMax = room.variants();
        all =
                Caffeine.newBuilder()
                        .maximumWeight(room.memoryBytes())
                        .<String, Variants>weigher((_, variants) -> variants.bytes)
                        .executor(Runnable::run)
                        .removalListener(this::removed)
                        .build();
    }

    private void removed(@Nullable String key, @Nullable Variants variants, RemovalCause cause) {
        if (variants != null) {
            memory.give(variants.bytes);
            bytes.addAndGet(-variants.bytes);
            if (cause.wasEvicted()) {
                evicted.increment();
            }
            if (cause != RemovalCause.REPLACED) {
                letGo(variants.responses, List.of());
            }
        }
    }

    /// Of responses that go, content that others do not have and that is being sent counts on, and
    /// files that others do not have are deleted.
    @SuppressWarnings("ReferenceEquality") // files and arrays are what they are, not alike
    private void letGo(List<StoredResponse> gone, List<StoredResponse> left) {
        for (StoredResponse one : gone) {
            byte[] held = one.content().bytes();
            if (held != null && left.stream().noneMatch(other -> other.content().bytes() == held)) {
                one.content().lent().leave(memory, held.length);
            }
        }
        if (disk != null) {
            for (StoredResponse one : gone) {
                DiskFile file = one.content().file();
                if (file != null
                        && left.stream().noneMatch(other -> other.content().file() == file)) {
                    disk.drop(file);
                }
            }
        }
    }

    /// The response for a request, or null.
    ///
    /// @param by what answers it
    @Nullable StoredResponse find(String key, String by, Fields request) {
        Variants variants = all.getIfPresent(key);
        if (variants != null) {
            for (StoredResponse one : variants.responses) {
                if (one.matches(by, request)) {
                    return one;
                }
            }
        }
        return null;
    }

    /// Whether there is any variant.
    boolean has(String key) {
        return all.getIfPresent(key) != null;
    }

    /// What [#put] is told of, from before the response is asked for.
    long mark(String key) {
        return removals.mark(key);
    }

    /// Keeps a response in the place of those for the same requests; where the memory of all caches
    /// is used up, in that of what is used least here.
    ///
    /// @param mark when it was asked for
    /// @return false when there is no room, or its key has been removed since
    boolean put(String key, StoredResponse response, long mark) {
        boolean put = tryPut(key, response, mark);
        if (!put && !closed && !removals.since(key, mark)) {
            Variants old = all.getIfPresent(key);
            makeRoom(2L * response.bytes() + (old == null ? 0 : old.bytes));
            put = tryPut(key, response, mark);
            if (!put) {
                refused.increment();
            }
        }
        if (put && disk != null) {
            disk.write(this, key, response);
        }
        return put;
    }

    // What is in files

    /// Takes over what a file has, unless it was removed since this process began, or there is one
    /// in its place.
    ///
    /// @return whether it did
    boolean known(String key, StoredResponse response) {
        if (removals.since(key, 0)) {
            return false;
        }
        Variants before = all.getIfPresent(key);
        boolean there =
                before != null && before.responses.stream().anyMatch(one -> one.isAlike(response));
        return !there && tryPut(key, response, 0);
    }

    /// Whether it is still kept, so that it is worth a file.
    boolean isKept(String key, StoredResponse response) {
        Variants variants = all.getIfPresent(key);
        return variants != null && identity(variants.responses, response) >= 0;
    }

    /// A response is in a file now.
    ///
    /// @param content of it, from now on
    /// @return false when it is not kept any more
    boolean written(String key, StoredResponse response, Content content) {
        boolean[] done = {false};
        Variants _ =
                all.asMap()
                        .computeIfPresent(
                                key,
                                (_, old) -> {
                                    List<StoredResponse> after = new ArrayList<>(old.responses);
                                    int at = identity(after, response);
                                    if (at < 0) {
                                        return old;
                                    }
                                    after.set(at, response.with(content));
                                    Variants made = Variants.of(key, after);
                                    if (!memory.take(made.bytes)) {
                                        return old;
                                    }
                                    bytes.addAndGet(made.bytes);
                                    done[0] = true;
                                    letGo(old.responses, made.responses);
                                    return made;
                                });
        return done[0];
    }

    @SuppressWarnings("ReferenceEquality") // this one, and no other that is alike
    private static int identity(List<StoredResponse> among, StoredResponse response) {
        for (int i = 0; i < among.size(); i++) {
            if (among.get(i) == response) {
                return i;
            }
        }
        return -1;
    }

    /// Lets go what is used least and is in files.
    ///
    /// @param wanted bytes; 0 or less = there is room
    /// @return whether there is room now
    boolean makeRoomOnDisk(long wanted) {
        long left = wanted;
        for (int i = 0; i < COLDEST && left > 0; i++) {
            Set<String> coldest =
                    all.policy()
                            .eviction()
                            .map(by -> by.coldest(COLDEST).keySet())
                            .orElse(Set.of());
            for (String key : coldest) {
                Variants gone = left > 0 ? all.getIfPresent(key) : null;
                long held = gone == null ? 0 : filed(gone);
                if (held > 0 && all.asMap().remove(key, gone)) {
                    left -= held;
                    evicted.increment();
                }
            }
            if (coldest.isEmpty()) {
                return left <= 0;
            }
        }
        return left <= 0;
    }

    private static long filed(Variants variants) {
        long sum = 0;
        for (StoredResponse one : variants.responses) {
            DiskFile file = one.content().file();
            sum += file == null ? 0 : file.length();
        }
        return sum;
    }

    private void makeRoom(long wanted) {
        long left = wanted;
        Set<String> coldest =
                all.policy().eviction().map(by -> by.coldest(COLDEST).keySet()).orElse(Set.of());
        for (String key : coldest) {
            Variants gone = left > 0 ? all.asMap().remove(key) : null;
            if (gone != null) {
                left -= gone.bytes;
                evicted.increment();
            }
        }
    }

    private boolean tryPut(String key, StoredResponse response, long mark) {
        boolean[] done = {false};
        Variants _ =
                all.asMap()
                        .compute(
                                key,
                                (_, old) -> {
                                    if (closed || removals.since(key, mark)) {
                                        return old;
                                    }
                                    Variants made = Variants.of(key, with(response, old));
                                    if (!memory.take(made.bytes)) {
                                        return old;
                                    }
                                    bytes.addAndGet(made.bytes);
                                    done[0] = true;
                                    if (old != null) {
                                        letGo(old.responses, made.responses);
                                    }
                                    return made;
                                });
        return done[0];
    }

    private List<StoredResponse> with(StoredResponse response, @Nullable Variants old) {
        List<StoredResponse> kept = new ArrayList<>(2);
        kept.add(response);
        if (old != null) {
            for (StoredResponse one : old.responses) {
                if (kept.size() < variantsMax && !one.isAlike(response)) {
                    kept.add(one);
                }
            }
        }
        return kept;
    }

    /// Forgets what is kept for a request, for the origin has answered otherwise.
    void forget(String key, String by, Fields request) {
        Variants _ =
                all.asMap()
                        .computeIfPresent(
                                key,
                                (_, old) -> {
                                    List<StoredResponse> left =
                                            old.responses.stream()
                                                    .filter(one -> !one.matches(by, request))
                                                    .toList();
                                    if (left.size() == old.responses.size()) {
                                        return old;
                                    }
                                    Variants made = Variants.of(key, left);
                                    if (left.isEmpty() || !memory.take(made.bytes)) {
                                        return null;
                                    }
                                    bytes.addAndGet(made.bytes);
                                    letGo(old.responses, made.responses);
                                    return made;
                                });
    }

    /// Removes all that is kept for a URL.
    ///
    /// @return how many URLs were kept, one or none
    int removeUrl(String url) {
        removals.add(url);
        return all.asMap().remove(url) == null ? 0 : 1;
    }

    /// Removes what is kept for URLs.
    int removeIf(Predicate<String> url) {
        removals.addAll();
        int count = 0;
        for (String key : all.asMap().keySet()) {
            if (url.test(key) && all.asMap().remove(key) != null) {
                count++;
            }
        }
        return count;
    }

    /// Removes what has a tag, with all variants of its URL.
    int removeTagged(String tag) {
        removals.addAll();
        int[] count = {0};
        all.asMap()
                .forEach((key, variants) -> {
                    boolean tagged = variants.responses.stream().anyMatch(one -> one.hasTag(tag));
                    if (tagged && all.asMap().remove(key) != null) {
                        count[0]++;
                    }
                });
        return count[0];
    }

    /// Lets everything go, when nothing asks for it any more.
    void close() {
        closed = true;
        if (disk != null) {
            disk.close();
        }
        all.invalidateAll();
        all.cleanUp();
    }

    /// Bytes that are kept.
    long bytes() {
        return bytes.get();
    }

    /// URLs that are kept.
    long urls() {
        return all.estimatedSize();
    }

    /// URLs that were evicted.
    long evicted() {
        return evicted.sum();
    }

    /// Responses for which there was no memory.
    long refused() {
        return refused.sum();
    }
}
