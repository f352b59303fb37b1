package io.margay.servlet.files;

import io.margay.servlet.resource.WebResource;
import io.margay.servlet.resource.WebResources;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The files of an application that have been asked for lately, with their content unless they are
/// large, so that the file system is asked about each at most once a second. Thread-safe.
///
/// A file of middle size has its content taken when it is asked for twice within that second, so
/// that a walk over many of them does not drive out what is asked for often. Bounded in number and
/// bytes; when it is full, any entry gives way. What does not exist is not remembered, so that
/// made-up paths cost no memory, and large files are looked at for each request.
final class KnownFiles {
    /// How long what is known is believed (Tomcat: 5 s).
    static final long FRESH_NANOS = 1_000_000_000L;

    /// The content of a larger file is taken only when it is asked for again.
    static final int SMALL_BYTES_MAX = 64 * 1024;

    /// A larger file is sent from the file system (Tomcat: 512 KiB).
    static final int CONTENT_BYTES_MAX = 512 * 1024;

    /// All contents of one application together (Tomcat: 10 MiB).
    static final long CONTENTS_BYTES_MAX = 16L * 1024 * 1024;

    static final int FILES_MAX = 10_000;

    /// A content coding, and what the name of a file in it ends with.
    private record Coding(String token, String suffix) {}

    private static final List<Coding> BEST_FIRST =
            List.of(new Coding("br", ".br"), new Coding("zstd", ".zst"), new Coding("gzip", ".gz"));

    private final WebResources resources;
    private final LongSupplier clock;
    private final ConcurrentHashMap<String, KnownFile> files = new ConcurrentHashMap<>();
    private final AtomicLong weight = new AtomicLong();

    /// @param clock nanoseconds, as [System#nanoTime]
    KnownFiles(WebResources resources, LongSupplier clock) {
        this.resources = resources;
        this.clock = clock;
    }

    /// The file at a canonical path; null for a folder and for nothing.
    @Nullable KnownFile find(String path) {
        long now = clock.getAsLong();
        KnownFile known = files.get(path);
        if (known != null) {
            if (known.seenWithin(FRESH_NANOS, now)) {
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
        KnownFile found = look(path, now, SMALL_BYTES_MAX);
        if (found != null
                && found.resource().length() <= CONTENT_BYTES_MAX
                && files.putIfAbsent(path, found) == null) {
            weight.addAndGet(found.weight());
            makeRoom();
        }
        return found;
    }

    /// Whether all the content is there that is to be kept.
    private static boolean isWhole(KnownFile known) {
        if (known.content() == null && known.resource().length() <= CONTENT_BYTES_MAX) {
            return false;
        }
        for (KnownFile variant : known.variants()) {
            if (!isWhole(variant)) {
                return false;
            }
        }
        return true;
    }

    /// A file of middle size is asked for again: its content is taken now.
    private @Nullable KnownFile again(String path, KnownFile known, long now) {
        KnownFile found = look(path, now, CONTENT_BYTES_MAX);
        if (found != null && isWhole(found) && files.replace(path, known, found)) {
            weight.addAndGet(found.weight() - known.weight());
            makeRoom();
        }
        return found;
    }

    private boolean isUnchanged(KnownFile known, String path) {
        WebResource now = file(path);
        if (now == null || !known.isSameAs(now)) {
            return false;
        }
        Iterator<KnownFile> variants = known.variants().iterator();
        for (Coding coding : BEST_FIRST) {
            WebResource found = file(path + coding.suffix);
            if (found != null && !(variants.hasNext() && variants.next().isSameAs(found))) {
                return false;
            }
        }
        return !variants.hasNext();
    }

    private @Nullable WebResource file(String path) {
        WebResource resource = resources.get(path);
        return resource == null || resource.isFolder() ? null : resource;
    }

    private @Nullable KnownFile look(String path, long now, int bytesMax) {
        WebResource resource = file(path);
        if (resource == null) {
            return null;
        }
        List<KnownFile> variants = new ArrayList<>(0);
        for (Coding coding : BEST_FIRST) {
            WebResource found = file(path + coding.suffix);
            if (found != null) {
                byte[] content = content(found, bytesMax);
                variants.add(new KnownFile(found, coding.token, content, List.of(), now));
            }
        }
        return new KnownFile(resource, null, content(resource, bytesMax), variants, now);
    }

    /// The whole of a file; null when it is large, or cannot be read, or is being changed.
    private static byte @Nullable [] content(WebResource resource, int bytesMax) {
        if (resource.length() > bytesMax) {
            return null;
        }
        try (InputStream in = resource.open()) {
            byte[] read = in.readNBytes(bytesMax + 1);
            return read.length == resource.length() ? read : null;
        } catch (IOException e) {
            return null; // the sender tries again, and tells
        }
    }

    private void makeRoom() {
        Iterator<String> all = files.keySet().iterator();
        while (all.hasNext() && (files.size() > FILES_MAX || weight.get() > CONTENTS_BYTES_MAX)) {
            KnownFile removed = files.remove(all.next());
            if (removed != null) {
                weight.addAndGet(-removed.weight());
            }
        }
    }

    /// Bytes of content in memory now.
    long weight() {
        return weight.get();
    }
}
