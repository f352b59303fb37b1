package io.margay.packages;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// JSON whose keys are sorted, so that equal values give equal bytes.
final class Json {
    private Json() {}

    static void write(Path file, Object value) throws IOException {
        Files.writeString(file, JSON.std.asString(sorted(value)), StandardCharsets.UTF_8);
    }

    private static Object sorted(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, Object> sorted = new TreeMap<>();
                map.forEach((key, each) -> sorted.put(String.valueOf(key), sorted(each)));
                yield sorted;
            }
            case List<?> list -> list.stream().map(Json::sorted).toList();
            default -> value;
        };
    }

    /// The object that `map` has under a name; an empty one if it has none.
    static Map<?, ?> object(Map<?, ?> map, String name) {
        return map.get(name) instanceof Map<?, ?> found ? found : Map.of();
    }

    /// The objects of the list that `map` has under a name; none if it has no such list.
    static List<Map<?, ?>> objects(Map<?, ?> map, String name) {
        List<Map<?, ?>> found = new ArrayList<>();
        if (map.get(name) instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> object) {
                    found.add(object);
                }
            }
        }
        return found;
    }

    /// The text that `map` has under a name; empty if it has none.
    static String text(Map<?, ?> map, String name) {
        return map.get(name) instanceof String text ? text : "";
    }
}
