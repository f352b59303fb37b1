package io.margay.compat.tomcat.javax;

import io.margay.servlet.deploy.Folders;
import io.margay.servlet.settings.ApplicationConversion.Places;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The libraries that all applications of a server share, converted where they were written for the
/// javax packages. They are kept in a folder under a digest of their names, lengths and times, so
/// that libraries that have not changed are converted once. Confined to one reading.
public final class JavaxLibraries {
    /// Holds the digest of libraries that are known to be for jakarta, or for neither.
    private static final String NOT_NEEDED = "not-needed";

    private static final String FRAGMENT = "META-INF/web-fragment.xml";

    /// Part of the digest, raised when converted libraries are kept otherwise.
    private static final int LAYOUT = 3;

    private final List<Path> libraries;
    private final Places places;
    private final ConversionLimits limits = ConversionLimits.defaults();
    private final LongSupplier clock;

    /// Where what these were made into is; null = nothing was made.
    private @Nullable Path current;

    /// What the libraries have been made into.
    ///
    /// @param libraries JARs and folders, in order; what was made of a folder comes before it
    /// @param origins what those of the libraries were made of that were made
    /// @param javax whether they are those of a server for javax
    /// @param account what was done, for the log; null = nothing was to be done
    public record Converted(
            List<Path> libraries,
            Map<Path, Path> origins,
            boolean javax,
            @Nullable String account) {
        public Converted {
            libraries = List.copyOf(libraries);
            origins = Map.copyOf(origins);
        }

        /// Libraries that were not converted.
        public Converted(List<Path> libraries, boolean javax) {
            this(libraries, Map.of(), javax, null);
        }

        /// What some have been made into, or they themselves where nothing was made of them.
        public Set<Path> of(Collection<Path> some) {
            Set<Path> all = new LinkedHashSet<>(some);
            origins.forEach((made, origin) -> {
                if (all.remove(origin)) {
                    all.add(made);
                }
            });
            return all;
        }
    }

    /// @param libraries JARs and folders of classes
    /// @param clock nanoseconds, as [System#nanoTime]
    public JavaxLibraries(List<Path> libraries, Places places, LongSupplier clock) {
        this.libraries = List.copyOf(libraries);
        this.places = places;
        this.clock = clock;
    }

    /// Converts them if they need it.
    ///
    /// @param javax whether they are for javax; null = their classes tell
    public Converted convert(@Nullable Boolean javax) throws IOException {
        Converted same = new Converted(libraries, Boolean.TRUE.equals(javax));
        if (libraries.isEmpty() || Boolean.FALSE.equals(javax)) {
            return same;
        }
        String digest = digest(javax);
        Path target = places.application().resolve(digest);
        if (Files.isDirectory(target)) {
            current = target;
            return resolved(target, "converted from javax before");
        }
        Path known = places.application().resolve(NOT_NEEDED);
        if (Files.exists(known) && Files.readString(known).equals(digest)) {
            return same;
        }
        long begin = clock.getAsLong();
        if (javax == null && !JavaxEvidence.ofLibraries(libraries, limits)) {
            JavaxApplications.write(known, digest);
            return same;
        }
        ConversionCost cost = new ConversionCost(begin);
        WholeFolder.make(target, partial -> fill(partial, cost));
        if (cost.isNothing()) {
            Folders.delete(target);
            JavaxApplications.write(known, digest);
            return same;
        }
        current = target;
        return resolved(target, "converted from javax: " + cost.text(clock.getAsLong()));
    }

    /// Deletes what was made of other libraries, or of these as they were; for when no application
    /// runs.
    public void clean() throws IOException {
        Path all = places.application();
        if (Files.isDirectory(all)) {
            try (DirectoryStream<Path> made = Files.newDirectoryStream(all)) {
                for (Path one : made) {
                    if (Files.isDirectory(one) && !one.equals(current)) {
                        Folders.delete(one);
                    }
                }
            }
        }
    }

    private void fill(Path partial, ConversionCost cost) throws IOException {
        LibraryStore store = new LibraryStore(places.libraries(), limits);
        for (int i = 0; i < libraries.size(); i++) {
            Path library = libraries.get(i);
            Path to = partial.resolve(name(i));
            if (Files.isDirectory(library)) {
                folder(library, to, cost);
            } else if (isArchive(library)) {
                Path converted = store.get(library, library.toString(), cost);
                if (converted != null) {
                    Files.createDirectories(to.getParent());
                    // A second name, so that the store knows that it is in use.
                    ApplicationCopy.copy(converted, to, true);
                }
            }
        }
    }

    /// What is none has no classes, as a class loader sees it.
    private static boolean isArchive(Path library) {
        try (ZipFile _ = new ZipFile(library.toFile())) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Writes the classes and files of a folder that are to be others; the rest is found in the
    /// folder itself, and its JARs are none of its classes.
    private void folder(Path source, Path target, ConversionCost cost) throws IOException {
        Files.walkFileTree(
                source,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        String name = source.relativize(file).toString();
                        if (attributes.isRegularFile()
                                && attributes.size() <= limits.fileBytesMax()
                                && FileConversion.wants(name)) {
                            byte[] converted =
                                    FileConversion.convert(name, Files.readAllBytes(file));
                            if (converted == null && name.equals(FRAGMENT)) {
                                // Is looked for where the classes are that it names.
                                Path to = target.resolve(name);
                                Files.createDirectories(to.getParent());
                                ApplicationCopy.copy(file, to, false);
                            }
                            if (converted != null) {
                                Path to = target.resolve(FileConversion.name(name));
                                Files.createDirectories(to.getParent());
                                Files.write(to, converted);
                                cost.converted(name);
                            }
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /// Each in a folder of its own, so that it keeps its name, by which it may be skipped.
    private String name(int index) {
        return index + "/" + libraries.get(index).getFileName();
    }

    private Converted resolved(Path target, String account) {
        List<Path> all = new ArrayList<>();
        Map<Path, Path> origins = new HashMap<>();
        for (int i = 0; i < libraries.size(); i++) {
            Path library = libraries.get(i);
            Path converted = target.resolve(name(i));
            boolean there = Files.exists(converted);
            if (there) {
                all.add(converted);
                origins.put(converted, library);
            }
            if (!there || Files.isDirectory(library)) {
                all.add(library);
            }
        }
        return new Converted(all, origins, true, account);
    }

    private String digest(@Nullable Boolean javax) throws IOException {
        StringBuilder stamps = new StringBuilder(LAYOUT + " " + javax).append('\n');
        for (Path library : libraries) {
            Files.walkFileTree(
                    library,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
                            stamps.append(file)
                                    .append('\0')
                                    .append(is.size())
                                    .append('\0')
                                    .append(is.lastModifiedTime().toMillis())
                                    .append('\n');
                            return FileVisitResult.CONTINUE;
                        }
                    });
        }
        return JavaxApplications.digest(stamps.toString().lines().sorted().toList());
    }
}
