package io.margay.app.yaml;

import java.util.ArrayList;
import java.util.List;

/// Writes a shape as JSON Schema (draft 2020-12), for editors. Used by one thread.
public final class SchemaWriter {
    private final StringBuilder out = new StringBuilder();

    private SchemaWriter() {}

    /// The whole schema, ending in a newline.
    public static String write(Shape.Section root, String id, String title) {
        SchemaWriter writer = new SchemaWriter();
        writer.section(
                root,
                0,
                List.of(
                        "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"",
                        "\"$id\": " + Json.quote(id),
                        "\"title\": " + Json.quote(title)));
        return writer.out.append('\n').toString();
    }

    private void section(Shape.Section shape, int depth, List<String> more) {
        List<String> head = new ArrayList<>(more);
        head.add("\"type\": \"object\"");
        head.add("\"additionalProperties\": false");
        List<String> required =
                shape.keys().stream()
                        .filter(Shape.Key::required)
                        .map(key -> Json.quote(key.name()))
                        .toList();
        if (!required.isEmpty()) {
            head.add("\"required\": [" + String.join(", ", required) + "]");
        }
        if (!shape.exactlyOne().isEmpty()) {
            head.add(
                    "\"oneOf\": ["
                            + String.join(
                                    ", ",
                                    shape.exactlyOne().stream()
                                            .map(Json::quote)
                                            .map(key -> "{\"required\": [" + key + "]}")
                                            .toList())
                            + "]");
        }
        open(head, depth);
        line(depth + 1, "\"properties\": {");
        List<Shape.Key> keys =
                shape.keys().stream().filter(key -> !(key.shape() instanceof Shape.Later)).toList();
        for (int i = 0; i < keys.size(); i++) {
            Shape.Key key = keys.get(i);
            indent(depth + 2);
            out.append(Json.quote(key.name())).append(": ");
            value(key.shape(), depth + 2, List.of("\"description\": " + Json.quote(text(key))));
            out.append(i + 1 < keys.size() ? ",\n" : "\n");
        }
        line(depth + 1, "}");
        indent(depth);
        out.append('}');
    }

    private static String text(Shape.Key key) {
        return key.byDefault().isEmpty()
                ? key.meaning()
                : key.meaning() + " Default: " + key.byDefault() + ".";
    }

    private void value(Shape shape, int depth, List<String> more) {
        switch (shape) {
            case Shape.Scalar scalar -> {
                out.append("{").append(scalar.json());
                more.forEach(line -> out.append(", ").append(line));
                out.append("}");
            }
            case Shape.Items items when items.orOne() -> {
                open(more, depth);
                indent(depth + 1);
                out.append("\"anyOf\": [");
                value(items.item(), depth + 1, List.of());
                out.append(", ");
                value(
                        new Shape.Items(items.says(), items.item(), items.min()),
                        depth + 1,
                        List.of());
                out.append("]\n");
                indent(depth);
                out.append('}');
            }
            case Shape.Items items -> {
                List<String> head = new ArrayList<>(more);
                head.add("\"type\": \"array\"");
                head.add("\"minItems\": " + items.min());
                open(head, depth);
                indent(depth + 1);
                out.append("\"items\": ");
                value(items.item(), depth + 1, List.of());
                out.append('\n');
                indent(depth);
                out.append('}');
            }
            case Shape.Section section -> section(section, depth, more);
            case Shape.Named named -> {
                List<String> head = new ArrayList<>(more);
                head.add("\"type\": \"object\"");
                head.add("\"propertyNames\": {" + named.key().json() + "}");
                open(head, depth);
                indent(depth + 1);
                out.append("\"additionalProperties\": ");
                value(named.value(), depth + 1, List.of());
                out.append('\n');
                indent(depth);
                out.append('}');
            }
            case Shape.Later _ -> throw new IllegalStateException("of a later version");
        }
    }

    private void open(List<String> head, int depth) {
        out.append("{\n");
        head.forEach(text -> line(depth + 1, text + ","));
    }

    private void line(int depth, String text) {
        indent(depth);
        out.append(text).append('\n');
    }

    private void indent(int depth) {
        out.append("  ".repeat(depth));
    }
}
