package io.margay.compat.tomcat.javax;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// The conversion of one library. Confined to the thread that converts.
final class LibraryConversion {
    private static final System.Logger LOG = System.getLogger(LibraryConversion.class.getName());

    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final String RESOURCES = "META-INF/resources/";

    /// Files of a signature (JAR File Specification, "Signed JAR File").
    private static final Pattern SIGNATURE =
            Pattern.compile("META-INF/(SIG-[^/]+|[^/]+\\.(SF|RSA|DSA|EC))");

    /// Libraries within libraries that are followed.
    private static final int DEPTH_MAX = 3;

    private final int depth;
    private final Path library;
    private final String shown;
    private final ConversionLimits limits;
    private final ConversionCost cost;
    private boolean changed;
    private boolean signed;
    private long left;

    LibraryConversion(Path library, String shown, ConversionLimits limits, ConversionCost cost) {
        this(library, shown, limits, cost, 0);
    }

    private LibraryConversion(
            Path library, String shown, ConversionLimits limits, ConversionCost cost, int depth) {
        this.depth = depth;
        this.library = library;
        this.shown = shown;
        this.limits = limits;
        this.cost = cost;
        left = limits.libraryBytesMax();
    }

    /// Whether a file can be opened as an archive.
    static boolean isArchive(Path file) throws IOException {
        try (ZipFile _ = new ZipFile(file.toFile())) {
            return true;
        } catch (ZipException e) {
            return false;
        }
    }

    /// Writes the library as it is to be.
    ///
    /// @return whether that is other than it was
    boolean writeTo(OutputStream out) throws IOException {
        try (ZipFile zip = new ZipFile(library.toFile())) {
            signed = zip.stream().anyMatch(entry -> isSignature(entry.getName()));
            Set<String> names = new HashSet<>();
            zip.stream().forEach(entry -> names.add(entry.getName()));
            Set<String> written = new HashSet<>();
            ZipOutputStream target = new ZipOutputStream(out);
            target.setLevel(Deflater.BEST_SPEED);
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                String renamed = name.startsWith(RESOURCES) ? name : FileConversion.name(name);
                // Where a library has a file under both names, the one for jakarta is the right
                // one.
                boolean twice = !renamed.equals(name) && names.contains(renamed);
                if (!isSignature(name) && !twice && written.add(renamed)) {
                    write(zip, entry, renamed, target);
                }
            }
            target.finish();
        }
        if (changed && signed) {
            cost.signatureRemoved();
            LOG.log(
                    Level.INFO,
                    "{0} was signed; its signature is removed, for its classes were converted from"
                            + " javax to jakarta",
                    shown);
        }
        return changed;
    }

    private static boolean isSignature(String name) {
        return SIGNATURE.matcher(name.toUpperCase(Locale.ROOT)).matches();
    }

    private void write(ZipFile zip, ZipEntry entry, String renamed, ZipOutputStream target)
            throws IOException {
        String name = entry.getName();
        changed |= !renamed.equals(name);
        ZipEntry copy = new ZipEntry(renamed);
        if (entry.getTime() >= 0) {
            copy.setTime(entry.getTime());
        }
        if (name.endsWith(".jar") && depth < DEPTH_MAX) {
            nested(zip, entry, copy, target);
            return;
        }
        target.putNextEntry(copy);
        if (!entry.isDirectory()) {
            try (InputStream in = zip.getInputStream(entry)) {
                if (wants(name) && entry.getSize() <= limits.fileBytesMax()) {
                    byte[] content = in.readNBytes((int) limits.fileBytesMax());
                    take(content.length, name);
                    target.write(converted(name, content));
                } else {
                    copy(in, target, name);
                }
            }
        }
        target.closeEntry();
    }

    /// A library within a library, which loaders of the application's own open; the parents of some
    /// want it stored, not compressed.
    private void nested(ZipFile zip, ZipEntry entry, ZipEntry copy, ZipOutputStream target)
            throws IOException {
        Path inner = Files.createTempFile("margay-library-", ".jar");
        Path result = Files.createTempFile("margay-library-", ".jar");
        try {
            try (InputStream in = zip.getInputStream(entry);
                    OutputStream to = Files.newOutputStream(inner)) {
                copy(in, to, entry.getName());
            }
            boolean other = isArchive(inner) && convert(inner, result, entry.getName());
            Path from = other ? result : inner;
            changed |= other;
            if (entry.getMethod() == ZipEntry.STORED) {
                copy.setMethod(ZipEntry.STORED);
                copy.setSize(Files.size(from));
                copy.setCrc(crc(from));
            }
            target.putNextEntry(copy);
            Files.copy(from, target);
            target.closeEntry();
        } finally {
            Files.delete(inner);
            Files.delete(result);
        }
    }

    private boolean convert(Path from, Path to, String name) throws IOException {
        LibraryConversion inside =
                new LibraryConversion(from, shown + "!/" + name, limits, cost, depth + 1);
        inside.left = left;
        try (OutputStream out = Files.newOutputStream(to)) {
            return inside.writeTo(out);
        } finally {
            left = inside.left;
        }
    }

    private static long crc(Path file) throws IOException {
        CRC32 crc = new CRC32();
        try (InputStream in = new CheckedInputStream(Files.newInputStream(file), crc)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return crc.getValue();
    }

    /// What clients can download stays as it is.
    private static boolean wants(String name) {
        return name.startsWith(RESOURCES)
                ? FileConversion.isPage(name)
                : FileConversion.wants(name);
    }

    private byte[] converted(String name, byte[] content) throws IOException {
        boolean signature = name.equals(MANIFEST) && signed;
        byte[] converted =
                signature
                        ? FileConversion.manifest(content, true)
                        : FileConversion.convert(name, content);
        if (converted == null) {
            return content;
        }
        if (!signature) {
            changed = true;
            cost.converted(name);
        }
        return converted;
    }

    private void copy(InputStream in, OutputStream out, String name) throws IOException {
        byte[] buffer = new byte[64 << 10];
        int count;
        while ((count = in.read(buffer)) >= 0) {
            take(count, name);
            out.write(buffer, 0, count);
        }
    }

    private void take(int bytes, String name) throws ZipException {
        left -= bytes;
        if (left < 0) {
            throw new ZipException(
                    shown
                            + " is larger than may be converted (libraryBytesMax "
                            + limits.libraryBytesMax()
                            + "), at entry "
                            + name);
        }
    }
}
