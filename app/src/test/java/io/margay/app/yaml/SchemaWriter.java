package io.margay.app.yaml;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes a shape as JSON Schema (draft 2020-12), for editors. Stateless.
public final class SchemaWriter {
    private SchemaWriter() {}

    /// The whole schema, ending in a newline.
    public static String write(Shape.Section root, String id, String title) throws IOException {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", id);
        schema.put("title", title);
        section(root, schema);
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(schema) + "\n";
    }

    private static void section(Shape.Section shape, Map<String, Object> schema) {
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
                    shape.exactlyOne().stream().map(k -> Map.of("required", List.of(k))).toList());
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Shape.Key key : shape.keys()) {
            if (!(key.shape() instanceof Shape.Later)) {
                Map<String, Object> property = new LinkedHashMap<>();
                property.put("description", text(key));
                value(key.shape(), property);
                properties.put(key.name(), property);
            }
        }
        schema.put("properties", properties);
    }

    private static String text(Shape.Key key) {
        return key.byDefault().isEmpty()
                ? key.meaning()
                : key.meaning() + " Default: " + key.byDefault() + ".";
    }

    private static Map<String, Object> value(Shape shape) {
        Map<String, Object> schema = new LinkedHashMap<>();
        value(shape, schema);
        return schema;
    }

    private static void value(Shape shape, Map<String, Object> schema) {
        switch (shape) {
            case Shape.Scalar scalar -> schema.putAll(new TreeMap<>(scalar.schema()));
            case Shape.Items items when items.orOne() -> {
                Shape list = new Shape.Items(items.says(), items.item(), items.min());
                schema.put("anyOf", List.of(value(items.item()), value(list)));
            }
            case Shape.Items items -> {
                schema.put("type", "array");
                schema.put("minItems", items.min());
                schema.put("items", value(items.item()));
            }
            case Shape.Section section -> section(section, schema);
            case Shape.Named named -> {
                schema.put("type", "object");
                schema.put("propertyNames", new TreeMap<>(named.key().schema()));
                schema.put("additionalProperties", value(named.value()));
            }
            case Shape.Later _ -> throw new IllegalStateException("of a later version");
        }
    }
}
