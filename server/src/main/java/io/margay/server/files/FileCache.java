package io.margay.server.files;

import io.margay.protocol.http.MediaTypes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Finds the files of a folder by canonical path, and remembers what it found. Thread-safe.
///
/// A file is served only when its real path, all links followed, lies inside the folder, and when
/// the request spells it as the file system does: so a file system that ignores case cannot be used
/// to get round a rule about names (CVE-2024-50379, CVE-2024-56337). Facts are believed for
/// `freshFor`; so a file is looked at once in that time, however often it is asked for. When the
/// cache is full, any entry gives way.
final class FileCache {
    private static final FileEntry[] NO_VARIANTS = {};

    private final StaticFilesConfig config;
    private final Path root;
    private final long freshNanos;
    private final ConcurrentHashMap<String, FileEntry> entries = new ConcurrentHashMap<>();
    private final AtomicLong weight = new AtomicLong();

    /// @param root the folder's real path
    FileCache(StaticFilesConfig config, Path root) {
        this.config = config;
        this.root = root;
        freshNanos = config.freshFor().toNanos();
    }

    /// The regular file at a canonical path that begins with `/`, or null.
    @Nullable FileEntry find(String path) {
        long now = System.nanoTime();
        FileEntry known = entries.get(path);
        if (known != null) {
            if (known.isFresh(now, freshNanos)) {
                return known;
            }
            if (isUnchanged(known, path)) {
                known.checked(now);
                return known;
            }
        }
        FileEntry loaded = load(path, now);
        remember(path, known, loaded);
        return loaded;
    }

    /// The real folder at a canonical path, or null.
    @Nullable Path folder(String path) {
        boolean ends = path.length() > 1 && path.endsWith("/");
        Path real = resolve(ends ? path.substring(0, path.length() - 1) : path);
        return real != null && Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS) ? real : null;
    }

    private boolean isUnchanged(FileEntry known, String path) {
        Path real = resolve(path);
        if (real == null || !real.equals(known.real) || !isSame(known)) {
            return false;
        }
        int found = 0;
        for (FileEntry.Coding coding : FileEntry.Coding.values()) {
            if (config.precompressed() && coding != FileEntry.Coding.IDENTITY) {
                Path other = resolve(path + coding.suffix);
                if (other != null && Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS)) {
                    found++;
                }
            }
        }
        if (found != known.variants.length) {
            return false;
        }
        for (FileEntry variant : known.variants) {
            if (!isSame(variant)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(FileEntry entry) {
        try {
            return entry.describes(attributes(entry.real));
        } catch (IOException e) {
            return false;
        }
    }

    private static BasicFileAttributes attributes(Path real) throws IOException {
        return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /// The real path behind a canonical one, or null when there is none inside the folder.
    private @Nullable Path resolve(String path) {
        try {
            Path lexical = root.resolve(path.substring(1));
            if (!lexical.normalize().startsWith(root) || path.indexOf('\\') >= 0) {
                return null;
            }
            Path spelled = lexical.toRealPath(LinkOption.NOFOLLOW_LINKS);
            if (!spelled.toString().equals(lexical.toString())) {
                return null;
            }
            Path real = lexical.toRealPath();
            return real.startsWith(root) ? real : null;
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }

    private @Nullable FileEntry load(String path, long now) {
        List<FileEntry> variants = new ArrayList<>(2);
        if (config.precompressed()) {
            for (FileEntry.Coding coding : FileEntry.Coding.values()) {
                FileEntry variant =
                        coding == FileEntry.Coding.IDENTITY
                                ? null
                                : read(path + coding.suffix, path, coding, NO_VARIANTS, now);
                if (variant != null) {
                    variants.add(variant);
                }
            }
        }
        FileEntry[] others = variants.isEmpty() ? NO_VARIANTS : variants.toArray(NO_VARIANTS);
        return read(path, path, FileEntry.Coding.IDENTITY, others, now);
    }

    private @Nullable FileEntry read(
            String path, String name, FileEntry.Coding coding, FileEntry[] variants, long now) {
        Path real = resolve(path);
        if (real == null) {
            return null;
        }
        try {
            BasicFileAttributes before = attributes(real);
            if (!before.isRegularFile()) {
                return null;
            }
            byte[] body = before.size() <= config.bodyBytesMax() ? content(real) : null;
            if (body != null && body.length != before.size()) {
                // It is being written now: sent from the disk, looked at again next time.
                body = null;
            }
            return new FileEntry(real, coding, before, type(name), body, variants, now);
        } catch (IOException e) {
            return null;
        }
    }

    private byte[] content(Path real) throws IOException {
        try (InputStream in =
                Files.newInputStream(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(config.bodyBytesMax() + 1);
        }
    }

    private @Nullable String type(String name) {
        String type = MediaTypes.ofFileName(name);
        String charset = config.charset();
        boolean text =
                type != null
                        && (type.startsWith("text/")
                                || type.equals("application/javascript")
                                || type.equals("application/json")
                                || type.endsWith("+xml")
                                || type.equals("application/xml"));
        return text && charset != null ? type + ";charset=" + charset : type;
    }

    private void remember(String path, @Nullable FileEntry before, @Nullable FileEntry now) {
        if (before != null && entries.remove(path, before)) {
            weight.addAndGet(-before.weight());
        }
        if (now == null || now.weight() > config.cacheBytesMax()) {
            return;
        }
        if (entries.putIfAbsent(path, now) == null) {
            weight.addAndGet(now.weight());
        }
        Iterator<String> others = entries.keySet().iterator();
        while ((weight.get() > config.cacheBytesMax() || entries.size() > config.entriesMax())
                && others.hasNext()) {
            FileEntry removed = entries.remove(others.next());
            if (removed != null) {
                weight.addAndGet(-removed.weight());
            }
        }
    }

    /// Bytes kept now.
    long weight() {
        return weight.get();
    }

    Path root() {
        return root;
    }
}
