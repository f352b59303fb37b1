package io.margay.app.deploy;

import io.margay.app.config.JavaxSettings;
import io.margay.app.config.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Finds the libraries that are what Java had of Java EE until version 10: the reference
/// implementations in their last versions with the packages of that time. They lie in `lib/java-ee`
/// of the distribution, and in a checkout where the module `java-ee` puts them. Stateless.
final class JavaEeLibraries {
    private JavaEeLibraries() {}

    /// Those of some modules and of what these need, in order.
    ///
    /// @throws StartException when they are not there, as where the server is embedded
    static List<Path> of(List<JavaxSettings.Module> modules) {
        if (modules.isEmpty()) {
            return List.of();
        }
        Path home = Path.of(System.getProperty("margay.home", ""));
        Path packed = home.resolve("lib/java-ee");
        Path folder =
                Files.isDirectory(packed) ? packed : home.resolve("compat/java-ee/target/lib");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(jar -> modules.stream().anyMatch(module -> isOf(module, jar)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new StartException(
                    "deploy.java-ee-modules: the libraries are in lib/java-ee of the"
                            + " distribution, and there is no folder "
                            + packed.toAbsolutePath(),
                    e);
        }
    }

    private static boolean isOf(JavaxSettings.Module module, Path jar) {
        String file = jar.getFileName().toString();
        Stream<String> names =
                switch (module) {
                    case ACTIVATION -> Stream.of("jakarta.activation");
                    case JAXB ->
                            Stream.of("jakarta.activation", "jakarta.xml.bind-api", "jaxb-impl");
                    case SAAJ ->
                            Stream.of(
                                    "jakarta.activation",
                                    "jakarta.xml.soap-api",
                                    "saaj-impl",
                                    "stax-ex",
                                    "mimepull");
                    case JAX_WS -> Stream.of("");
                };
        return names.anyMatch(file::startsWith);
    }
}
