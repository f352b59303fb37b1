package io.margay.server.files;

import io.margay.transport.SharedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Finds what lies at a canonical path below a folder, and lets no link lead out of it.
/// Thread-safe.
///
/// A path counts only when the request spells it as the file system does: so a file system that
/// ignores case cannot be used to get round a rule about names (CVE-2024-50379, CVE-2024-56337).
/// Where the real path lies is asked once in a while (`freshFor`), as that costs a system call for
/// each folder above. In between, one look must find the very file that was found to be allowed:
/// the same number on the same device, made at the same time. A link in its place, or in that of a
/// folder above, leads to another one, and so is noticed at once; should it lead to the same file,
/// when the while is over. What is found is opened by the descriptors of the folders on the way
/// ([Beneath]).
public final class FolderLookup {
    /// What links are good for.
    public enum Links {
        /// None is followed.
        REFUSED,
        /// Those that stay below the folder are followed.
        WITHIN
    }

    /// Paths remembered at most; beyond, any gives way.
    static final int VERIFIED_MAX = 10_000;

    /// A file or folder, and where it really is.
    ///
    /// @param root the folder of the lookup
    /// @param shared those who send the file at the same time need one descriptor together
    public record Found(Path root, Path real, BasicFileAttributes attributes, SharedFile shared) {
        /// Opens the file for reading it from its beginning to its end.
        public InputStream input() throws IOException {
            return Channels.newInputStream(Beneath.open(root, real));
        }

        /// Opens the file for sending; refuses when it has become a link meanwhile.
        public FileChannel open() throws IOException {
            return shared.lease();
        }
    }

    private final Path root;
    private final Links links;
    private final long freshNanos;
    private final LongSupplier clock;
    private final ConcurrentHashMap<String, Verified> verified = new ConcurrentHashMap<>();

    /// Where a path leads, as the whole way there was looked at last.
    private record Verified(
            Path real, Object key, FileTime created, long nanos, SharedFile shared) {
        boolean describes(BasicFileAttributes attributes) {
            return key.equals(attributes.fileKey()) && created.equals(attributes.creationTime());
        }
    }

    /// @param folder may itself be reached through links
    /// @param clock nanoseconds, as [System#nanoTime]
    /// @throws IOException when there is no such folder
    public FolderLookup(Path folder, Links links, Duration freshFor, LongSupplier clock)
            throws IOException {
        this(links, folder.toRealPath(), freshFor, clock);
    }

    /// The same for a folder of which all links have been followed.
    FolderLookup(Links links, Path real, Duration freshFor, LongSupplier clock) {
        root = real;
        this.links = links;
        freshNanos = freshFor.toNanos();
        this.clock = clock;
    }

    /// The folder, all links followed.
    public Path root() {
        return root;
    }

    /// The file or folder at a canonical path that begins with `/` and does not end with one; null
    /// when there is none, or it must not be seen.
    public @Nullable Found find(String path) {
        long now = clock.getAsLong();
        Verified known = verified.get(path);
        try {
            if (known != null && now - known.nanos < freshNanos) {
                BasicFileAttributes attributes = attributes(known.real);
                if (known.describes(attributes)) {
                    return new Found(root, known.real, attributes, known.shared);
                }
            }
            Found found = verify(path, known);
            remember(path, found, now);
            return found;
        } catch (IOException | InvalidPathException _) {
            if (known != null) {
                verified.remove(path, known);
            }
            return null;
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /// Looks at the whole way to a path.
    ///
    /// @param known what was found there before
    private @Nullable Found verify(String path, @Nullable Verified known) throws IOException {
        Path lexical = root.resolve(path.substring(1));
        if (path.indexOf('\\') >= 0
                || !lexical.normalize().startsWith(root)
                || !Files.exists(lexical, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        Path real = lexical.toRealPath();
        boolean allowed =
                switch (links) {
                    case REFUSED -> real.toString().equals(lexical.toString());
                    case WITHIN -> real.startsWith(root) && isSpelledSo(lexical);
                };
        if (!allowed) {
            return null;
        }
        // By descriptors from here: a folder of the way may become a link after that look.
        BasicFileAttributes attributes = Beneath.attributes(root, real);
        if (!attributes.isDirectory() && !attributes.isRegularFile()) {
            return null;
        }
        SharedFile shared =
                known != null && known.real.equals(real) && known.describes(attributes)
                        ? known.shared
                        : new SharedFile(
                                () -> Beneath.open(root, real), () -> openSame(real, attributes));
        return new Found(root, real, attributes, shared);
    }

    private FileChannel openSame(Path real, BasicFileAttributes known) throws IOException {
        FileChannel file = Beneath.open(root, real);
        if (!Objects.equals(known.fileKey(), Beneath.attributes(root, real).fileKey())) {
            file.close();
            throw new NoSuchFileException(real.toString(), null, "another file has replaced it");
        }
        return file;
    }

    private static boolean isSpelledSo(Path lexical) throws IOException {
        Path spelled = lexical.toRealPath(LinkOption.NOFOLLOW_LINKS);
        return spelled.toString().equals(lexical.toString());
    }

    private void remember(String path, @Nullable Found found, long now) {
        Object key = found == null ? null : found.attributes.fileKey();
        if (found == null || key == null || freshNanos == 0) {
            verified.remove(path);
            return;
        }
        FileTime created = found.attributes.creationTime();
        verified.put(path, new Verified(found.real, key, created, now, found.shared));
        Iterator<String> all = verified.keySet().iterator();
        while (verified.size() > VERIFIED_MAX && all.hasNext()) {
            verified.remove(Objects.requireNonNull(all.next()));
        }
    }
}
