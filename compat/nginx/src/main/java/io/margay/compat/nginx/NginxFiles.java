package io.margay.compat.nginx;

import io.margay.compat.nginx.plan.NginxPlan;
import io.margay.compat.nginx.site.HttpReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Reads `nginx.conf`. Stateless.
public final class NginxFiles {
    /// How a line of an `nginx.conf` begins that no file of httpd's has.
    private static final Pattern LINE =
            Pattern.compile(
                    "(?m)^\\s*(?:(?:http|events|server|stream|mail)\\s*\\{"
                            + "|(?:worker_processes|worker_connections|server_name|proxy_pass)"
                            + "\\s[^;\\n]+;)");

    /// What only files of httpd's have.
    private static final Pattern SECTION = Pattern.compile("(?m)^\\s*</?[A-Za-z]");

    private static final int BYTES_MAX = 1 << 20;

    private NginxFiles() {}

    /// Whether a file is one of nginx's, by its name and its lines.
    public static boolean isNginx(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > BYTES_MAX) {
                return false;
            }
            String name = String.valueOf(file.getFileName());
            if (name.matches(".*\\.(?:war|jar|zip|ya?ml|xml|json|html?|gz|pem|key|properties)")) {
                return false;
            }
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            return LINE.matcher(text).find() && !SECTION.matcher(text).find();
        } catch (IOException e) {
            return false;
        }
    }

    /// Reads a file and what it includes.
    public static NginxPlan read(Path file) {
        return new HttpReader(file).read();
    }
}
