package io.margay.compat.tomcat.javax;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
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

    private final Path library;
    private final String shown;
    private final ConversionLimits limits;
    private final ConversionCost cost;
    private boolean changed;
    private boolean signed;
    private long left;

    LibraryConversion(Path library, String shown, ConversionLimits limits, ConversionCost cost) {
        this.library = library;
        this.shown = shown;
        this.limits = limits;
        this.cost = cost;
        left = limits.libraryBytesMax();
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
