package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a package for a host brings, whichever program installs it: the program with its Java in
/// `/usr/lib/margay`, the command, documents where both Debian and Fedora have them, a
/// configuration that upgrades leave alone.
final class HostFiles {
    private static final Path PROGRAM = Path.of("usr/lib/margay");
    private static final Path DOCUMENTS = Path.of("usr/share/doc/margay");

    /// What of the distribution is for other uses than that of a package.
    private static final List<String> NOT_HERE =
            List.of("margay.cmd", "LICENSE", "CONTRIBUTING.md", "ARCHITECTURE.md");

    private HostFiles() {}

    /// @param stage the root of the package
    static void lay(Packaged packaged, Path stage) throws IOException, InterruptedException {
        Path program = stage.resolve(PROGRAM);
        packaged.program(program);
        Files.copy(packaged.additions().resolve("make-cache"), program.resolve("bin/make-cache"));
        packaged.site(stage, "margay.yaml");
        for (String name : NOT_HERE) {
            Files.delete(program.resolve(name));
        }
        Path documents = Files.createDirectories(stage.resolve(DOCUMENTS));
        for (String name : List.of("README.md", "SECURITY.md", "NOTICE", "docs")) {
            Files.move(program.resolve(name), documents.resolve(name));
        }
        Sbom.write(packaged, List.of(), documents.resolve("sbom.cdx.json"));
        Path bin = Files.createDirectories(stage.resolve("usr/bin"));
        Files.createSymbolicLink(bin.resolve("margay"), Path.of("../lib/margay/margay"));
        Path manual = Files.createDirectories(stage.resolve("usr/share/man/man1"));
        Files.copy(packaged.additions().resolve("margay.1"), manual.resolve("margay.1"));
        modes(stage);
    }

    /// Files of the distribution are as a build has left them; what runs is what is in `bin` or
    /// begins as a script.
    private static void modes(Path stage) throws IOException, InterruptedException {
        Folders.run("chmod", "-R", "u=rwX,go=rX", stage.toString());
        try (Stream<Path> all = Files.walk(stage.resolve(PROGRAM).resolve("java"))) {
            for (Path file : all.filter(each -> each.toString().endsWith(".so")).toList()) {
                Folders.run("chmod", "644", file.toString());
            }
        }
    }

    /// Takes the changes out of the program's folder; each kind of package has its own place for
    /// them.
    static Path changes(Path stage, Path to) throws IOException {
        return Files.move(stage.resolve(PROGRAM).resolve("CHANGELOG.md"), to);
    }
}
