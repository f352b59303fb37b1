package io.margay.compat.httpd.syntax;

import io.margay.compat.account.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A `Macro` of mod_macro: lines in which parameters are replaced. Confined to one reading.
final class HttpdMacro {
    /// The most lines that one may have.
    static final int LINES_MAX = 10_000;

    private final HttpdNode head;
    private final List<Line> lines = new ArrayList<>();

    /// A line of it.
    record Line(String text, Place place) {}

    HttpdMacro(HttpdNode head) {
        this.head = head;
    }

    HttpdNode head() {
        return head;
    }

    /// The name by which `Use` knows it, which has no case.
    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    void add(String text, Place place) {
        lines.add(new Line(text, place));
    }

    boolean isFull() {
        return lines.size() >= LINES_MAX;
    }

    /// How many values it wants.
    int parameters() {
        return Math.max(0, head.size() - 1);
    }

    /// The lines with values in place of the parameters.
    List<Line> with(List<String> values) {
        return lines.stream()
                .map(line -> new Line(replaced(line.text, values), line.place))
                .toList();
    }

    /// At each place the longest parameter that stands there is replaced; what takes its place is
    /// not looked at again.
    private String replaced(String text, List<String> values) {
        StringBuilder result = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            int found = -1;
            int length = 0;
            for (int j = 0; j < parameters(); j++) {
                String name = head.argument(j + 1);
                if (name.length() > length && text.startsWith(name, i)) {
                    found = j;
                    length = name.length();
                }
            }
            if (found < 0) {
                result.append(text.charAt(i++));
            } else {
                result.append(values.get(found));
                i += length;
            }
        }
        return result.toString();
    }
}
