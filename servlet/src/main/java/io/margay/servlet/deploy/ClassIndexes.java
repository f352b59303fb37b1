package io.margay.servlet.deploy;

import io.margay.servlet.descriptor.ClassHeader;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
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
    private static final int FORMAT = 3;

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int CLASS_BYTES_MAX = 16 << 20;

    private final Path folder;

    /// @param folder where indexes are kept; made when needed
    ClassIndexes(Path folder) {
        this.folder = folder;
    }

    /// The classes of a folder or a library.
    ///
    /// @param index of a folder's classes; of a library, of those alone that may be annotated with
    ///   what declares something
    record Scanned(Index index, ClassMentions mentions, List<ClassHeader> headers) {}

    /// The classes of one archive while they are read, each once. Confined to the deploying thread.
    private static final class Scan {
        private final boolean indexAll;
        private final Indexer indexer = new Indexer();
        private final List<ClassHeader> headers = new ArrayList<>();
        private ClassMentions mentions = ClassMentions.NONE;

        /// @param indexAll whether classes that are not annotated are in the index, too
        Scan(boolean indexAll) {
            this.indexAll = indexAll;
        }

        void add(byte[] bytes, int length, String shown) {
            ClassHeader header = ClassHeader.read(bytes, length);
            ClassMentions own =
                    header == null ? ClassMentions.of(bytes, length) : ClassMentions.of(header);
            mentions = mentions.and(own);
            if (header == null) {
                LOG.log(Level.WARNING, "{0} is left out of the scan: it is damaged", shown);
            } else {
                headers.add(header);
                if (indexAll || own.annotations()) {
                    index(indexer, new ByteArrayInputStream(bytes, 0, length), shown);
                }
            }
        }

        Scanned scanned(Path archive) throws IOException {
            return new Scanned(complete(indexer, archive), mentions, headers);
        }
    }

    /// Reads WEB-INF/classes.
    Scanned folder(Path classes) throws IOException {
        return folder(classes, new Scan(true));
    }

    private static Scanned folder(Path classes, Scan scan) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            List<Path> found =
                    files.filter(file -> isClass(file.getFileName().toString()))
                            .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                            .sorted()
                            .toList();
            for (Path file : found) {
                byte[] bytes = Files.readAllBytes(file);
                scan.add(bytes, bytes.length, file.toString());
            }
        }
        return scan.scanned(classes);
    }

    /// Reads a library or folder that applications share. What cannot be read has no classes, as it
    /// has none for class loaders.
    Scanned shared(Path place) {
        return ofShared(
                place,
                Level.WARNING,
                () -> Files.isDirectory(place) ? folder(place, new Scan(false)) : library(place),
                new Scanned(new Indexer().complete(), ClassMentions.NONE, List.of()));
    }

    /// What the classes of a library or folder mention that applications share.
    ClassMentions sharedMentions(Path place) {
        return ofShared(
                place,
                Level.DEBUG,
                () ->
                        Files.isDirectory(place)
                                ? folder(place, new Scan(false)).mentions()
                                : mentions(place),
                ClassMentions.NONE);
    }

    /// How something is read.
    @FunctionalInterface
    private interface Reading<T extends @Nullable Object> {
        T read() throws IOException;
    }

    private static <T extends @Nullable Object> T ofShared(
            Path place, Level failure, Reading<T> reading, T nothing) {
        try {
            return Files.exists(place) ? reading.read() : nothing;
        } catch (IOException | UncheckedIOException e) {
            LOG.log(failure, "{0} is not looked through: {1}", place, e.toString());
            return nothing;
        }
    }

    /// Reads a library, or finds what is kept of it.
    Scanned library(Path jar) throws IOException {
        Path kept = kept(jar, "scan");
        if (kept != null && Files.isRegularFile(kept)) {
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(kept)))) {
                return KeptScan.read(in);
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.DEBUG, "{0} is read again: {1}", kept, e.toString());
            }
        }
        Scanned scanned = read(jar);
        if (kept != null) {
            keep(kept, out -> KeptScan.write(scanned, new DataOutputStream(out)));
        }
        return scanned;
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

    /// One class of a library or folder that applications share, or null when it has no such class.
    @Nullable ClassInfo findShared(Path place, String className) {
        return ofShared(
                place,
                Level.DEBUG,
                () ->
                        Files.isDirectory(place)
                                ? findInFolder(place, className)
                                : find(place, className),
                null);
    }

    private static @Nullable ClassInfo findInFolder(Path folder, String className)
            throws IOException {
        Path file = folder.resolve(className.replace('.', '/') + ".class");
        if (!Files.isRegularFile(file)) {
            return null;
        }
        Indexer indexer = new Indexer();
        try (InputStream in = Files.newInputStream(file)) {
            index(indexer, in, file.toString());
        }
        return indexer.complete().getClassByName(className);
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

    private static Scanned read(Path jar) throws IOException {
        Scan scan = new Scan(false);
        byte[] buffer = new byte[BUFFER_BYTES];
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                if (name.startsWith("META-INF/") || !isClass(name)) {
                    continue;
                }
                int size = Math.clamp(entry.getSize(), 0, CLASS_BYTES_MAX);
                if (size > buffer.length) {
                    buffer = new byte[size];
                }
                try (InputStream in = zip.getInputStream(entry)) {
                    int length = in.readNBytes(buffer, 0, size);
                    scan.add(buffer, length, jar + "!/" + name);
                }
            }
        }
        return scan.scanned(jar);
    }

    /// The index of what has been read; of nothing, should the reader have stumbled.
    private static Index complete(Indexer indexer, Path archive) throws IOException {
        try {
            return indexer.complete();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, archive + " has no index", e);
            return Index.of(Object.class);
        }
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
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (isClass(entry.getName())) {
                    sha.update(entry.getName().getBytes(StandardCharsets.UTF_8));
                    String numbers = " " + entry.getSize() + " " + entry.getCrc() + "\n";
                    sha.update(numbers.getBytes(StandardCharsets.US_ASCII));
                }
            }
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// What has been found in a library, as it is kept. Stateless.
    private static final class KeptScan {
        private KeptScan() {}

        static void write(Scanned scanned, DataOutputStream out) throws IOException {
            out.writeBoolean(scanned.mentions().annotations());
            out.writeBoolean(scanned.mentions().webSocket());
            out.writeInt(scanned.headers().size());
            for (ClassHeader header : scanned.headers()) {
                String parent = header.superName();
                out.writeUTF(header.name());
                out.writeUTF(parent == null ? "" : parent);
                texts(header.interfaces(), out);
                texts(header.onClass(), out);
                texts(header.onMembers(), out);
            }
            out.flush();
            if (scanned.mentions().annotations()) {
                new IndexWriter(out).write(scanned.index());
            }
        }

        private static void texts(Collection<String> texts, DataOutputStream out)
                throws IOException {
            out.writeShort(texts.size());
            for (String text : texts) {
                out.writeUTF(text);
            }
        }

        static Scanned read(DataInputStream in) throws IOException {
            ClassMentions mentions = new ClassMentions(in.readBoolean(), in.readBoolean());
            List<ClassHeader> headers = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                String name = in.readUTF();
                String parent = in.readUTF();
                headers.add(
                        new ClassHeader(
                                name,
                                parent.isEmpty() ? null : parent,
                                texts(in),
                                Set.copyOf(texts(in)),
                                Set.copyOf(texts(in))));
            }
            Index index =
                    mentions.annotations() ? new IndexReader(in).read() : Index.of(Object.class);
            return new Scanned(index, mentions, headers);
        }

        private static List<String> texts(DataInputStream in) throws IOException {
            int count = in.readUnsignedShort();
            if (count == 0) {
                return List.of();
            }
            List<String> texts = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                texts.add(in.readUTF());
            }
            return texts;
        }
    }
}
