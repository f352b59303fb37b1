package io.margay.servlet.deploy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.Index;
import org.jboss.jandex.IndexReader;
import org.jboss.jandex.IndexWriter;
import org.jboss.jandex.Indexer;
import org.jspecify.annotations.Nullable;

/// Indexes of the classes in archives: who extends, implements and is annotated with what. No class
/// is loaded. What is known of larger libraries is kept in a folder under the SHA-256 of their
/// tables of contents, which hold the checksum of each class. Thread-safe.
final class ClassIndexes {
    private static final System.Logger LOG = System.getLogger(ClassIndexes.class.getName());

    /// Smaller libraries are read faster than what is kept of them is found.
    private static final long KEPT_BYTES_MIN = 128 << 10;

    /// Part of a kept index's name, raised when the format or what is indexed changes.
    private static final int FORMAT = 2;

    private final Path folder;

    /// @param folder where indexes are kept; made when needed
    ClassIndexes(Path folder) {
        this.folder = folder;
    }

    /// The classes of a folder.
    record Scanned(Index index, ClassMentions mentions) {}

    /// Reads WEB-INF/classes.
    Scanned folder(Path classes) throws IOException {
        Indexer indexer = new Indexer();
        ClassMentions mentions = ClassMentions.NONE;
        try (Stream<Path> files = Files.walk(classes)) {
            List<Path> found =
                    files.filter(file -> isClass(file.getFileName().toString()))
                            .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                            .sorted()
                            .toList();
            for (Path file : found) {
                byte[] bytes = Files.readAllBytes(file);
                mentions = mentions.and(ClassMentions.of(ByteBuffer.wrap(bytes)));
                index(indexer, new ByteArrayInputStream(bytes), file.toString());
            }
        }
        return new Scanned(indexer.complete(), mentions);
    }

    /// Indexes a library, or finds its index kept.
    Index library(Path jar) throws IOException {
        Path kept = kept(jar, "idx");
        if (kept != null && Files.isRegularFile(kept)) {
            try (InputStream in = Files.newInputStream(kept)) {
                return new IndexReader(in).read();
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.DEBUG, "{0} is read anew: {1}", kept, e.toString());
            }
        }
        Index index = read(jar);
        if (kept != null) {
            keep(kept, out -> new IndexWriter(out).write(index));
        }
        return index;
    }

    /// What the classes of a library mention, which costs a small part of an index.
    ClassMentions mentions(Path jar) throws IOException {
        Path kept = kept(jar, "none");
        if (kept != null && Files.isRegularFile(kept)) {
            return ClassMentions.NONE;
        }
        ClassMentions mentions = ClassMentions.read(jar);
        if (kept != null && mentions.equals(ClassMentions.NONE)) {
            keep(kept, _ -> {});
        }
        return mentions;
    }

    /// One class of a library, or null when it has no such class.
    @Nullable ClassInfo find(Path jar, String className) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            String name = className.replace('.', '/') + ".class";
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                return null;
            }
            Indexer indexer = new Indexer();
            try (InputStream in = zip.getInputStream(entry)) {
                index(indexer, in, jar + "!/" + name);
            }
            return indexer.complete().getClassByName(className);
        }
    }

    /// Where something is kept of a library; null when it is not worth it.
    private @Nullable Path kept(Path jar, String suffix) throws IOException {
        return Files.size(jar) < KEPT_BYTES_MIN
                ? null
                : folder.resolve(digest(jar) + "-" + FORMAT + "." + suffix);
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

    static boolean isClass(String name) {
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

    /// Writes what is to be kept.
    @FunctionalInterface
    private interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /// What cannot be kept costs time on the next start, nothing else.
    private void keep(Path kept, Content content) {
        Path partial = folder.resolve(".partial-" + UUID.randomUUID());
        try {
            Files.createDirectories(folder);
            try (OutputStream out = Files.newOutputStream(partial)) {
                content.writeTo(out);
            }
            Files.move(partial, kept, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0} could not be kept: {1}", kept, e.toString());
            Folders.deleteQuietly(partial);
        }
    }

    private static String digest(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            ByteBuffer numbers = ByteBuffer.allocate(2 * Long.BYTES);
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (isClass(entry.getName())) {
                    sha.update(entry.getName().getBytes(StandardCharsets.UTF_8));
                    numbers.putLong(entry.getSize()).putLong(entry.getCrc());
                    sha.update(numbers.array());
                    numbers.clear();
                }
            }
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
