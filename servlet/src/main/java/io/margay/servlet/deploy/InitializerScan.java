package io.margay.servlet.deploy;

import io.margay.servlet.settings.WebAppSettings.Initializer;
import io.margay.servlet.websocket.WebSocketInitializer;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.annotation.HandlesTypes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Finds the `ServletContainerInitializer`s of the container and of an application's archives, in
/// fragment order, with the classes that each handles (Servlet 6.1 §8.2.4). Confined to the
/// deploying thread.
final class InitializerScan {
    private static final System.Logger LOG = System.getLogger(InitializerScan.class.getName());
    private static final String SERVICE =
            "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    private final String application;
    private final ClassLoader loader;
    private final List<ServletContainerInitializer> found = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();

    InitializerScan(String application, ClassLoader loader) {
        this.application = application;
        this.loader = loader;
    }

    /// Adds those that the container offers to every application. Their classes are the
    /// application's own where it brings them, too, as those that they handle are.
    void container(ClassLoader container) throws IOException {
        for (URL url : Collections.list(container.getResources(SERVICE))) {
            var connection = url.openConnection();
            connection.setUseCaches(false);
            try (InputStream in = connection.getInputStream()) {
                add(in, url.toString(), loader);
            }
        }
    }

    /// Adds one of the container itself.
    void own(ServletContainerInitializer initializer) {
        found.add(initializer);
    }

    /// Adds those of WEB-INF/classes.
    void classes(Path folder) throws IOException {
        Path service = folder.resolve(SERVICE);
        if (Files.isRegularFile(service)) {
            try (InputStream in = Files.newInputStream(service)) {
                add(in, "WEB-INF/classes/" + SERVICE, loader);
            }
        }
    }

    /// Adds those of a library.
    void library(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry service = zip.getEntry(SERVICE);
            if (service != null) {
                try (InputStream in = zip.getInputStream(service)) {
                    add(in, "WEB-INF/lib/" + jar.getFileName() + "!/" + SERVICE, loader);
                }
            }
        }
    }

    private void add(InputStream in, String source, ClassLoader from) throws IOException {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        for (String line : text.lines().toList()) {
            int comment = line.indexOf('#');
            String name = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (name.isEmpty() || !names.add(name)) {
                continue;
            }
            if (WebSocketInitializer.isImplementation(name)) {
                LOG.log(
                        Level.INFO,
                        "application {0}: {1} in {2} is not used: the container has WebSocket",
                        application,
                        name,
                        source);
            } else {
                found.add(create(name, source, from));
            }
        }
    }

    private ServletContainerInitializer create(String name, String source, ClassLoader from) {
        try {
            return Class.forName(name, true, from)
                    .asSubclass(ServletContainerInitializer.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new DeploymentException(
                    "application "
                            + application
                            + ": the initializer "
                            + name
                            + " named in "
                            + source
                            + " cannot be created: "
                            + Causes.text(e)
                            + ". Complete or remove the library.",
                    e);
        }
    }

    /// Whether one that an archive brings wants classes, so that all archives must be read.
    boolean wantsClasses() {
        return found.stream()
                .filter(initializer -> !(initializer instanceof WebSocketInitializer))
                .anyMatch(initializer -> wanted(initializer).length > 0);
    }

    /// All of them with their classes.
    ///
    /// @param types asked only when one wants classes, so that all archives must be indexed
    /// @param idle whether one that wants classes is known to get none
    List<Initializer> initializers(
            Supplier<HandledTypes> types, Predicate<ServletContainerInitializer> idle) {
        HandledTypes handled = null;
        List<Initializer> result = new ArrayList<>();
        for (ServletContainerInitializer initializer : found) {
            Set<Class<?>> classes = Set.of();
            // The first annotation of all costs some hundredths of a second.
            if (handled != null || !idle.test(initializer)) {
                Class<?>[] wanted = wanted(initializer);
                if (wanted.length > 0) {
                    handled = handled == null ? types.get() : handled;
                    classes = handled.of(wanted);
                }
            }
            result.add(new Initializer(initializer, classes.isEmpty() ? null : classes));
        }
        return result;
    }

    /// A library may handle types of another that the application does not bring.
    private static Class<?>[] wanted(ServletContainerInitializer initializer) {
        try {
            HandlesTypes types = initializer.getClass().getAnnotation(HandlesTypes.class);
            return types == null ? new Class<?>[0] : types.value();
        } catch (LinkageError | TypeNotPresentException | ArrayStoreException e) {
            LOG.log(
                    Level.DEBUG,
                    "@HandlesTypes of {0} cannot be read: {1}",
                    initializer.getClass().getName(),
                    e.toString());
            return new Class<?>[0];
        }
    }
}
