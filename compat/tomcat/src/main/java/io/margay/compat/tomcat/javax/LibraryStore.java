package io.margay.compat.tomcat.javax;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converted libraries, each once for all applications: a library's name is the SHA-256 of what it
/// was converted from and the version of what converted it. Files are written under another name
/// and renamed, so what has its name is whole. Thread-safe; the folder is one process's.
final class LibraryStore {
    private static final System.Logger LOG = System.getLogger(LibraryStore.class.getName());

    /// A library that has nothing to convert is an empty file of this name.
    private static final String SAME = ".same";

    private static final String CONVERTED = ".jar";

    /// Held while one library is converted, so that two applications do not do it twice.
    private static final Object[] LOCKS = Stream.generate(Object::new).limit(64).toArray();

    private final Path folder;
    private final ConversionLimits limits;

    LibraryStore(Path folder, ConversionLimits limits) {
        this.folder = folder;
        this.limits = limits;
    }

    /// The converted library; null when nothing of it is to be converted.
    ///
    /// @param shown its name, for messages
    @Nullable Path get(Path library, String shown, ConversionCost cost) throws IOException {
        String digest = digest(library);
        Path converted = folder.resolve(digest + CONVERTED);
        Path same = folder.resolve(digest + SAME);
        synchronized (LOCKS[Math.floorMod(digest.hashCode(), LOCKS.length)]) {
            if (Files.exists(same)) {
                return null;
            }
            if (Files.exists(converted)) {
                Files.setLastModifiedTime(converted, FileTime.from(Instant.now()));
                cost.libraryFromStore();
                return converted;
            }
            return convert(library, shown, cost, converted, same);
        }
    }

    private @Nullable Path convert(
            Path library, String shown, ConversionCost cost, Path converted, Path same)
            throws IOException {
        Files.createDirectories(folder);
        Path partial = folder.resolve(".partial-" + UUID.randomUUID());
        try {
            boolean changed;
            try (OutputStream out = Files.newOutputStream(partial)) {
                changed = new LibraryConversion(library, shown, limits, cost).writeTo(out);
            }
            if (!changed) {
                Files.write(same, new byte[0]);
                return null;
            }
            Files.move(partial, converted, StandardCopyOption.ATOMIC_MOVE);
            cost.libraryConverted();
            return converted;
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    /// Deletes the oldest of the libraries that no application has, beyond the limit.
    void clean() {
        try {
            List<Path> unused = new ArrayList<>();
            long bytes = 0;
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + CONVERTED)) {
                for (Path library : all) {
                    if (Files.getAttribute(library, "unix:nlink").equals(1)) {
                        unused.add(library);
                        bytes += Files.size(library);
                    }
                }
            }
            unused.sort(Comparator.comparingLong(file -> file.toFile().lastModified()));
            for (Path library : unused) {
                if (bytes <= limits.storeBytesMax()) {
                    return;
                }
                bytes -= Files.size(library);
                Files.delete(library);
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(Level.DEBUG, "{0} was not cleaned: {1}", folder, e.toString());
        }
    }

    private static String digest(Path library) throws IOException {
        try (InputStream in = Files.newInputStream(library)) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[64 << 10];
            int count;
            while ((count = in.read(buffer)) >= 0) {
                sha.update(buffer, 0, count);
            }
            return HexFormat.of().formatHex(sha.digest()) + "-" + JavaxApplications.VERSION;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
