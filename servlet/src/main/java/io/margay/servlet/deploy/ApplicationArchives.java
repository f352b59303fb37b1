package io.margay.servlet.deploy;

import io.margay.servlet.descriptor.ClassHeader;
import io.margay.servlet.descriptor.DescriptorAssembly;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.resource.MountedFiles;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import io.margay.servlet.websocket.WebSocketInitializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.Index;
import org.jspecify.annotations.Nullable;

/// WEB-INF/classes and WEB-INF/lib of one application: what they declare, who initializes it, which
/// classes they hold. Each archive is scanned at most once, and only when something asks. Confined
/// to the deploying thread.
final class ApplicationArchives {
    private static final System.Logger LOG = System.getLogger(ApplicationArchives.class.getName());

    /// After which the log says how far the libraries have been read.
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final String FRAGMENT = "META-INF/web-fragment.xml";

    private final String application;
    private final Path classes;
    private final List<Path> libraries;
    private final List<Path> shared;
    private final LibraryScan.Names scan;
    private final DescriptorAssembly assembly;
    private final ClassIndexes indexes;
    private final LongSupplier clock;
    private final Map<String, ClassIndexes.Scanned> scanned = new HashMap<>();
    private final Map<String, ClassMentions> mentioned = new HashMap<>();
    private final Map<String, Optional<ClassInfo>> singles = new HashMap<>();
    private ClassIndexes.@Nullable Scanned scannedClasses;

    private ApplicationArchives(
            String application,
            Path folder,
            List<Path> libraries,
            List<Path> shared,
            DescriptorAssembly assembly,
            LibraryScan.Names scan,
            ClassIndexes indexes,
            LongSupplier clock) {
        this.scan = scan;
        this.shared = shared;
        this.clock = clock;
        this.application = application;
        classes = folder.resolve("WEB-INF/classes");
        this.libraries = libraries;
        this.assembly = assembly;
        this.indexes = indexes;
    }

    /// Reads what the application declares in files.
    ///
    /// @param folder the application's root
    static ApplicationArchives read(
            String application, Path folder, DescriptorAssembly assembly, ClassIndexes indexes)
            throws IOException {
        return read(
                application,
                folder,
                List.of(),
                List.of(),
                List.of(),
                assembly,
                LibraryScan.Names.ALL,
                indexes);
    }

    /// The same with libraries from elsewhere.
    ///
    /// @param before those that take the place of the application's own of the same names
    /// @param after those that are there unless the application has one of the same name
    /// @param shared libraries and folders that other applications have, too, and that declare
    ///   things; those alone that are looked through
    /// @param scan which libraries of the application are looked through
    static ApplicationArchives read(
            String application,
            Path folder,
            List<Path> before,
            List<Path> after,
            List<Path> shared,
            DescriptorAssembly assembly,
            LibraryScan.Names scan,
            ClassIndexes indexes)
            throws IOException {
        return read(
                application,
                folder,
                before,
                after,
                shared,
                assembly,
                scan,
                indexes,
                System::nanoTime);
    }

    /// @param clock nanoseconds, as [System#nanoTime]
    static ApplicationArchives read(
            String application,
            Path folder,
            List<Path> before,
            List<Path> after,
            List<Path> shared,
            DescriptorAssembly assembly,
            LibraryScan.Names scan,
            ClassIndexes indexes,
            LongSupplier clock)
            throws IOException {
        Path webXml = folder.resolve("WEB-INF/web.xml");
        if (Files.isRegularFile(webXml)) {
            assembly.webXml(Files.readAllBytes(webXml));
        }
        List<Path> libraries =
                all(before, MountedFiles.libraries(folder.resolve("WEB-INF/lib")), after);
        for (Path library : libraries) {
            if (scan.has(library)) {
                assembly.library(library.getFileName().toString(), fragment(application, library));
            }
        }
        for (Path place : shared) {
            assembly.shared(place, fragment(place));
        }
        return new ApplicationArchives(
                application, folder, libraries, shared, assembly, scan, indexes, clock);
    }

    /// The first of each name.
    private static List<Path> all(List<Path> before, List<Path> own, List<Path> after) {
        Map<String, Path> byName = new LinkedHashMap<>();
        for (List<Path> some : List.of(before, own, after)) {
            some.forEach(library -> byName.putIfAbsent(library.getFileName().toString(), library));
        }
        return List.copyOf(byName.values());
    }

