package io.margay.app.config.binding;

import io.margay.app.yaml.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A row of a table of keys, as [Binding#keys] describes it. Immutable.
///
/// @param kind the class that the component is of, of a sealed type; empty = it is of one type
/// @param says what the value is; empty = its form is said elsewhere
/// @param absent what holds without the key; empty = what the record says
record Row(String name, String component, String kind, String says, String absent, String meaning) {
    private static final Pattern LINES = Pattern.compile("\n(?! )");
    private static final Pattern CONTINUED = Pattern.compile("\\s*\n\\s+");
    private static final Pattern ROW =
            Pattern.compile(
                    "([a-z0-9-]+)(?: \\(([\\w.]+)(?: (\\w+))?\\))?"
                            + "(?: <(.*?)>)?(?: \\[(.*?)\\])?:"
                            + " (.*)");

    static List<Row> all(String table) {
        List<Row> rows = new ArrayList<>();
        for (String line : LINES.split(table.strip(), -1)) {
            Matcher row = ROW.matcher(CONTINUED.matcher(line).replaceAll(" "));
            if (!row.matches()) {
                throw new IllegalStateException("not a key: " + line);
            }
            String name = row.group(1);
            rows.add(
                    new Row(
                            name,
                            Objects.requireNonNullElseGet(
                                    row.group(2), () -> Component.named(name)),
                            text(row, 3),
                            text(row, 4),
                            text(row, 5),
                            row.group(6)));
        }
        return rows;
    }

    private static String text(Matcher row, int group) {
        return Objects.requireNonNullElse(row.group(group), "");
    }

    boolean isRequired() {
        return absent.equals("required");
    }

    /// A key that is read elsewhere.
    Shape.Key key(Supplier<Shape> shape) {
        String words = isRequired() ? "" : absent;
        return new Shape.Key(name, shape, isRequired(), () -> words, meaning, List.of());
    }
}
