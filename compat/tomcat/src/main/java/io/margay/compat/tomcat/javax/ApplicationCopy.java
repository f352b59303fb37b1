package io.margay.compat.tomcat.javax;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Makes the converted copy of an application's folder. Links are left out, as the container does
/// not follow them. Confined to the thread that converts.
final class ApplicationCopy extends SimpleFileVisitor<Path> {
    private static final String HIDDEN = "WEB-INF/";
    private static final String LIBRARIES = HIDDEN + "lib/";

    private final Path source;
    private final Path target;
    private final boolean mayLink;
    private final LibraryStore store;
    private final ConversionLimits limits;
    private final ConversionCost cost;

    /// @param mayLink whether files of the source may have a second name in the copy: nobody but
    ///   the server writes into it
    ApplicationCopy(
            Path source,
            Path target,
            boolean mayLink,
            LibraryStore store,
            ConversionLimits limits,
            ConversionCost cost) {
        this.source = source;
        this.target = target;
        this.mayLink = mayLink;
        this.store = store;
        this.limits = limits;
        this.cost = cost;
    }

    void make() throws IOException {
        Files.walkFileTree(source, this);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
            throws IOException {
        Files.createDirectories(target.resolve(renamed(source.relativize(folder).toString())));
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (!attributes.isRegularFile()) {
            return FileVisitResult.CONTINUE;
        }
        String name = source.relativize(file).toString();
        Path to = target.resolve(renamed(name));
        if (isLibrary(name, file)) {
            Path library = store.get(file, name, cost);
            if (library == null) {
                copy(file, to, mayLink);
            } else {
                copy(library, to, true);
            }
        } else if (wants(name) && attributes.size() <= limits.fileBytesMax()) {
            byte[] converted = FileConversion.convert(name, Files.readAllBytes(file));
            if (converted == null) {
                copy(file, to, mayLink);
            } else {
                Files.write(to, converted);
                Files.setLastModifiedTime(to, attributes.lastModifiedTime());
                cost.converted(name);
            }
        } else {
            copy(file, to, mayLink);
        }
        return FileVisitResult.CONTINUE;
    }

    /// Whether a file may be a library: class loaders of the application's own, such as those of
    /// OSGi frameworks and of plug-ins, find theirs anywhere below WEB-INF.
    static boolean isLibrary(String name) {
        return name.startsWith(HIDDEN) && name.endsWith(".jar");
    }

    /// Whether it is one; what is no archive is nobody's library but in the folder for libraries.
    static boolean isLibrary(String name, Path file) throws IOException {
        boolean own = name.startsWith(LIBRARIES) && name.indexOf('/', LIBRARIES.length()) < 0;
        return isLibrary(name) && (own || LibraryConversion.isArchive(file));
    }

    /// Files that clients can download stay as they are, but for pages.
    static boolean wants(String name) {
        boolean hidden = name.startsWith("WEB-INF/") || name.startsWith("META-INF/");
        return hidden ? FileConversion.wants(name) : FileConversion.isPage(name);
    }

    /// Classes and services are found by their names, other files by the application's paths.
    static String renamed(String name) {
        return name.startsWith("WEB-INF/classes/") ? FileConversion.name(name) : name;
    }

    /// A second name for the same bytes where the file system has that.
    static void copy(Path from, Path to, boolean mayLink) throws IOException {
        if (mayLink && linked(from, to) != null) {
            return;
        }
        Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static @Nullable Path linked(Path from, Path to) throws IOException {
        try {
            return Files.createLink(to, from);
        } catch (FileSystemException | UnsupportedOperationException e) {
            return null; // Another file system, or too many names: it is copied.
        }
    }
}
