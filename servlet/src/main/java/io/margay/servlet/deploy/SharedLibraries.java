package io.margay.servlet.deploy;

import io.margay.servlet.settings.ApplicationConversion;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Libraries that every application sees behind its own, such as the drivers of databases. Give it
/// to [DeploySettings] in place of the container's class loader. Thread-safe.
public final class SharedLibraries extends URLClassLoader {
    private static final String RESOURCES = "META-INF/resources/";

    static {
        registerAsParallelCapable();
    }

    private final List<Path> jars;
    private final Set<Path> declaring;
    private @Nullable List<Path> withResources;
    private @Nullable Boolean webSocket;

    /// @param container the class loader with the Jakarta APIs and the page engine
    /// @param vendor of whose packages applications see classes
    public SharedLibraries(List<Path> jars, ClassLoader container, VendorDescriptors vendor) {
        this(jars, Set.of(), container, vendor);
    }

    /// @param declaring those of them whose web fragments and annotations count as if they were in
    ///   `WEB-INF/lib` of each application
    public SharedLibraries(
            List<Path> jars, Set<Path> declaring, ClassLoader container, VendorDescriptors vendor) {
        super("shared libraries", urls(jars), new ContainerClasses(container, vendor));
        this.jars = List.copyOf(jars);
        this.declaring = Set.copyOf(declaring);
    }

    /// Where what is made of such libraries for this platform is kept; the folders are made.
    ///
    /// @param workFolder as in [DeploySettings]
    /// @throws IOException when they cannot be
    public static ApplicationConversion.Places conversion(Path workFolder) throws IOException {
        WorkFolder work = new WorkFolder(workFolder.toAbsolutePath().normalize());
        work.prepare();
        return work.sharedConversion();
    }

    /// Those that declare things for each application, in order.
    List<Path> declaring() {
        return jars.stream().filter(declaring::contains).toList();
    }

    /// Those that have classes alone.
    List<Path> silent() {
        return jars.stream().filter(jar -> !declaring.contains(jar)).toList();
    }

    /// Whether a class of theirs may be an endpoint of WebSocket, or the super class of one. They
    /// are looked through once.
    synchronized boolean mentionWebSocket(ClassIndexes indexes) {
        Boolean known = webSocket;
        if (known == null) {
            known = jars.stream().anyMatch(jar -> indexes.sharedMentions(jar).webSocket());
            webSocket = known;
        }
        return known;
    }

    /// Those that have files for applications to serve, in `META-INF/resources`. They are looked
    /// through once.
    synchronized List<Path> withResources() {
        List<Path> known = withResources;
        if (known == null) {
            known = new ArrayList<>();
            for (Path jar : jars) {
                if (Files.isRegularFile(jar) && hasResources(jar)) {
                    known.add(jar);
                }
            }
            withResources = known;
        }
        return known;
    }

    /// What is no archive has no files, as it has no classes.
    private static boolean hasResources(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream().anyMatch(entry -> entry.getName().startsWith(RESOURCES));
        } catch (IOException e) {
            return false;
        }
    }

    private static URL[] urls(List<Path> jars) {
        List<URL> urls = new ArrayList<>();
        try {
            for (Path jar : jars) {
                urls.add(jar.toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("only files can be shared libraries", e);
        }
        return urls.toArray(URL[]::new);
    }
}
