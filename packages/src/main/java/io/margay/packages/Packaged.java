package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What every package is made of.
///
/// @param java what [JavaRuntime] has linked
/// @param additions the unit, the first configuration and what else only packages have
record Packaged(Distribution distribution, Path java, Path additions) {
    /// The program with its own Java, which `margay` prefers to any other.
    void program(Path folder) throws IOException, InterruptedException {
        Folders.copy(distribution.folder(), folder);
        Folders.copy(java, folder.resolve("java"));
    }

    /// Configuration, and the page that is served until there is an application.
    void site(Path root) throws IOException, InterruptedException {
        Path etc = Files.createDirectories(root.resolve("etc/margay"));
        Files.copy(additions.resolve("margay.yaml"), etc.resolve("margay.yaml"));
        Path page = Files.createDirectories(root.resolve("var/lib/margay/webapps/ROOT"));
        Files.copy(additions.resolve("index.html"), page.resolve("index.html"));
    }
}
