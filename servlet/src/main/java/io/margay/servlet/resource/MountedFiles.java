package io.margay.servlet.resource;

import io.margay.servlet.resource.MountedResources.Part;
import io.margay.servlet.xml.DescriptorException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What the mounts of an application amount to: libraries, folders of classes, and files. Confined
/// to the deploying thread.
public final class MountedFiles {
    private static final String CLASSES = "/WEB-INF/classes";
    private static final String LIBRARIES = "/WEB-INF/lib";

    private final List<Mount> mounts;

    /// On the class path before and after what the application has itself.
    public final ClassPath before = new ClassPath();

    public final ClassPath after = new ClassPath();

    /// A part of a class path.
    public static final class ClassPath {
        public List<Path> folders = new ArrayList<>();
        public List<Path> libraries = new ArrayList<>();

        private void all(Path classes, Path lib) throws IOException {
            if (Files.isDirectory(classes)) {
                folders.add(classes);
            }
            libraries.addAll(libraries(lib));
        }
    }

    private MountedFiles(List<Mount> mounts) {
        this.mounts = mounts;
    }

    /// @param nested folder for libraries that are within archives
    /// @throws DescriptorException when one is not there, or cannot be mounted so
    public static MountedFiles of(List<Mount> mounts, Path nested) throws IOException {
        List<Mount> found = new ArrayList<>();
        for (Mount mount : mounts) {
            found.add(mount.inner().isEmpty() ? mount : unpacked(mount, nested));
        }
        MountedFiles files = new MountedFiles(found);
        for (Mount mount : found) {
            files.classes(mount, mount.first() ? files.before : files.after);
        }
        return files;
    }

    private static Mount unpacked(Mount mount, Path nested) throws IOException {
        Path library =
                Files.isRegularFile(mount.base())
                        ? NestedLibrary.unpacked(mount.base(), mount.inner(), nested)
                        : null;
        if (library == null) {
            throw refused(mount, mount.inner() + " is not there in " + mount.base());
        }
        return mount.of(library);
    }

    private void classes(Mount mount, ClassPath path) throws IOException {
        boolean there =
                mount.kind() == Mount.Kind.FOLDER
                        ? Files.isDirectory(mount.folder())
                        : Files.isRegularFile(mount.base());
        if (!there) {
            throw refused(mount, mount.base() + " is not there, or is of another kind");
        }
        String at = mount.path();
        boolean withinClasses = at.startsWith(CLASSES + "/");
        switch (mount.kind()) {
            case FOLDER -> {
                switch (at) {
                    case CLASSES -> path.folders.add(mount.folder());
                    case LIBRARIES -> path.libraries.addAll(libraries(mount.folder()));
                    case "/WEB-INF" ->
                            path.all(
                                    mount.folder().resolve("classes"),
                                    mount.folder().resolve("lib"));
                    case "" ->
                            path.all(
                                    mount.folder().resolve("WEB-INF/classes"),
                                    mount.folder().resolve("WEB-INF/lib"));
                    default -> {
                        // Files alone.
                    }
                }
            }
            case JAR -> {
                if (at.equals(CLASSES) && mount.within().isEmpty()) {
                    path.libraries.add(mount.base());
                }
                withinClasses |= at.equals(CLASSES) && !mount.within().isEmpty();
            }
            case FILE -> {
                if (at.startsWith(LIBRARIES + "/") && at.endsWith(".jar")) {
                    path.libraries.add(mount.base());
                }
            }
        }
        if (withinClasses) {
            throw refused(
                    mount,
                    at + " is within the classes; mount a whole folder or JAR at " + CLASSES);
        }
    }

    private static DescriptorException refused(Mount mount, String why) {
        return new DescriptorException(List.of(mount.place() + ": " + why));
    }

    /// The libraries of a folder, by name; none when it is not there.
    public static List<Path> libraries(Path folder) throws IOException {
        List<Path> libraries = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
                for (Path jar : jars) {
                    if (Files.isRegularFile(jar, LinkOption.NOFOLLOW_LINKS)) {
                        libraries.add(jar);
                    }
                }
            }
        }
        libraries.sort(null);
        return List.copyOf(libraries);
    }

    /// The application's files with those that are mounted.
    ///
    /// @param own is closed with the result, or when that cannot be made
    public WebResources around(WebResources own) throws IOException {
        if (mounts.isEmpty()) {
            return own;
        }
        List<Part> parts = new ArrayList<>();
        try {
            for (Mount mount : mounts) {
                if (mount.first()) {
                    parts.add(part(mount));
                }
            }
            parts.add(new Part("", own, null));
            for (Mount mount : mounts) {
                if (!mount.first()) {
                    parts.add(part(mount));
                }
            }
            return new MountedResources(parts);
        } catch (IOException e) {
            parts.forEach(part -> part.files().close());
            own.close();
            throw e;
        }
    }

    private static Part part(Mount mount) throws IOException {
        return switch (mount.kind()) {
            case FOLDER ->
                    new Part(mount.path(), new FolderResources(mount.folder(), List.of()), null);
            case JAR ->
                    new Part(
                            mount.path(),
                            CombinedResources.of(
                                    List.of(),
                                    List.of(
                                            new CombinedResources.Jar(
                                                    mount.base(), mount.within()))),
                            null);
            case FILE ->
                    new Part(
                            mount.path(),
                            new FolderResources(
                                    mount.base().resolveSibling(".").normalize(), List.of()),
                            "/" + mount.base().getFileName());
        };
    }
}
