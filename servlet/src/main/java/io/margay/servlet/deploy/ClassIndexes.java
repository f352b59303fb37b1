package io.margay.servlet.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jboss.jandex.Index;
import org.jboss.jandex.IndexReader;
import org.jboss.jandex.IndexWriter;
import org.jboss.jandex.Indexer;

/// Indexes of the classes in archives: who extends, implements and is annotated with what. No class
/// is loaded. Those of larger libraries are kept in a folder under the library's SHA-256, because
/// reading the digest is some twenty times cheaper than reading the classes. Thread-safe.
final class ClassIndexes {
    private static final System.Logger LOG = System.getLogger(ClassIndexes.class.getName());

    /// Smaller libraries are indexed faster than a kept index is found.
    private static final long KEPT_BYTES_MIN = 128 << 10;

    /// Part of a kept index's name, raised when the format or what is indexed changes.
    private static final int FORMAT = 1;

    private final Path folder;

    /// @param folder where indexes are kept; made when needed
    ClassIndexes(Path folder) {
        this.folder = folder;
    }

    /// Indexes WEB-INF/classes.
    Index folder(Path classes) throws IOException {
        Indexer indexer = new Indexer();
        try (Stream<Path> files = Files.walk(classes)) {
            List<Path> found =
                    files.filter(file -> isClass(file.getFileName().toString()))
                            .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                            .sorted()
                            .toList();
            for (Path file : found) {
                try (InputStream in = Files.newInputStream(file)) {
                    index(indexer, in, file.toString());
                }
            }
        }
        return indexer.complete();
    }

    /// Indexes a library, or finds its index kept.
    Index library(Path jar) throws IOException {
        if (Files.size(jar) < KEPT_BYTES_MIN) {
            return read(jar);
        }
        Path kept = folder.resolve(digest(jar) + "-" + FORMAT + ".idx");
        if (Files.isRegularFile(kept)) {
            try (InputStream in = Files.newInputStream(kept)) {
                return new IndexReader(in).read();
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.DEBUG, "{0} is read anew: {1}", kept, e.toString());
            }
        }
        Index index = read(jar);
        keep(index, kept);
        return index;
    }

    private static Index read(Path jar) throws IOException {
        Indexer indexer = new Indexer();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                if (!name.startsWith("META-INF/") && isClass(name)) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        index(indexer, in, jar + "!/" + name);
                    }
                }
            }
        }
        return indexer.complete();
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.endsWith("module-info.class");
    }

    /// A class file that cannot be understood declares nothing; loading it will say why.
    private static void index(Indexer indexer, InputStream in, String shown) {
        try {
            indexer.index(in);
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "{0} is left out of the scan: {1}", shown, e.toString());
        }
    }

    /// An index that cannot be kept costs time on the next start, nothing else.
    private void keep(Index index, Path kept) {
        Path partial = folder.resolve(".partial-" + UUID.randomUUID());
        try {
            Files.createDirectories(folder);
            try (OutputStream out = Files.newOutputStream(partial)) {
                new IndexWriter(out).write(index);
            }
            Files.move(partial, kept, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the index {0} could not be kept: {1}", kept, e.toString());
            Folders.deleteQuietly(partial);
        }
    }

    private static String digest(Path jar) throws IOException {
        try (InputStream in = Files.newInputStream(jar)) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            try (DigestInputStream digesting = new DigestInputStream(in, sha)) {
                digesting.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
