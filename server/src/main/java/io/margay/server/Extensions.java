package io.margay.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where services are looked for that most servers do not need: ACME, Valkey, OpenTelemetry and
/// others, with their libraries. Immutable.
///
/// In the distribution these jars are in the folder `extensions` beside our own, and are opened
/// when the first of these services is asked for: the JDK opens each jar of the class path at every
/// start, to look for services of its own. Where there is no such folder, as beside the jars of an
/// application that embeds the server, they are looked for on the class path.
public final class Extensions {
    private static final class Folder {
        static final ClassLoader LOADER = loader(jar(), Extensions.class.getClassLoader());
    }

    private Extensions() {}

    /// The class loader for `java.util.ServiceLoader`, the same for all.
    public static ClassLoader loader() {
        return Folder.LOADER;
    }

    /// @param jar ours; null = it is no file
    static ClassLoader loader(@Nullable Path jar, ClassLoader own) {
        Path folder = jar == null ? null : jar.resolveSibling("extensions");
        if (folder == null || !Files.isDirectory(folder)) {
            return own;
        }
        List<URL> jars = jars(folder);
        return jars.isEmpty()
                ? own
                : new URLClassLoader("extensions", jars.toArray(URL[]::new), own);
    }

    private static @Nullable Path jar() {
        CodeSource source = Extensions.class.getProtectionDomain().getCodeSource();
        URL at = source == null ? null : source.getLocation();
        if (at == null || !at.getProtocol().equals("file")) {
            return null;
        }
        try {
            return Path.of(URI.create(at.toString()));
        } catch (IllegalArgumentException _) {
            return null; // A class loader that says it in another form.
        }
    }

    private static List<URL> jars(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(Extensions::url)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the extensions cannot be read: " + folder, e);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a path without an address: " + jar, e);
        }
    }
}
