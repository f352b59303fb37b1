package io.margay.app.sight;

import java.util.ArrayList;
import java.util.List;

/// Rows of text in columns: a name, which gets the room that is left, and others, of which the last
/// ones are left out where there is no room. Confined to one thread.
final class TextTable {
    private static final int NAME_MIN = 12;
    private static final int GAP = 2;

    private final List<String> head;
    private final List<List<String>> rows = new ArrayList<>();

    /// @param name what the rows are
    /// @param columns from the one that matters most on
    TextTable(String name, List<String> columns) {
        head = row(name, columns);
    }

    private static List<String> row(String name, List<String> columns) {
        List<String> row = new ArrayList<>(columns);
        row.addFirst(printable(name));
        return row;
    }

    /// Without what a terminal would obey: controls, those from U+0080 to U+009F and those that
    /// turn the direction of text among them.
    static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
    }

    void add(String name, List<String> columns) {
        rows.add(row(name, columns.stream().map(TextTable::printable).toList()));
    }

    /// The head and the rows, none longer than `width`.
    List<String> lines(int width) {
        List<Integer> widths = new ArrayList<>();
        int used = 0;
        for (int column = 1; column < head.size(); column++) {
            int most = head.get(column).length();
            for (List<String> row : rows) {
                most = Math.max(most, row.get(column).length());
            }
            if (used + GAP + most + NAME_MIN > width) {
                break;
            }
            used += GAP + most;
            widths.add(most);
        }
        List<String> lines = new ArrayList<>();
        lines.add(line(head, widths, width - used));
        for (List<String> row : rows) {
            lines.add(line(row, widths, width - used));
        }
        return lines.stream().map(String::stripTrailing).toList();
    }

    private static String line(List<String> row, List<Integer> widths, int nameWidth) {
        String name = row.getFirst();
        StringBuilder line = new StringBuilder();
        if (name.length() > nameWidth) {
            line.append(name, 0, nameWidth - 1).append('~');
        } else {
            line.append(name).repeat(' ', nameWidth - name.length());
        }
        for (int column = 0; column < widths.size(); column++) {
            String cell = row.get(column + 1);
            line.repeat(' ', GAP + widths.get(column) - cell.length()).append(cell);
        }
        return line.toString();
    }
}
