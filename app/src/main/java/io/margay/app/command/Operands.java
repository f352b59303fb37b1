package io.margay.app.command;

import io.margay.app.cli.UsageException;
import io.margay.app.config.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Tells what a file on the command line is.
enum Operands {
    /// A configuration file.
    YAML,
    /// A WAR file or an exploded application.
    APP,
    /// A folder of applications.
    WEBAPPS;

    /// A file that ends in `.yaml` or `.yml` is a configuration, any other file a WAR. A folder
    /// with `WEB-INF` is an application; without it, a folder in which there is a WAR, a folder
    /// `ROOT` or a folder with `WEB-INF` is a folder of applications; any other folder is an
    /// application of static files and pages.
    static Operands kind(String operand) throws UsageException {
        Path path = Path.of(operand);
        String name = operand.toLowerCase(Locale.ROOT);
        if (!Files.exists(path)) {
            throw new StartException(operand + " does not exist");
        }
        if (!Files.isDirectory(path)) {
            return name.endsWith(".yaml") || name.endsWith(".yml") ? YAML : APP;
        }
        if (Files.isDirectory(path.resolve("WEB-INF"))) {
            return APP;
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.anyMatch(Operands::isApp) ? WEBAPPS : APP;
        } catch (IOException e) {
            throw new StartException(operand + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isApp(Path entry) {
        String name = String.valueOf(entry.getFileName());
        return Files.isDirectory(entry)
                ? name.equals("ROOT") || Files.isDirectory(entry.resolve("WEB-INF"))
                : name.toLowerCase(Locale.ROOT).endsWith(".war");
    }

    /// The kinds of all operands; a configuration stands alone.
    static List<Operands> kinds(List<String> operands) throws UsageException {
        List<Operands> kinds = new ArrayList<>();
        for (String operand : operands) {
            kinds.add(kind(operand));
        }
        if (kinds.contains(YAML) && kinds.size() > 1) {
            throw new UsageException("a configuration file is given alone");
        }
        return kinds;
    }
}
