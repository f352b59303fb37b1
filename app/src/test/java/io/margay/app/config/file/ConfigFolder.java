package io.margay.app.config.file;

import io.margay.app.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A folder with the files that configurations of tests name, and those configurations.
final class ConfigFolder {
    private final Path folder;

    ConfigFolder(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("assets"));
        Files.createDirectories(folder.resolve("webapps"));
        for (String name : List.of("shop.war", "site.pem", "site.key", "ca.pem", "users.xml")) {
            Files.writeString(folder.resolve(name), "");
        }
    }

    /// Reads a configuration in which `${PORT}` is 8081.
    ConfigFile.Result read(String text) throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(file, text);
        return ConfigFile.read(file, Map.of("PORT", "8081"));
    }

    /// The problems, without the folder's name.
    List<String> problems(String text) throws IOException {
        return strip(read(text).problems());
    }

    /// The same of known problems.
    List<String> strip(List<Problem> problems) {
        return problems.stream()
                .map(problem -> problem.toString().replace(folder + "/", ""))
                .toList();
    }
}
