package io.margay.lab.report;

import java.util.ArrayList;
import java.util.List;

/// A table for a terminal. Confined to one thread.
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(List<String> head) {
        rows.add(head);
    }

    void row(List<String> cells) {
        rows.add(cells);
    }

    /// The first column to the left, numbers to the right.
    @Override
    public String toString() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                String blanks = " ".repeat(widths[i] - cell.length());
                line.append(i == 0 ? cell + blanks : "  " + blanks + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
