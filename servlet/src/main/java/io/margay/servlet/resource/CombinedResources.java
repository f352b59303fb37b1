package io.margay.servlet.resource;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The files of several folders, then those of several JARs, under one name space: what an
/// application that is no WAR serves. What comes first hides what comes later. Thread-safe.
public final class CombinedResources implements WebResources {
    private final List<WebResources> folders;
    private final List<LibraryResources> libraries;

    private CombinedResources(List<WebResources> folders, List<LibraryResources> libraries) {
        this.folders = List.copyOf(folders);
        this.libraries = List.copyOf(libraries);
    }

    /// A folder of a JAR, or a WAR.
    ///
    /// @param prefix without slashes around it, such as `static` or `META-INF/resources`; empty =
    ///   the whole of it
    /// @param hidden how the paths begin that are not there for applications, such as `/program/`
    public record Jar(Path file, String prefix, Set<String> hidden) {
        public Jar {
            hidden = Set.copyOf(hidden);
        }

        public Jar(Path file, String prefix) {
            this(file, prefix, Set.of());
        }
    }

    /// Opens folders and JARs.
    ///
    /// @throws IOException when one cannot be read
    public static CombinedResources of(List<Path> folders, List<Jar> jars) throws IOException {
        List<WebResources> parts = new ArrayList<>();
        List<LibraryResources> libraries = new ArrayList<>();
        try {
            for (Path folder : folders) {
                parts.add(new FolderResources(folder, List.of()));
            }
            for (Jar jar : jars) {
                LibraryResources opened = LibraryResources.open(jar.file, jar.prefix, jar.hidden);
                if (opened != null) {
                    libraries.add(opened);
                }
            }
            return new CombinedResources(parts, libraries);
        } catch (IOException e) {
            libraries.forEach(LibraryResources::close);
            throw e;
        }
    }

    /// Where a folder of the class path is.
    public record Places(List<Path> folders, List<Jar> jars) {}

    /// Finds a folder of the class path everywhere where it is there as a folder, in the file
    /// system or in a JAR.
    ///
    /// @param prefix without slashes around it
    /// @throws IOException when it is nowhere, or cannot be read
    public static Places onClassPath(ClassLoader loader, String prefix) throws IOException {
        List<Path> folders = new ArrayList<>();
        List<Jar> jars = new ArrayList<>();
        for (URL url : Collections.list(loader.getResources(prefix))) {
            if (url.getProtocol().equals("file")) {
                folders.add(path(url));
            } else {
                URLConnection connection = url.openConnection();
                connection.setUseCaches(false);
                if (connection instanceof JarURLConnection jar
                        && jar.getJarFileURL().getProtocol().equals("file")) {
                    jars.add(new Jar(path(jar.getJarFileURL()), prefix));
                }
            }
        }
        if (folders.isEmpty() && jars.isEmpty()) {
            throw new IOException("there is no folder " + prefix + " on the class path");
        }
        return new Places(folders, jars);
    }

    private static Path path(URL url) throws IOException {
        try {
            URI uri = url.toURI();
            return Path.of(uri);
        } catch (URISyntaxException e) {
            throw new IOException(url + " is not a file", e);
        }
    }

    @Override
    public @Nullable WebResource get(String path) {
        for (WebResources folder : folders) {
            WebResource found = folder.get(path);
            if (found != null) {
                return found;
            }
        }
        if (!CanonicalName.accepts(path)) {
            return null;
        }
        boolean folderOnly = path.endsWith("/");
        String bare = bare(path);
        for (LibraryResources library : libraries) {
            WebResource found = library.get(bare);
            if (found != null && (found.isFolder() || !folderOnly)) {
                return found;
            }
        }
        return null;
    }

    private static String bare(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    @Override
    public @Nullable Set<String> list(String path) {
        WebResource listed = get(path);
        if (listed == null || !listed.isFolder()) {
            return null;
        }
        Set<String> found = new TreeSet<>();
        for (WebResources folder : folders) {
            Set<String> own = folder.list(path);
            found.addAll(own == null ? Set.of() : own);
        }
        libraries.forEach(library -> library.list(bare(path), found));
        return found;
    }

    @Override
    public void close() {
        folders.forEach(WebResources::close);
        libraries.forEach(LibraryResources::close);
    }
}
