package io.margay.servlet.jsp;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Deque;
import java.util.jar.JarFile;
import org.apache.tomcat.JarScanType;
import org.apache.tomcat.JarScannerCallback;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.jspecify.annotations.Nullable;

/// Looks for tag libraries on the class path of a program. Jasper cannot name what is in a JAR
/// within a JAR, as executable archives have it, and gets copies of those that have a tag library.
/// Used by the thread that starts the application.
final class ClassPathScanner extends StandardJarScanner {
    private final Path scratch;

    /// @param scratch for the copies
    ClassPathScanner(Path scratch) {
        this.scratch = scratch;
        setScanBootstrapClassPath(false);
    }

    @Override
    protected void process(
            JarScanType type,
            JarScannerCallback callback,
            URL url,
            @Nullable String path,
            boolean isWebapp,
            @Nullable Deque<URL> others)
            throws IOException {
        URL readable = isNested(url) ? copy(url) : url;
        if (readable != null) {
            super.process(type, callback, readable, path, isWebapp, others);
        }
    }

    private static boolean isNested(URL url) {
        return url.getProtocol().equals("jar") && !url.getPath().startsWith("file:");
    }

    /// Null when it has no tag library.
    private @Nullable URL copy(URL url) throws IOException {
        if (!(url.openConnection() instanceof JarURLConnection connection)) {
            return null;
        }
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            if (jar.stream().noneMatch(entry -> entry.getName().endsWith(".tld"))) {
                return null;
            }
        }
        Path copy = Files.createTempFile(scratch, "library-", ".jar");
        try (InputStream in = connection.getJarFileURL().openStream()) {
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy.toUri().toURL();
    }
}
