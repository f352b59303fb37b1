package io.margay.lab.servers;

import io.margay.lab.machine.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// Fetches servers from Maven Central by Maven, which checks their digests, and keeps them in a
/// folder. Immutable.
///
/// @param folder where what was fetched is kept
public record MavenPeers(Path folder, Tools tools) {
    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0";

    /// Whether a server can be had.
    ///
    /// @param name folder of what [#unpacked] or [#jars] give
    public Availability availability(String name, String what) {
        if (Files.isDirectory(folder.resolve(name))) {
            return Availability.HERE;
        }
        return tools.find("mvn").isPresent()
                ? Availability.fetched(what + " is fetched from Maven Central")
                : Availability.missing(
                        "Maven fetches " + what + ": apt install maven, or brew install maven");
    }

    /// The folder of an unpacked distribution.
    ///
    /// @param artifact `group:artifact:version`, of type zip
    public Path unpacked(String name, String artifact) throws IOException {
        Path target = folder.resolve(name);
        if (!Files.isDirectory(target)) {
            Path fresh = fresh();
            mvn(
                    fresh,
                    "-N",
                    PLUGIN + ":copy",
                    "-Dartifact=" + artifact + ":zip",
                    "-DoutputDirectory=" + fresh.resolve("zip"));
            Path unpacked = Files.createDirectories(fresh.resolve("unpacked"));
            unzip(only(fresh.resolve("zip")), unpacked);
            Files.move(only(unpacked), target);
            remove(fresh);
        }
        return target;
    }

    /// The folder of the jars of some artifacts and of all they need.
    ///
    /// @param artifacts each `group:artifact:version`
    public Path jars(String name, List<String> artifacts) throws IOException {
        Path target = folder.resolve(name);
        if (!Files.isDirectory(target)) {
            Path fresh = fresh();
            StringBuilder dependencies = new StringBuilder();
            for (String artifact : artifacts) {
                String[] parts = artifact.split(":");
                dependencies.append(
                        """
                            <dependency>
                              <groupId>%s</groupId>
                              <artifactId>%s</artifactId>
                              <version>%s</version>
                            </dependency>
                        """
                                .formatted(parts[0], parts[1], parts[2]));
            }
            Files.writeString(
                    fresh.resolve("pom.xml"),
                    """
                    <project xmlns="http://maven.apache.org/POM/4.0.0">
                      <modelVersion>4.0.0</modelVersion>
                      <groupId>lab</groupId>
                      <artifactId>peer</artifactId>
                      <version>1</version>
                      <dependencies>
                    %s  </dependencies>
                    </project>
                    """
                            .formatted(dependencies));
            mvn(
                    fresh,
                    PLUGIN + ":copy-dependencies",
                    "-DincludeScope=runtime",
                    "-DoutputDirectory=" + fresh.resolve("lib"));
            Files.move(fresh.resolve("lib"), target);
            remove(fresh);
        }
        return target;
    }

    private Path fresh() throws IOException {
        Files.createDirectories(folder);
        return Files.createTempDirectory(folder, "fetch-");
    }

    /// Removes what is left of fetching; whatever fails stays for a look.
    private static void remove(Path fresh) throws IOException {
        try (Stream<Path> all = Files.walk(fresh)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private void mvn(Path in, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(tools.get("mvn").toString());
        command.addAll(List.of("-B", "-q", "-ntp", "-C"));
        command.addAll(List.of(arguments));
        Tools.run(command, in);
    }

    private static Path only(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow(() -> new IOException(folder + " is empty"));
        }
    }

    private static void unzip(Path archive, Path target) throws IOException {
        try (InputStream in = Files.newInputStream(archive);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException(archive + " wants to write to " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Path parent = file.getParent();
                    Files.createDirectories(parent == null ? target : parent);
                    Files.copy(zip, file);
                }
            }
        }
    }
}
