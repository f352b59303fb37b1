package io.margay.servlet.deploy;

import io.margay.servlet.inject.BeanLoader;
import io.margay.servlet.inject.Beans;
import io.margay.servlet.naming.NamedLoader;
import io.margay.servlet.naming.Naming;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Loads the classes of one application by the rules of Servlet 6.1 §10.7.2: the Java platform
/// first, then the APIs that the container supplies, then the application (WEB-INF/classes before
/// WEB-INF/lib), then what else of the container applications may see. Thread-safe and parallel
/// capable; closing it releases the libraries' files, [#closeCached] what others opened of them.
final class WebAppClassLoader extends URLClassLoader implements NamedLoader, BeanLoader {
    static {
        registerAsParallelCapable();
    }

    private static final System.Logger LOG = System.getLogger(WebAppClassLoader.class.getName());

    /// Packages of the platform's modules, none of which an application may replace.
    private static final Set<String> PLATFORM_PACKAGES = platformPackages();

    private final String application;
    private final List<Path> libraries;
    private final ClassLoader container;
    private final boolean containerFirst;
    private final Beans beans = new Beans(this);
    private volatile @Nullable Naming naming;

    /// Filled by the deploying thread, emptied by the one that ends the application.
    private final List<AutoCloseable> closing = new ArrayList<>();

    private boolean driversAreOurs;

    /// @param application its name, for messages
    /// @param classes WEB-INF/classes, or null when there is none
    /// @param libraries of WEB-INF/lib, in order of search
    WebAppClassLoader(
            String application,
            @Nullable Path classes,
            List<Path> libraries,
            ClassLoader container) {
        this(
                application,
                classes == null ? List.of() : List.of(classes),
                libraries,
                container,
                false);
    }

    /// @param classes folders, in order of search
    /// @param libraries searched after them, in order
    /// @param containerFirst whether what the container has goes before the application's own
    WebAppClassLoader(
            String application,
            List<Path> classes,
            List<Path> libraries,
            ClassLoader container,
            boolean containerFirst) {
        super(
                "application " + application,
                urls(classes, libraries),
                container,
                protocol -> protocol.equals("jar") ? new UncachedJars() : null);
        this.application = application;
        this.libraries = List.copyOf(libraries);
        this.container = container;
        this.containerFirst = containerFirst;
    }

    @Override
    public Beans beans() {
        return beans;
    }

    @Override
    public @Nullable Naming naming() {
        return naming;
    }

    /// Gives the application its names, which end when this is closed.
    void naming(Naming names) {
        naming = names;
        atEnd(names);
    }

    /// Leaves something to be closed with this.
    void atEnd(AutoCloseable closeable) {
        closing.add(closeable);
    }

    private static URL[] urls(List<Path> classes, List<Path> libraries) {
        List<URL> urls = new ArrayList<>();
        try {
            for (Path folder : classes) {
                urls.add(folder.toUri().toURL());
            }
            for (Path library : libraries) {
                urls.add(library.toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("only files can be on the class path", e);
        }
        return urls.toArray(URL[]::new);
    }

    private static Set<String> platformPackages() {
        Set<String> packages = new HashSet<>();
        ClassLoader platform = getPlatformClassLoader();
        for (Module module : ModuleLayer.boot().modules()) {
            ClassLoader loader = module.getClassLoader();
            if (loader == null || loader.equals(platform)) {
                packages.addAll(module.getPackages());
            }
        }
        return Set.copyOf(packages);
    }

    private static boolean ofPlatform(String className) {
        int dot = className.lastIndexOf('.');
        return className.startsWith("java.")
                || (dot > 0 && PLATFORM_PACKAGES.contains(className.substring(0, dot)));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null) {
                found = search(name);
            }
            if (resolve) {
                resolveClass(found);
            }
            return found;
        }
    }

    private Class<?> search(String name) throws ClassNotFoundException {
        if (ofPlatform(name)) {
            return getPlatformClassLoader().loadClass(name);
        }
        if (containerFirst || ContainerClasses.first(name)) {
            try {
                return container.loadClass(name);
            } catch (ClassNotFoundException _) {
                // The container lacks it, so that the application may bring it.
            }
        }
        try {
            return findClass(name);
        } catch (ClassNotFoundException _) {
            // Not the application's; it may still be visible.
        }
        try {
            return container.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new ClassNotFoundException(name + " (" + missing(name) + ")", e);
        }
    }

