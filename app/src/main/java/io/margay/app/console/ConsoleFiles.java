package io.margay.app.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The files of the console, from the class path. Stateless.
public final class ConsoleFiles {
    private static final String PREFIX = "/console/";

    /// The plotting library, as its WebJar has it.
    private static final String PLOTS = "META-INF/resources/webjars/uplot/1.6.30/dist/";

    private static final Map<String, String> LIBRARY =
            Map.of("uplot.js", PLOTS + "uPlot.esm.js", "uplot.css", PLOTS + "uPlot.min.css");

    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html;charset=utf-8",
                    "css", "text/css;charset=utf-8",
                    "js", "text/javascript;charset=utf-8",
                    "svg", "image/svg+xml");

    private static final Pattern NAME = Pattern.compile("[a-z]{1,30}\\.(?:css|js|svg)");

    private ConsoleFiles() {}

    /// A file as it is sent.
    ///
    /// @param type its media type
    public record ConsoleFile(String type, String content) {}

    /// The file for a path of the admin listener; null = it is none of the console's.
    public static @Nullable ConsoleFile of(String path) throws IOException {
        if (path.equals("/")) {
            return read("index.html");
        }
        if (!path.startsWith(PREFIX)) {
            return null;
        }
        String name = path.substring(PREFIX.length());
        return NAME.matcher(name).matches() ? read(name) : null;
    }

    private static @Nullable ConsoleFile read(String name) throws IOException {
        String library = LIBRARY.get(name);
        try (InputStream in =
                library == null
                        ? ConsoleFiles.class.getResourceAsStream(name)
                        : ClassLoader.getSystemResourceAsStream(library)) {
            String type = TYPES.get(name.substring(name.indexOf('.') + 1));
            return in == null || type == null
                    ? null
                    : new ConsoleFile(type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
