package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The packed jars are divided well: those of the class path need none of the folder `extensions`,
/// and those of that folder find there whatever else they need.
final class ExtensionJarsIT {
    private static final Path LIB = ServerProcess.checkout().resolve("app/target/lib");
    private static final Path EXTENSIONS = LIB.resolve("extensions");

    @Test
    void classPath_withoutTheExtensions_missesNoClassOfTheirs() throws Exception {
        Set<String> theirs = classes(jars(EXTENSIONS, ""));
        assertFalse(theirs.isEmpty());
        try (URLClassLoader lib = loader(LIB, ClassLoader.getPlatformClassLoader())) {
            List<String> missed = missed(classes(jars(LIB, "margay-")), lib);
            assertEquals(List.of(), missed.stream().filter(theirs::contains).toList());
        }
    }

    @Test
    void extensions_besideTheClassPath_missNoClass() throws Exception {
        try (URLClassLoader lib = loader(LIB, ClassLoader.getPlatformClassLoader());
                URLClassLoader extensions = loader(EXTENSIONS, lib)) {
            assertEquals(List.of(), missed(classes(jars(EXTENSIONS, "margay-")), extensions));
        }
    }

    private static URLClassLoader loader(Path folder, ClassLoader parent) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars(folder, "")) {
            urls.add(url(jar));
        }
        return new URLClassLoader(urls.toArray(URL[]::new), parent);
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    private static List<Path> jars(Path folder, String begin) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .filter(file -> file.getFileName().toString().startsWith(begin))
                    .toList();
        }
    }

    private static Set<String> classes(List<Path> jars) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path each : jars) {
            try (JarFile jar = new JarFile(each.toFile())) {
                names.addAll(
                        jar.stream()
                                .map(entry -> entry.getName())
                                .filter(name -> name.endsWith(".class"))
                                .filter(name -> !name.startsWith("META-INF/"))
                                .filter(name -> !name.endsWith("-info.class"))
                                .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                                .collect(Collectors.toSet()));
            }
        }
        return names;
    }

    /// Classes that others extend, hold or have in the heads of their methods, and that are not
    /// there.
    private static List<String> missed(Set<String> names, ClassLoader loader)
            throws ClassNotFoundException {
        Set<String> missed = new TreeSet<>();
        for (String name : names) {
            try {
                Class<?> type = Class.forName(name, false, loader);
                int members =
                        type.getDeclaredMethods().length
                                + type.getDeclaredFields().length
                                + type.getDeclaredConstructors().length;
                assertFalse(members < 0);
            } catch (NoClassDefFoundError e) {
                missed.add(String.valueOf(e.getMessage()).replace('/', '.'));
            }
        }
        return List.copyOf(missed);
    }
}