    private String missing(String name) {
        if (name.startsWith("javax.servlet.") || name.startsWith("javax.el.")) {
            return "application "
                    + application
                    + " was written for Java EE; convert it to the"
                    + " jakarta packages with \"margay convert\"";
        }
        return "not in WEB-INF/classes or WEB-INF/lib of application " + application;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            return super.findClass(name);
        } catch (UnsupportedClassVersionError e) {
            throw new UnsupportedClassVersionError(
                    "application "
                            + application
                            + ": "
                            + e.getMessage()
                            + ". Run the server on the newer Java, or compile for "
                            + Runtime.version().feature()
                            + ".");
        } catch (ClassFormatError e) {
            throw new ClassFormatError(
                    "application "
                            + application
                            + ": class "
                            + name
                            + " in "
                            + place(name)
                            + " is damaged: "
                            + e.getMessage());
        }
    }

    /// Where the application keeps a class; null when it does not bring it.
    @Nullable URL findClassFile(String className) {
        return super.findResource(className.replace('.', '/') + ".class");
    }

    /// Deregisters the JDBC drivers of this application.
    ///
    /// @return their class names; none when it was for the application that they were loaded
    List<String> removeDrivers() throws ReflectiveOperationException {
        byte[] bytes;
        String name = DriverRemoval.class.getName();
        try (InputStream in = DriverRemoval.class.getResourceAsStream("DriverRemoval.class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            bytes = in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
        List<String> names = new ArrayList<>();
        if (defineClass(name, bytes, 0, bytes.length).getConstructor().newInstance()
                        instanceof Supplier<?> removal
                && removal.get() instanceof List<?> removed) {
            removed.forEach(driver -> names.add(String.valueOf(driver)));
        }
        return driversAreOurs ? List.of() : names;
    }

    private String place(String className) {
        URL url = findClassFile(className);
        return url == null ? "an unknown place" : url.toString();
    }

    @Override
    public @Nullable URL getResource(String name) {
        String className = ContainerClasses.classNameOf(name);
        if (containerFirst || ofPlatformResource(name) || ContainerClasses.first(className)) {
            URL url = container.getResource(name);
            return url == null ? findResource(name) : url;
        }
        URL url = findResource(name);
        return url == null ? container.getResource(name) : url;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> own = Collections.list(findResources(name));
        List<URL> outer = Collections.list(container.getResources(name));
        boolean outerFirst =
                containerFirst
                        || ofPlatformResource(name)
                        || ContainerClasses.first(ContainerClasses.classNameOf(name));
        List<URL> all = new ArrayList<>(outerFirst ? outer : own);
        all.addAll(outerFirst ? own : outer);
        return Collections.enumeration(all);
    }

    private static boolean ofPlatformResource(String name) {
        return name.endsWith(".class")
                && ofPlatform(name.substring(0, name.length() - 6).replace('/', '.'));
    }

    /// Never by the JDK's cache of archives: the cache is shared by all applications and by all
    /// lives of one, and closing this loader would close what others are reading.
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        URL url = getResource(name);
        if (url == null) {
            return null;
        }
        try {
            URLConnection connection = url.openConnection();
            connection.setUseCaches(false);
            return connection.getInputStream();
        } catch (IOException e) {
            return null; // As the contract says: it could not be found.
        }
    }

    /// Opens entries of the libraries without the JDK's cache, also for those who open the URLs of
    /// [#getResource] themselves. Stateless.
    private static final class UncachedJars extends URLStreamHandler {
        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            URLConnection connection = URI.create(url.toExternalForm()).toURL().openConnection();
            connection.setUseCaches(false);
            return connection;
        }
    }

    /// Ends the application's resources and releases the libraries.
    @Override
    public void close() throws IOException {
        Naming names = naming;
        driversAreOurs |= names != null && names.hasLoadedDrivers();
        for (AutoCloseable closeable : closing.reversed()) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.log(Level.DEBUG, "{0} was not closed: {1}", closeable, e.toString());
            }
        }
        closing.clear();
        naming = null;
        super.close();
    }

    /// Closes the libraries where somebody has opened them through the JDK's cache nevertheless.
    /// Not to be called while another life of the application reads the same files.
    void closeCached() {
        for (Path library : libraries) {
            try {
                URL url = URI.create("jar:" + library.toUri() + "!/").toURL();
                if (url.openConnection() instanceof JarURLConnection connection) {
                    connection.setUseCaches(true);
                    connection.getJarFile().close();
                }
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "{0} could not be closed: {1}", library, e.toString());
            }
        }
    }
}
