package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleLimits;
import io.margay.protocol.http.PercentEncoding;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A map of rules, ready to be asked. Thread-safe.
interface RuleMap {
    /// The value, or null when the map has none.
    @Nullable String get(String key);

    /// Makes one. A file that is not there has no values.
    static RuleMap of(MapSource source, RuleLimits limits) {
        return switch (source) {
            case MapSource.Made(MapSource.Function function) -> key -> made(function, key);
            case MapSource.Lines lines -> {
                CachedFile<Map<String, String>> file =
                        new CachedFile<>(
                                lines.file(),
                                limits.fileBytesMax(),
                                RuleMap::parse,
                                Map.of(),
                                System::nanoTime);
                yield lines.random()
                        ? key -> oneOf(file.get().get(key), ThreadLocalRandom.current())
                        : key -> file.get().get(key);
            }
        };
    }

    private static @Nullable String made(MapSource.Function function, String key) {
        return switch (function) {
            case LOWER -> key.toLowerCase(Locale.ROOT);
            case UPPER -> key.toUpperCase(Locale.ROOT);
            case ESCAPE -> RulePath.encode(key);
            case PARAMETER -> PercentEncoding.encode(key, "_");
            case UNESCAPE -> {
                try {
                    yield URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    yield null;
                }
            }
        };
    }

    private static @Nullable String oneOf(@Nullable String values, RandomGenerator random) {
        if (values == null) {
            return null;
        }
        List<String> all = List.of(values.split("\\|"));
        return all.get(random.nextInt(all.size()));
    }

    /// A key, blanks, a value; `#` begins a comment.
    private static Map<String, String> parse(byte[] bytes) {
        Map<String, String> values = new HashMap<>();
        new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > 1)
                .forEach(words -> values.putIfAbsent(words[0], words[1]));
        return values;
    }
}
