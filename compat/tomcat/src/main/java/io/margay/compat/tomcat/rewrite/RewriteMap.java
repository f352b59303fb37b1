package io.margay.compat.tomcat.rewrite;

import io.margay.protocol.http.PercentEncoding;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `${name:key}` asks. Thread-safe.
interface RewriteMap {
    /// The value of a key; null = it has none.
    @Nullable String get(String key);

    /// Reads what follows the name in `RewriteMap name …`.
    ///
    /// @throws IllegalArgumentException when it is not supported, or is not there
    static RewriteMap of(String source, Path folder) {
        return switch (source) {
            case "int:toupper" -> key -> key.toUpperCase(Locale.ROOT);
            case "int:tolower" -> key -> key.toLowerCase(Locale.ROOT);
            case "int:escape" -> PercentEncoding::path;
            case "int:unescape" -> RewriteMap::unescaped;
            default -> {
                if (!source.startsWith("txt:")) {
                    throw new IllegalArgumentException(
                            "of maps only int:toupper, int:tolower, int:escape, int:unescape and"
                                    + " txt:FILE are supported: "
                                    + source);
                }
                yield lines(folder.resolve(source.substring(4)));
            }
        };
    }

    private static @Nullable String unescaped(String key) {
        try {
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// A file with a key and its value on each line.
    private static RewriteMap lines(Path file) {
        Map<String, String> values = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.strip().split("\\s+", 3);
                if (!words[0].startsWith("#") && words.length > 1) {
                    values.putIfAbsent(words[0], words[1]);
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        }
        return values::get;
    }
}
