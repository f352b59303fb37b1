package io.margay.app.yaml;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Writes a shape as JSON Schema (draft 2020-12), for editors. What recurs is written once, below
/// `$defs`. Used by one thread.
public final class SchemaWriter {
    /// What is shorter, in characters, is written wherever it is used.
    private static final int SHARED_CHARS_MIN = 50;

    /// How often each value is used, by the value with all that is below it.
    private final Map<Map<String, Object>, Integer> uses = new HashMap<>();

    private final Map<Map<String, Object>, String> names = new HashMap<>();
    private final Map<String, Object> shared = new TreeMap<>();

    /// Whether values are written out wherever they are used.
    private boolean whole = true;

    private SchemaWriter() {}

    /// The whole schema, ending in a newline.
    public static String write(Shape.Section root, String id, String title) throws IOException {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", id);
        schema.put("title", title);
        SchemaWriter writer = new SchemaWriter();
        writer.count(root);
        writer.whole = false;
        writer.section(root, schema);
        schema.put("$defs", writer.shared);
        StringBuilder out = new StringBuilder();
        print(schema, "", out);
        return out.append('\n').toString();
    }

    /// Prints a line for each key of the file.
    private static void print(Object value, String indent, StringBuilder out) throws IOException {
        if (!(value instanceof Map<?, ?> map)
                || map.values().stream().noneMatch(below -> below instanceof Map)) {
            out.append(JSON.std.asString(value));
            return;
        }
        out.append('{');
        String separator = "\n";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator)
                    .append(indent)
                    .append(" \"")
                    .append(entry.getKey())
                    .append("\": ");
            print(entry.getValue(), indent + " ", out);
            separator = ",\n";
        }
        out.append('\n').append(indent).append('}');
    }

    /// Counts the uses of a value, and of those below it when it is met for the first time.
    private void count(Shape shape) {
        if (uses.merge(expanded(shape), 1, Integer::sum) > 1) {
            return;
        }
        switch (shape) {
            case Shape.Section section -> section.keys().forEach(key -> count(key.shape()));
            case Shape.Items items when items.orOne() -> {
                count(items.item());
                count(new Shape.Items(items.says(), items.item(), items.min()));
            }
            case Shape.Items items -> count(items.item());
            case Shape.Named named -> count(named.value());
            case Shape.Scalar _ -> {
                // Nothing below.
            }
        }
    }

    private Map<String, Object> expanded(Shape shape) {
        Map<String, Object> schema = new LinkedHashMap<>();
        value(shape, schema);
        return schema;
    }

    /// A value, or where it is written.
    private Map<String, Object> use(Shape shape) {
        if (whole) {
            return expanded(shape);
        }
        whole = true;
        Map<String, Object> all = expanded(shape);
        whole = false;
        if (uses.getOrDefault(all, 0) < 2 || all.toString().length() < SHARED_CHARS_MIN) {
            return expanded(shape);
        }
        String name = names.get(all);
        if (name == null) {
            name = free(says(shape));
            names.put(all, name);
            shared.put(name, Map.of());
            shared.put(name, expanded(shape));
        }
        return Map.of("$ref", "#/$defs/" + name);
    }

    private String free(String name) {
        String free = name;
        for (int i = 2; shared.containsKey(free); i++) {
            free = name + "-" + i;
        }
        return free;
    }

    /// What a value is called, of what problems say of it.
    private static String says(Shape shape) {
        String says =
                switch (shape) {
                    case Shape.Scalar scalar -> scalar.says();
                    case Shape.Items items ->
                            (items.orOne() ? "one or more " : "list of ") + items.says();
                    case Shape.Section section -> section.says();
                    case Shape.Named named -> named.says();
                };
        String words = says.replaceAll("^(a|an|the) |[,;:].*", "").replaceAll("[^A-Za-z0-9]+", "-");
        return words.substring(0, Math.min(words.length(), 40)).replaceAll("^-|-$", "");
    }

    private void section(Shape.Section shape, Map<String, Object> schema) {
        schema.put("type", "object");
        schema.put("additionalProperties", false);
        List<String> required =
                shape.keys().stream().filter(Shape.Key::required).map(Shape.Key::name).toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        if (!shape.exactlyOne().isEmpty()) {
            schema.put(
                    "oneOf",
                    shape.keys().stream()
                            .filter(key -> shape.exactlyOne().contains(key.name()))
                            .flatMap(SchemaWriter::names)
                            .map(name -> Map.of("required", List.of(name)))
                            .toList());
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Shape.Key key : shape.keys()) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put("description", text(key));
            property.putAll(use(key.shape()));
            properties.put(key.name(), property);
            for (String alias : key.aliases()) {
                Map<String, Object> same = new LinkedHashMap<>(property);
                same.put("description", "Another name of `" + key.name() + "`.");
                same.put("deprecated", true);
                properties.put(alias, same);
            }
        }
        schema.put("properties", properties);
    }

    private static Stream<String> names(Shape.Key key) {
        return Stream.concat(Stream.of(key.name()), key.aliases().stream());
    }

    private static String text(Shape.Key key) {
        return key.byDefault().isEmpty()
                ? key.meaning()
                : key.meaning() + " Default: " + key.byDefault() + ".";
    }

    private void value(Shape shape, Map<String, Object> schema) {
        switch (shape) {
            case Shape.Scalar scalar -> schema.putAll(new TreeMap<>(scalar.schema()));
            case Shape.Items items when items.orOne() -> {
                Shape list = new Shape.Items(items.says(), items.item(), items.min());
                schema.put("anyOf", List.of(use(items.item()), use(list)));
            }
            case Shape.Items items -> {
                schema.put("type", "array");
                schema.put("minItems", items.min());
                schema.put("items", use(items.item()));
            }
            case Shape.Section section -> section(section, schema);
            case Shape.Named named -> {
                schema.put("type", "object");
                schema.put("propertyNames", new TreeMap<>(named.key().schema()));
                schema.put("additionalProperties", use(named.value()));
            }
        }
    }
}
