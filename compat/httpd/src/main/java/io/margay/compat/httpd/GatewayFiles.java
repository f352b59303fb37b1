package io.margay.compat.httpd;

import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.httpd.site.PlanReader;
import io.margay.compat.httpd.syntax.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads `httpd.conf`, `workers.properties` and `uriworkermap.properties`, alone or together, into
/// a plan. Stateless.
public final class GatewayFiles {
    /// What a file is.
    public enum Kind {
        HTTPD,
        WORKERS,
        URI_MAP
    }

    /// How a line of an `httpd.conf` begins that no other file has.
    private static final Pattern LINE =
            Pattern.compile(
                    "(?i)\\s*(?:<(?:VirtualHost|Directory|Location|IfModule|Proxy)\\b|(?:ServerName"
                            + "|ServerRoot|DocumentRoot|LoadModule|Listen|ProxyPass|RewriteEngine"
                            + "|RewriteRule|JkMount|JkWorkersFile)\\s+\\S).*");

    /// What is not read to find out what it is.
    private static final Pattern OTHER =
            Pattern.compile(".*\\.(?:war|jar|zip|ya?ml|xml|json|html?|gz|pem|key)");

    private static final int BYTES_MAX = 1 << 20;

    private GatewayFiles() {}

    /// What a file is, by its name and its first lines; empty for what is not one of them.
    public static Optional<Kind> kind(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        boolean properties = name.endsWith(".properties");
        try {
            if (!properties && !name.endsWith(".conf")) {
                return isHttpd(file, name) ? Optional.of(Kind.HTTPD) : Optional.empty();
            }
            if (!properties) {
                return Optional.of(Kind.HTTPD);
            }
            for (String line : TextFile.read(file, name).lines()) {
                String text = line.strip();
                if (text.startsWith("worker.")) {
                    return Optional.of(Kind.WORKERS);
                }
                if (text.matches("[/!*?-].*=.*")) {
                    return Optional.of(Kind.URI_MAP);
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.of(name.contains("map") ? Kind.URI_MAP : Kind.WORKERS);
    }

    /// Whether a file with another ending, such as `site.conf.dev`, has lines of httpd's.
    private static boolean isHttpd(Path file, String name) throws IOException {
        return !OTHER.matcher(name).matches()
                && Files.size(file) <= BYTES_MAX
                && TextFile.read(file, name).lines().stream()
                        .anyMatch(line -> LINE.matcher(line).matches());
    }

    /// Reads files.
    ///
    /// @param environment variables of the process
    /// @throws IllegalArgumentException when a file is of no known kind
    public static GatewayPlan read(List<Path> files, Map<String, String> environment) {
        PlanReader reading = new PlanReader(environment);
        for (Path file : files) {
            switch (kind(file)
                    .orElseThrow(() ->
                            new IllegalArgumentException(
                                    file
                                            + " is not an httpd.conf, a workers.properties or a"
                                            + " uriworkermap.properties"))) {
                case HTTPD -> reading.httpd(file);
                case WORKERS -> reading.workers(file);
                case URI_MAP -> reading.map(file);
            }
        }
        return reading.read();
    }
}
