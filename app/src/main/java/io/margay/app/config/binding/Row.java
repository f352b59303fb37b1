package io.margay.app.config.binding;

import io.margay.app.yaml.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A row of a table of keys, as [Binding#keys] describes it. Immutable.
///
/// @param kind the class that the component is of, of a sealed type; empty = it is of one type
/// @param says what the value is; empty = its form is said elsewhere
/// @param absent what holds without the key; empty = what the record says
record Row(String name, String component, String kind, String says, String absent, String meaning) {
    private static final String[] BEGIN = {" (", " <", " ["};
    private static final char[] END = {')', '>', ']'};

    static List<Row> all(String table) {
        List<Row> rows = new ArrayList<>();
        StringBuilder row = new StringBuilder();
        for (String line : table.split("\n", -1)) {
            if (line.startsWith(" ")) {
                row.append(' ').append(line.strip());
            } else {
                add(row, rows);
                row.append(line.strip());
            }
        }
        add(row, rows);
        return rows;
    }

    private static void add(StringBuilder row, List<Row> to) {
        if (!row.isEmpty()) {
            to.add(of(row.toString()));
            row.setLength(0);
        }
    }

    /// Reads `name (component kind) <what it says> [what is absent]: meaning`, of which the parts
    /// between the first and the last may be missing. By hand, since every start does it.
    private static Row of(String row) {
        int at = 0;
        while (at < row.length() && " :".indexOf(row.charAt(at)) < 0) {
            at++;
        }
        String name = row.substring(0, at);
        String[] parts = {"", "", ""};
        for (int i = 0; i < parts.length; i++) {
            if (row.startsWith(BEGIN[i], at)) {
                int end = end(row, at, i);
                parts[i] = row.substring(at + BEGIN[i].length(), end);
                at = end + 1;
            }
        }
        if (name.isEmpty() || !row.startsWith(": ", at)) {
            throw new IllegalStateException("not a key: " + row);
        }
        String component = parts[0];
        int blank = component.indexOf(' ');
        return new Row(
                name,
                component.isEmpty()
                        ? Component.named(name)
                        : blank < 0 ? component : component.substring(0, blank),
                blank < 0 ? "" : component.substring(blank + 1),
                parts[1],
                parts[2],
                row.substring(at + 2));
    }

    /// Where a part ends: before the next one, or before the meaning.
    private static int end(String row, int from, int part) {
        int end = from;
        do {
            end = row.indexOf(END[part], end + 1);
            if (end < 0) {
                throw new IllegalStateException("not a key: " + row);
            }
        } while (!row.startsWith(": ", end + 1) && !isNext(row, end + 1, part));
        return end;
    }

    private static boolean isNext(String row, int at, int part) {
        for (int i = part + 1; i < BEGIN.length; i++) {
            if (row.startsWith(BEGIN[i], at)) {
                return true;
            }
        }
        return false;
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
