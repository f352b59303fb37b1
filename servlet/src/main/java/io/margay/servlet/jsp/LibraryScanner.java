package io.margay.servlet.jsp;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URL;
import java.net.URLClassLoader;
import org.apache.tomcat.JarScanType;
import org.apache.tomcat.JarScannerCallback;
import org.apache.tomcat.util.scan.StandardJarScanner;

/// Looks for tag libraries in the application's own libraries and then in those that all
/// applications share. Used by the thread that starts the application.
final class LibraryScanner extends StandardJarScanner {
    private static final System.Logger LOG = System.getLogger(LibraryScanner.class.getName());

    private final ClassLoader parent;

    /// @param parent of the application's class loader; of a [URLClassLoader] the libraries are
    ///   read
    LibraryScanner(ClassLoader parent) {
        this.parent = parent;
        setScanClassPath(false);
        setScanBootstrapClassPath(false);
        setScanManifest(false);
    }

    @Override
    public void scan(JarScanType type, ServletContext context, JarScannerCallback callback) {
        super.scan(type, context, callback);
        if (!(parent instanceof URLClassLoader shared)) {
            return;
        }
        for (URL library : shared.getURLs()) {
            try {
                process(type, callback, library, null, false, null);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "no tag libraries are read from " + library, e);
            }
        }
    }
}
