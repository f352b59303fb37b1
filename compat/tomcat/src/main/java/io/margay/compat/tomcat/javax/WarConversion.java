package io.margay.compat.tomcat.javax;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/// Writes a WAR for javax as one for jakarta. Confined to one thread.
public final class WarConversion {
    /// Is told how far the conversion is.
    @FunctionalInterface
    public interface Progress {
        /// @param done entries of the WAR
        /// @param total entries of the WAR
        /// @param last the entry that was just finished
        void converted(int done, int total, String last);
    }

    private final ConversionLimits limits = ConversionLimits.defaults();
    private final ConversionCost cost;
    private final LongSupplier clock;
    private final Progress progress;
    private boolean changed;

    /// @param clock nanoseconds, as [System#nanoTime]
    public WarConversion(LongSupplier clock, Progress progress) {
        this.clock = clock;
        this.progress = progress;
        cost = new ConversionCost(clock.getAsLong());
    }

    /// Converts a WAR, once.
    ///
    /// @param target is written whole, or not at all
    /// @return what was done; null when there was nothing to convert, and nothing was written
    public @Nullable String convert(Path war, Path target) throws IOException {
        Path partial = target.resolveSibling(".partial-" + UUID.randomUUID());
        try {
            try (ZipFile zip = new ZipFile(war.toFile());
                    ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(partial))) {
                write(zip, out);
            }
            if (!changed) {
                return null;
            }
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
            return cost.text(clock.getAsLong());
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    private void write(ZipFile zip, ZipOutputStream out) throws IOException {
        Set<String> written = new HashSet<>();
        Enumeration<? extends ZipEntry> entries = zip.entries();
        int done = 0;
        while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            String name = ApplicationCopy.renamed(entry.getName());
            if (written.add(name)) {
                ZipEntry copy = new ZipEntry(name);
                if (entry.getTime() >= 0) {
                    copy.setTime(entry.getTime());
                }
                out.putNextEntry(copy);
                if (!entry.isDirectory()) {
                    content(zip, entry, out);
                }
                out.closeEntry();
            }
            done++;
            progress.converted(done, zip.size(), entry.getName());
        }
    }

    private void content(ZipFile zip, ZipEntry entry, OutputStream out) throws IOException {
        String name = entry.getName();
        try (InputStream in = zip.getInputStream(entry)) {
            if (ApplicationCopy.isLibrary(name)) {
                library(name, in, out);
            } else if (ApplicationCopy.wants(name) && entry.getSize() <= limits.fileBytesMax()) {
                byte[] content = in.readNBytes((int) limits.fileBytesMax());
                byte[] converted = FileConversion.convert(name, content);
                if (converted != null) {
                    changed = true;
                    cost.converted(name);
                }
                out.write(converted == null ? content : converted);
            } else {
                in.transferTo(out);
            }
        }
    }

    private void library(String name, InputStream in, OutputStream out) throws IOException {
        Path library = Files.createTempFile("margay-library-", ".jar");
        Path converted = Files.createTempFile("margay-library-", ".jar");
        try {
            Files.copy(in, library, StandardCopyOption.REPLACE_EXISTING);
            boolean other = false;
            if (ApplicationCopy.isLibrary(name, library)) {
                other = converted(name, library, converted);
            }
            if (other) {
                changed = true;
                cost.libraryConverted();
            }
            Files.copy(other ? converted : library, out);
        } finally {
            Files.delete(library);
            Files.delete(converted);
        }
    }

    private boolean converted(String name, Path library, Path target) throws IOException {
        try (OutputStream to = Files.newOutputStream(target)) {
            return new LibraryConversion(library, name, limits, cost).writeTo(to);
        }
    }
}
