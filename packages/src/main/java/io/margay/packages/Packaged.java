package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What every package for a kind of machine is made of.
///
/// @param java what [JavaRuntime] has linked
/// @param additions the unit, the first configurations and what else only packages have
/// @param libraries the jars of the distribution
record Packaged(
        Distribution distribution,
        Target target,
        Path java,
        Path additions,
        List<Library> libraries) {
    /// The program with its own Java, which `margay` prefers to any other.
    void program(Path folder) throws IOException, InterruptedException {
        Folders.copy(distribution.folder(), folder);
        Folders.copy(java, folder.resolve("java"));
    }

    /// Configuration, and the page that is served until there is an application.
    ///
    /// @param configuration its name among the additions
    void site(Path root, String configuration) throws IOException {
        Path etc = Files.createDirectories(root.resolve("etc/margay"));
        Files.copy(additions.resolve(configuration), etc.resolve("margay.yaml"));
        Path page = Files.createDirectories(root.resolve("var/lib/margay/webapps/ROOT"));
        Files.copy(additions.resolve("index.html"), page.resolve("index.html"));
    }

    /// A file beside what is made, for what it is made of.
    static Path bill(Path made) {
        return made.resolveSibling(made.getFileName() + ".cdx.json");
    }
}
