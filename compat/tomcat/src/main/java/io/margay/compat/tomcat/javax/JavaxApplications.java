package io.margay.compat.tomcat.javax;

import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.settings.ApplicationConversion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/// Deploys applications that were written for the javax packages: makes a converted copy of each in
/// the work folder, under a digest of the names, lengths and times of its files, so that one that
/// has not changed is converted once. Thread-safe.
public final class JavaxApplications implements ApplicationConversion {
    /// Of the converter, a part of the names of what it has made: Tomcat's migration tool, whose
    /// names of packages are used, and this one's own, raised with what it does.
    static final String VERSION = "1.0.12-4";

    /// Holds the digest of an application that is known not to need conversion.
    private static final String NOT_NEEDED = "not-needed";

    private final boolean refuse;

    /// Whether the applications are for javax that name none of its packages for servlets: they use
    /// libraries of the server that were converted.
    private final boolean likely;

    private final ConversionLimits limits;
    private final LongSupplier clock;

    /// @param clock nanoseconds, as [System#nanoTime]
    JavaxApplications(boolean refuse, boolean likely, ConversionLimits limits, LongSupplier clock) {
        this.refuse = refuse;
        this.likely = likely;
        this.limits = limits;
        this.clock = clock;
    }

    /// Converts them.
    public static JavaxApplications converted() {
        return new JavaxApplications(false, false, ConversionLimits.defaults(), System::nanoTime);
    }

    /// Converts them, those too that tell it by a further package of Java EE alone: the libraries
    /// that they share are for javax.
    public static JavaxApplications withLibraries() {
        return new JavaxApplications(false, true, ConversionLimits.defaults(), System::nanoTime);
    }

    /// Refuses them, by name.
    public static JavaxApplications refused() {
        return new JavaxApplications(true, false, ConversionLimits.defaults(), System::nanoTime);
    }

    @Override
    public @Nullable Converted convert(Path folder, Places places) throws IOException {
        long begin = clock.getAsLong();
        String digest = digest(folder);
        Path target = places.application().resolve(digest);
        String notNeeded = likely ? digest + " with libraries" : digest;
        if (!refuse && Files.isDirectory(target)) {
            return new Converted(target, "converted from javax before", OldPages.INSTANCE);
        }
        Path known = places.application().resolve(NOT_NEEDED);
        if (Files.exists(known) && Files.readString(known).equals(notNeeded)) {
            return null;
        }
        String witness = JavaxEvidence.of(folder, likely, limits);
        if (witness == null) {
            write(known, notNeeded);
            return null;
        }
        if (refuse) {
            throw new DeploymentException(
                    "the application was written for Java EE, whose packages begin with javax: "
                            + witness
                            + " uses javax.servlet, and \"deploy: {javax: off}\" refuses such"
                            + " applications. Set it to auto, or convert it with"
                            + " \"margay convert\".");
        }
        ConversionCost cost = new ConversionCost(begin);
        make(folder, target, places, cost);
        return new Converted(
                target, "converted from javax: " + cost.text(clock.getAsLong()), OldPages.INSTANCE);
    }

    @Override
    public List<Path> converted(List<Path> classPath, Places places) throws IOException {
        Places further =
                new Places(places.application().resolve("mounted"), places.libraries(), false);
        return new JavaxLibraries(classPath, further, clock).convert(true).libraries();
    }

    private void make(Path folder, Path target, Places places, ConversionCost cost)
            throws IOException {
        LibraryStore store = new LibraryStore(places.libraries(), limits);
        WholeFolder.make(
                target,
                partial ->
                        new ApplicationCopy(folder, partial, places.ours(), store, limits, cost)
                                .make());
        store.clean();
    }

    static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Path partial = file.resolveSibling(".partial-" + UUID.randomUUID());
        Files.writeString(partial, text);
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /// Of the names, lengths and times of all files. By checksums: nobody gains by two folders that
    /// are taken for one, and the platform's security providers take a tenth of a start.
    private static String digest(Path folder) throws IOException {
        TreeSet<String> files = new TreeSet<>();
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        files.add(
                                folder.relativize(file)
                                        + "\0"
                                        + attributes.size()
                                        + "\0"
                                        + attributes.lastModifiedTime().toMillis());
                        return FileVisitResult.CONTINUE;
                    }
                });
        byte[] all = String.join("\n", files).getBytes(StandardCharsets.UTF_8);
        Checksum first = new CRC32();
        first.update(all);
        Checksum second = new CRC32C();
        second.update(all);
        long both = (first.getValue() << Integer.SIZE) | second.getValue();
        return HexFormat.of().toHexDigits(both) + "-" + VERSION;
    }

    /// Of lines, with the version of what converts.
    static String digest(Collection<String> lines) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (String line : lines) {
                sha.update((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(sha.digest(), 0, 16) + "-" + VERSION;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
