package io.margay.servlet.jsp;

import io.margay.servlet.settings.LibraryScan;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URL;
import java.net.URLClassLoader;
import org.apache.tomcat.JarScanFilter;
import org.apache.tomcat.JarScanType;
import org.apache.tomcat.JarScannerCallback;
import org.apache.tomcat.util.scan.StandardJarScanner;

/// Looks for tag libraries in the application's own libraries and then in those that all
/// applications share. Used by the thread that starts the application.
final class LibraryScanner extends StandardJarScanner {
    private static final System.Logger LOG = System.getLogger(LibraryScanner.class.getName());

    private final ClassLoader parent;
    private final LibraryScan scan;

    /// @param parent of the application's class loader; of a [URLClassLoader] the libraries are
    ///   read
    /// @param scan which of them are looked through
    LibraryScanner(ClassLoader parent, LibraryScan scan) {
        this.parent = parent;
        this.scan = scan;
        setScanClassPath(false);
        setScanBootstrapClassPath(false);
        setScanManifest(false);
        setScanAllDirectories(scan.folders());
        // Not Jasper's own, which asks system properties.
        setJarScanFilter(new Filter(scan));
    }

    @Override
    public void scan(JarScanType type, ServletContext context, JarScannerCallback callback) {
        super.scan(type, context, callback);
        if (!scan.shared() || !(parent instanceof URLClassLoader shared)) {
            return;
        }
        for (URL library : shared.getURLs()) {
            if (!isWanted(library.getPath())) {
                continue;
            }
            try {
                process(type, callback, library, null, false, null);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "no tag libraries are read from " + library, e);
            }
        }
    }

    /// @param path of a library, or of a folder, which ends in a slash
    private boolean isWanted(String path) {
        boolean folder = path.endsWith("/");
        String bare = folder ? path.substring(0, path.length() - 1) : path;
        String name = bare.substring(bare.lastIndexOf('/') + 1);
        return (!folder || scan.folders()) && scan.tagLibraries().has(name);
    }

    /// Asked for tag libraries alone.
    private record Filter(LibraryScan scan) implements JarScanFilter {
        @Override
        public boolean check(JarScanType type, String name) {
            return scan.tagLibraries().has(name);
        }
    }
}
