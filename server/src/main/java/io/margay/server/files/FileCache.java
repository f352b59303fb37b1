package io.margay.server.files;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The files that have been asked for lately, with their content unless they are large, so that the
/// file system is asked about each at most once in a while. Thread-safe.
///
/// A file of middle size has its content taken when it is asked for twice within that while, so
/// that a walk over many of them does not drive out what is asked for often. Bounded in number and
/// bytes; when it is full, any entry gives way. What does not exist is not remembered, so that
/// made-up paths cost no memory, and large files are looked at for each request: what is sent from
/// the file system has always been looked at just before.
public final class FileCache {
    private final FileSource source;
    private final FileCacheLimits limits;
    private final boolean precompressed;
    private final Function<String, @Nullable String> types;
    private final LongSupplier clock;
    private final long freshNanos;
    private final ConcurrentHashMap<String, FileEntry> files = new ConcurrentHashMap<>();
    private final AtomicLong weight = new AtomicLong();

    /// @param precompressed whether `NAME.br`, `NAME.zst` and `NAME.gz` are variants of `NAME`
    /// @param types the media type of a path, or null
    /// @param clock nanoseconds, as [System#nanoTime]
    public FileCache(
            FileSource source,
            FileCacheLimits limits,
            boolean precompressed,
            Function<String, @Nullable String> types,
            LongSupplier clock) {
        this.source = source;
        this.limits = limits;
        this.precompressed = precompressed;
        this.types = types;
        this.clock = clock;
        freshNanos = limits.freshFor().toNanos();
    }

    /// The file at a canonical path that is known well enough to answer from memory, without a look
    /// at the file system; null when there is none.
    public @Nullable FileEntry ready(String path) {
        FileEntry known = files.get(path);
        boolean ready =
                known != null && known.seenWithin(freshNanos, clock.getAsLong()) && isWhole(known);
        return ready ? known : null;
    }

    /// The file at a canonical path; null for a folder and for nothing.
    public @Nullable FileEntry find(String path) {
        long now = clock.getAsLong();
        FileEntry known = files.get(path);
        if (known != null) {
            if (known.seenWithin(freshNanos, now)) {
                return isWhole(known) ? known : again(path, known, now);
            }
            if (isUnchanged(known, path)) {
                known.seen(now);
                return known;
            }
            if (files.remove(path, known)) {
                weight.addAndGet(-known.weight());
            }
        }
        FileEntry found = look(path, now, limits.smallBytesMax());
        if (found != null && isKept(found) && files.putIfAbsent(path, found) == null) {
            weight.addAndGet(found.weight());
            makeRoom();
        }
        return found;
    }

    /// Whether its content, and that of its variants, may come to be in memory.
    private boolean isKept(FileEntry found) {
        return found.length() <= limits.contentBytesMax()
                && found.variants().stream().allMatch(this::isKept);
    }

    /// Whether all the content is there.
    private static boolean isWhole(FileEntry known) {
        if (known.content() == null) {
            return false;
        }
        List<FileEntry> variants = known.variants();
        for (int i = 0; i < variants.size(); i++) {
            if (variants.get(i).content() == null) {
                return false;
            }
        }
        return true;
    }

    /// A file of middle size is asked for again: its content is taken now.
    private @Nullable FileEntry again(String path, FileEntry known, long now) {
        FileEntry found = look(path, now, limits.contentBytesMax());
        if (found != null && isWhole(found) && files.replace(path, known, found)) {
            weight.addAndGet(found.weight() - known.weight());
            makeRoom();
        }
        return found;
    }

    private boolean isUnchanged(FileEntry known, String path) {
        StoredFile now = source.find(path);
        if (now == null || !known.file().isSameAs(now)) {
            return false;
        }
        if (!precompressed) {
            return true;
        }
        Iterator<FileEntry> variants = known.variants().iterator();
        for (FileEntry.Coding coding : FileEntry.Coding.values()) {
            StoredFile found = source.find(path + coding.suffix);
            if (found != null && !(variants.hasNext() && variants.next().file().isSameAs(found))) {
                return false;
            }
        }
        return !variants.hasNext();
    }

    private @Nullable FileEntry look(String path, long now, int bytesMax) {
        StoredFile file = source.find(path);
        if (file == null) {
            return null;
        }
        String type = types.apply(path);
        List<FileEntry> variants = new ArrayList<>(0);
        for (FileEntry.Coding coding : FileEntry.Coding.values()) {
            StoredFile found = precompressed ? source.find(path + coding.suffix) : null;
            if (found != null) {
                byte[] content = content(found, bytesMax);
                variants.add(new FileEntry(found, coding.token, type, content, List.of(), now));
            }
        }
        return new FileEntry(file, null, type, content(file, bytesMax), variants, now);
    }

    /// The whole of a file; null when it is large, or cannot be read, or is being changed.
    private static byte @Nullable [] content(StoredFile file, int bytesMax) {
        if (file.length() > bytesMax) {
            return null;
        }
        try (InputStream in = file.open()) {
            byte[] read = in.readNBytes((int) file.length() + 1);
            return read.length == file.length() ? read : null;
        } catch (IOException e) {
            return null; // the sender tries again, and tells
        }
    }

    private void makeRoom() {
        Iterator<String> all = files.keySet().iterator();
        while (all.hasNext()
                && (files.size() > limits.filesMax() || weight.get() > limits.contentsBytesMax())) {
            FileEntry removed = files.remove(all.next());
            if (removed != null) {
                weight.addAndGet(-removed.weight());
            }
        }
    }

    /// Bytes of content in memory now.
    public long weight() {
        return weight.get();
    }
}
