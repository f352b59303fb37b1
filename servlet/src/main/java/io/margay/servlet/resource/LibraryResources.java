package io.margay.servlet.resource;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The files of one library below a folder of it, usually `META-INF/resources`. The table of
/// contents is read once; the file stays open until [#close]. Immutable but for that, thread-safe.
final class LibraryResources {
    /// Where libraries have what applications serve (Servlet 6.1 §4.6).
    static final String RESOURCES = "META-INF/resources";

    private final Path file;
    private final String prefix;
    private final ZipFile zip;
    private final Map<String, ZipEntry> files;
    private final Map<String, Set<String>> folders;

    private LibraryResources(
            Path file,
            String prefix,
            ZipFile zip,
            Map<String, ZipEntry> files,
            Map<String, Set<String>> folders) {
        this.file = file;
        this.prefix = prefix;
        this.zip = zip;
        this.files = files;
        this.folders = folders;
    }

    /// Opens a library; null when it holds no resources.
    ///
    /// @param prefix the folder in it, without slashes around it; empty = the whole of it
    static @Nullable LibraryResources open(Path file, String prefix) throws IOException {
        return open(file, prefix, Set.of());
    }

    /// @param hidden how the paths begin that are no resources
    static @Nullable LibraryResources open(Path file, String prefix, Set<String> hidden)
            throws IOException {
        ZipFile zip = new ZipFile(file.toFile());
        Map<String, ZipEntry> files = new HashMap<>();
        Map<String, Set<String>> folders = new HashMap<>();
        zip.stream()
                .filter(entry -> prefix.isEmpty() || entry.getName().startsWith(prefix + "/"))
                .forEach(entry -> {
                    String path = path(entry, prefix);
                    if (hidden.stream().noneMatch(path::startsWith)) {
                        add(entry, path, files, folders);
                    }
                });
        if (files.isEmpty()) {
            zip.close();
            return null;
        }
        return new LibraryResources(file, prefix, zip, files, folders);
    }

    private static String path(ZipEntry entry, String prefix) {
        return prefix.isEmpty()
                ? "/" + entry.getName()
                : entry.getName().substring(prefix.length());
    }

    /// Classes, libraries and descriptors are no resources even where a library has such names.
    private static void add(
            ZipEntry entry,
            String path,
            Map<String, ZipEntry> files,
            Map<String, Set<String>> folders) {
        boolean hidden =
                path.startsWith("/WEB-INF/classes/")
                        || path.startsWith("/WEB-INF/lib/")
                        || path.equals("/WEB-INF/web.xml");
        if (entry.isDirectory() || hidden || !CanonicalName.accepts(path)) {
            return;
        }
        files.putIfAbsent(path, entry);
        String child = path;
        int slash = path.lastIndexOf('/');
        while (slash >= 0) {
            String parent = path.substring(0, slash);
            boolean known = !folders.computeIfAbsent(parent, _ -> new TreeSet<>()).add(child);
            if (known) {
                return;
            }
            child = parent + "/";
            slash = parent.lastIndexOf('/');
        }
    }

    /// @param bare canonical, without a slash at the end
    @Nullable WebResource get(String bare) {
        ZipEntry entry = files.get(bare);
        if (entry != null) {
            return new EntryResource(this, bare, entry);
        }
        return folders.containsKey(bare) ? new EntryResource(this, bare, null) : null;
    }

    void list(String bare, Set<String> found) {
        found.addAll(folders.getOrDefault(bare, Set.of()));
    }

    void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new IllegalStateException("a file opened for reading can be closed", e);
        }
    }

    private record EntryResource(LibraryResources library, String path, @Nullable ZipEntry entry)
            implements WebResource {
        @Override
        public boolean isFolder() {
            return entry == null;
        }

        @Override
        public long length() {
            return entry == null ? -1 : entry.getSize();
        }

        @Override
        public long modifiedNanos() {
            return entry == null ? 0 : TimeUnit.MILLISECONDS.toNanos(Math.max(0, entry.getTime()));
        }

        @Override
        public @Nullable Path file() {
            return null;
        }

        @Override
        public URL url() {
            URI uri = URI.create("jar:" + library.file.toUri() + "!/" + encoded());
            try {
                return URL.of(uri, new UncachedJar());
            } catch (MalformedURLException e) {
                throw new IllegalStateException("entries have URLs", e);
            }
        }

        private String encoded() {
            String within = library.prefix.isEmpty() ? "" : "/" + library.prefix;
            String name = within + path + (entry == null ? "/" : "");
            try {
                return new URI(null, null, name, null).getRawPath().substring(1);
            } catch (URISyntaxException e) {
                throw new IllegalStateException("a path can be quoted", e);
            }
        }

        @Override
        public InputStream open() throws IOException {
            if (entry == null) {
                throw new IOException(path + " is a folder");
            }
            return library.zip.getInputStream(entry);
        }
    }

    /// Opens entries without the JDK's cache of open JAR files, which would outlive the
    /// application.
    private static final class UncachedJar extends URLStreamHandler {
        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            URLConnection connection = URI.create(url.toExternalForm()).toURL().openConnection();
            connection.setUseCaches(false);
            return connection;
        }
    }
}
