package io.margay.app.yaml;

/// Writes a shape as tables in Markdown, one per section, for the reference. Used by one thread.
public final class ReferenceWriter {
    private final StringBuilder out = new StringBuilder();

    private ReferenceWriter() {}

    /// One heading and table per section of the file, outer sections first.
    public static String write(Shape.Section root) {
        ReferenceWriter writer = new ReferenceWriter();
        writer.section("", root);
        return writer.out.toString();
    }

    private void section(String path, Shape.Section shape) {
        out.append("### ").append(path.isEmpty() ? "Top level" : "`" + path + "`").append("\n\n");
        out.append("| key | value | default | meaning |\n|---|---|---|---|\n");
        for (Shape.Key key : shape.keys()) {
            if (!(key.shape() instanceof Shape.Later)) {
                String byDefault = key.required() ? "required" : key.byDefault();
                out.append("| `").append(key.name()).append("` | ");
                out.append(cell(says(key.shape()))).append(" | ");
                out.append(cell(byDefault)).append(" | ");
                out.append(cell(key.meaning()));
                key.aliases().forEach(alias -> out.append(" Also `").append(alias).append("`."));
                out.append(" |\n");
            }
        }
        out.append('\n');
        if (!shape.exactlyOne().isEmpty()) {
            out.append("Exactly one of `")
                    .append(String.join("`, `", shape.exactlyOne()))
                    .append("` is given.\n\n");
        }
        for (Shape.Key key : shape.keys()) {
            below(path.isEmpty() ? key.name() : path + "." + key.name(), key.shape());
        }
    }

    private void below(String path, Shape shape) {
        switch (shape) {
            case Shape.Section section -> section(path, section);
            case Shape.Items items -> below(path + "[]", items.item());
            case Shape.Named named -> below(path + "." + named.keyName(), named.value());
            case Shape.Scalar _, Shape.Later _ -> {
                // Said by the table of the section around it.
            }
        }
    }

    private static String says(Shape shape) {
        return switch (shape) {
            case Shape.Scalar scalar -> scalar.says();
            case Shape.Items items ->
                    (items.orOne() ? "one or a list of " : "a list of ") + items.says();
            case Shape.Section section -> section.says() + ", see below";
            case Shape.Named named -> named.says();
            case Shape.Later _ -> "";
        };
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