    private static byte @Nullable [] fragment(String application, Path library) {
        try (ZipFile zip = new ZipFile(library.toFile())) {
            ZipEntry entry = zip.getEntry(FRAGMENT);
            if (entry == null) {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        } catch (IOException e) {
            throw new DeploymentException(
                    "application "
                            + application
                            + ": the library WEB-INF/lib/"
                            + library.getFileName()
                            + " cannot be read: "
                            + Causes.text(e)
                            + ". Replace or remove it.",
                    e);
        }
    }

    /// What cannot be read declares nothing, as it has no classes.
    private static byte @Nullable [] fragment(Path shared) {
        try {
            if (Files.isDirectory(shared)) {
                Path file = shared.resolve(FRAGMENT);
                return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
            }
            try (ZipFile zip = new ZipFile(shared.toFile())) {
                ZipEntry entry = zip.getEntry(FRAGMENT);
                return entry == null ? null : zip.getInputStream(entry).readAllBytes();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} is not looked through: {1}", shared, e.toString());
            return null;
        }
    }

    /// The folder of classes, or null when there is none.
    @Nullable Path classes() {
        return Files.isDirectory(classes) ? classes : null;
    }

    /// All libraries, by name.
    List<Path> libraries() {
        return libraries;
    }

    /// Libraries that may hold resources: those in fragment order first, then those that the order
    /// leaves out, which still are on the class path.
    List<Path> resourceLibraries() {
        Set<Path> all = new LinkedHashSet<>(ordered());
        shared.forEach(all::remove);
        libraries.stream().filter(scan::has).forEach(all::add);
        return List.copyOf(all);
    }

    private List<Path> skipped() {
        return libraries.stream().filter(library -> !scan.has(library)).toList();
    }

    /// Web fragments that are left out because their libraries are not looked through, a line each;
    /// none where a complete web.xml leaves out all of them.
    List<String> fragmentsLeftOut() {
        return assembly.metadataComplete()
                ? List.of()
                : skipped().stream()
                        .filter(ApplicationArchives::hasFragment)
                        .map(library ->
                                "WEB-INF/lib/"
                                        + library.getFileName()
                                        + ": META-INF/web-fragment.xml is not read: the library is"
                                        + " skipped by a JarScanFilter, jarsToSkip of"
                                        + " catalina.properties, or library-scan")
                        .toList();
    }

    private static boolean hasFragment(Path library) {
        try (ZipFile zip = new ZipFile(library.toFile())) {
            return zip.getEntry(FRAGMENT) != null;
        } catch (IOException e) {
            return false; // Whoever needs the library says so.
        }
    }

    /// Libraries whose initializers run: as in Tomcat those of skipped libraries, too, unless
    /// fragments are in an order, in which a skipped library has no place. Those of shared
    /// libraries run in any case.
    private List<Path> initializing() {
        List<Path> all = new ArrayList<>(ordered());
        all.removeAll(shared);
        if (!assembly.isOrdered()) {
            all.addAll(skipped());
        }
        return all;
    }

    private List<Path> ordered() {
        Map<String, Path> byName = new HashMap<>();
        libraries.forEach(library -> byName.put(library.getFileName().toString(), library));
        shared.forEach(place -> byName.put(place.toString(), place));
        List<Path> ordered = new ArrayList<>();
        for (String name : assembly.orderedLibraries()) {
            Path library = byName.get(name);
            if (library != null) {
                ordered.add(library);
            }
        }
        return ordered;
    }

    /// The container's initializers and the application's, with the classes they handle. Ours is
    /// for endpoints alone: where no class mentions what makes one, it handles none.
    ///
    /// @param shared libraries and folders of all applications that are looked through for handled
    ///   types
    List<Initializer> initializers(ClassLoader container, ClassLoader loader, List<Path> shared)
            throws IOException {
        InitializerScan found = new InitializerScan(application, loader);
        found.own(new WebSocketInitializer());
        found.container(container);
        Path own = classes();
        if (own != null) {
            found.classes(own);
        }
        for (Path library : initializing()) {
            found.library(library);
        }
        if (found.wantsClasses()) {
            // What follows asks for all of them anyhow, and each is to be read once.
            scanAll();
        }
        return found.initializers(
                () -> handled(loader, shared),
                initializer ->
                        initializer instanceof WebSocketInitializer
                                && !mentionsWebSocket(container));
    }

    /// A class of the application may be an endpoint only by what it extends of a shared library,
    /// be that looked through or not.
    private boolean mentionsWebSocket(ClassLoader container) {
        if (container instanceof SharedLibraries shared && shared.mentionWebSocket(indexes)) {
            return true;
        }
        ClassIndexes.Scanned own = scannedClasses();
        if (own != null && own.mentions().webSocket()) {
            return true;
        }
        for (Path library : ordered()) {
            if (mentions(library).webSocket()) {
                return true;
            }
        }
        return false;
    }

    private HandledTypes handled(ClassLoader loader, List<Path> shared) {
        List<ClassHeader> all = new ArrayList<>();
        ClassIndexes.Scanned own = scannedClasses();
        if (own != null) {
            all.addAll(own.headers());
        }
        scanAll().forEach(library -> all.addAll(library.headers()));
        Set<String> names = new HashSet<>();
        all.forEach(header -> names.add(header.name()));
        for (Path place : shared) {
            for (ClassHeader header : indexes.shared(place).headers()) {
                if (names.add(header.name())) { // The application sees its own of that name.
                    all.add(header);
                }
            }
        }
        return new HandledTypes(all, loader);
    }

    /// Reads all libraries, and says in the log how far it has come, should it take long.
    private List<ClassIndexes.Scanned> scanAll() {
        List<Path> order = ordered();
        List<ClassIndexes.Scanned> all = new ArrayList<>();
        long told = clock.getAsLong();
        for (Path library : order) {
            all.add(scanned(library));
            long now = clock.getAsLong();
            if (now - told > PROGRESS_NANOS && all.size() < order.size()) {
                told = now;
                LOG.log(
                        Level.INFO,
                        "application {0}: {1} of {2} libraries have been looked through for its"
                                + " initializers; what is found is kept for the next start",
                        application,
                        all.size(),
                        order.size());
            }
        }
        return all;
    }

    /// The effective descriptor.
    WebAppDescriptor assemble() {
        Map<String, Index> annotated = new HashMap<>();
        List<Path> counted = new ArrayList<>();
        for (Path library : ordered()) {
            String name = name(library);
            if (assembly.annotationsCount(name)) {
                counted.add(library);
                if (mentions(library).annotations()) {
                    annotated.put(name, scanned(library).index());
                }
            }
        }
        if (!assembly.metadataComplete()) {
            counted.addAll(skipped()); // For classes that web.xml names.
        }
        ClassIndexes.Scanned own = assembly.metadataComplete() ? null : scannedClasses();
        return assembly.assemble(
                own == null ? null : own.index(), annotated, name -> single(counted, name));
    }

    /// A class of a library that is in no index, for it is not annotated.
    private @Nullable ClassInfo single(List<Path> libraries, String className) {
        if (className.startsWith("java.") || ContainerClasses.first(className)) {
            return null;
        }
        return singles.computeIfAbsent(
                        className, _ -> Optional.ofNullable(find(libraries, className)))
                .orElse(null);
    }

    private @Nullable ClassInfo find(List<Path> among, String className) {
        try {
            for (Path library : among) {
                ClassInfo found =
                        shared.contains(library)
                                ? indexes.findShared(library, className)
                                : indexes.find(library, className);
                if (found != null) {
                    return found;
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClassIndexes.@Nullable Scanned scannedClasses() {
        Path own = classes();
        ClassIndexes.Scanned known = scannedClasses;
        if (known == null && own != null) {
            try {
                known = indexes.folder(own);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            scannedClasses = known;
        }
        return known;
    }

    /// What the descriptors call a library.
    private String name(Path library) {
        return shared.contains(library) ? library.toString() : library.getFileName().toString();
    }

    private ClassMentions mentions(Path library) {
        String name = name(library);
        ClassIndexes.Scanned known = scanned.get(name);
        if (known != null) {
            return known.mentions();
        }
        return mentioned.computeIfAbsent(
                name,
                _ -> {
                    if (shared.contains(library)) {
                        return indexes.sharedMentions(library);
                    }
                    try {
                        return indexes.mentions(library);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private ClassIndexes.Scanned scanned(Path library) {
        return scanned.computeIfAbsent(
                name(library),
                _ -> {
                    if (shared.contains(library)) {
                        return indexes.shared(library);
                    }
                    try {
                        return indexes.library(library);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }
}
