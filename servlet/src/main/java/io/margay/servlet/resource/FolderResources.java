package io.margay.servlet.resource;

import io.margay.server.files.FolderLookup;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The files of an application's folder, then `META-INF/resources` of its libraries in fragment
/// order (Servlet 6.1 §4.6). A path finds a file only when the file's real path is exactly that
/// path below the folder, so neither links nor a file system that ignores case lead anywhere else
/// ([FolderLookup] tells how often that is looked at). Thread-safe.
public final class FolderResources implements WebResources {
    /// How long a way to a file is believed to be without links, as long as it is the same file.
    private static final Duration VERIFIED_FOR = Duration.ofSeconds(1);

    private final FolderLookup folder;
    private final List<LibraryResources> libraries;

    /// @param folder the application's folder; may itself be reached through links
    /// @param libraries files of WEB-INF/lib in fragment order
    /// @throws IOException when the folder or a library cannot be read
    public FolderResources(Path folder, List<Path> libraries) throws IOException {
        this(folder, libraries, System::nanoTime);
    }

    /// @param clock nanoseconds, as [System#nanoTime]
    FolderResources(Path folder, List<Path> libraries, LongSupplier clock) throws IOException {
        this.folder = new FolderLookup(folder, FolderLookup.Links.REFUSED, VERIFIED_FOR, clock);
        List<LibraryResources> found = new ArrayList<>();
        try {
            for (Path library : libraries) {
                LibraryResources resources =
                        LibraryResources.open(library, LibraryResources.RESOURCES);
                if (resources != null) {
                    found.add(resources);
                }
            }
        } catch (IOException e) {
            found.forEach(LibraryResources::close);
            throw e;
        }
        this.libraries = List.copyOf(found);
    }

    @Override
    public @Nullable WebResource get(String path) {
        if (!CanonicalName.accepts(path)) {
            return null;
        }
        boolean folderOnly = path.endsWith("/");
        String bare = folderOnly ? path.substring(0, path.length() - 1) : path;
        WebResource resource = inFolder(bare);
        for (LibraryResources library : libraries) {
            if (resource != null) {
                break;
            }
            resource = library.get(bare);
        }
        return resource != null && folderOnly && !resource.isFolder() ? null : resource;
    }

    private @Nullable WebResource inFolder(String bare) {
        if (bare.isEmpty()) {
            return new FileResource("/", folder.root(), null, true, -1, 0);
        }
        FolderLookup.Found found = folder.find(bare);
        if (found == null) {
            return null;
        }
        BasicFileAttributes attributes = found.attributes();
        boolean isFolder = attributes.isDirectory();
        return new FileResource(
                bare,
                found.real(),
                found,
                isFolder,
                isFolder ? -1 : attributes.size(),
                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    }

    @Override
    public @Nullable Set<String> list(String path) {
        WebResource listed = get(path);
        if (listed == null || !listed.isFolder()) {
            return null;
        }
        String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        Set<String> found = new TreeSet<>();
        Path root = folder.root();
        Path file = bare.isEmpty() ? root : root.resolve(bare.substring(1));
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            listFolder(bare, file, found);
        }
        libraries.forEach(library -> library.list(bare, found));
        return found;
    }

    private static void listFolder(String bare, Path folder, Set<String> found) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String path = bare + "/" + entry.getFileName();
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(path + "/");
                } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(path);
                }
            }
        } catch (IOException _) {
            found.clear();
        }
    }

    @Override
    public void close() {
        libraries.forEach(LibraryResources::close);
    }

    /// A file or folder of the application's folder.
    ///
    /// @param found null for the folder itself
    private record FileResource(
            String path,
            Path location,
            FolderLookup.@Nullable Found found,
            boolean isFolder,
            long length,
            long modifiedNanos)
            implements WebResource {
        @Override
        public @Nullable FileChannel openChannel() throws IOException {
            return found == null ? null : found.open();
        }

        @Override
        public Path file() {
            return location;
        }

        @Override
        public URL url() {
            try {
                return location.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException("files have URLs", e);
            }
        }

        @Override
        public InputStream open() throws IOException {
            return found == null
                    ? Files.newInputStream(location, LinkOption.NOFOLLOW_LINKS)
                    : found.input();
        }
    }
}
