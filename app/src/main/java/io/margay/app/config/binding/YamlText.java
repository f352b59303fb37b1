package io.margay.app.config.binding;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Prints maps, lists and texts as YAML: on one line where they fit, otherwise on several.
/// Stateless.
public final class YamlText {
    private static final int COLUMNS_MAX = 100;

    /// Below this, everything is on one line, however long.
    private static final int DEPTH_MAX = 5;

    private YamlText() {}

    /// A text in double quotes, in which `${` does not stand for a variable.
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        String escaped = text.replace("${", "$${");
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (isPrintable(c)) {
                        quoted.append(c);
                    } else {
                        quoted.append(String.format("\\u%04X", (int) c));
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    /// Whether a file may have it as it is (YAML 1.2, section 5.1); surrogates come in pairs.
    private static boolean isPrintable(char c) {
        return !Character.isISOControl(c) && c != '\ufffe' && c != '\uffff' && c != '\ufeff';
    }

    /// On one line.
    public static String line(Object node) {
        return switch (node) {
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry -> entry.getKey() + ": " + line(entry.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list ->
                    list.stream().map(YamlText::line).collect(Collectors.joining(", ", "[", "]"));
            default -> node.toString();
        };
    }

    /// The keys of a map, each on lines of its own.
    public static void keys(Map<String, ?> map, int depth, StringBuilder out) {
        map.forEach((key, value) -> {
            out.append("  ".repeat(depth)).append(key).append(':');
            below(value, depth, key.length() + 2, out);
        });
    }

    private static void below(Object node, int depth, int before, StringBuilder out) {
        String line = line(node);
        boolean fits = line.length() + before + 2 * depth <= COLUMNS_MAX;
        switch (node) {
            case Map<?, ?> map when !fits && depth < DEPTH_MAX -> {
                out.append('\n');
                map.forEach((key, value) -> {
                    out.append("  ".repeat(depth + 1)).append(key).append(':');
                    below(value, depth + 1, key.toString().length() + 2, out);
                });
            }
            case List<?> list when !fits && depth < DEPTH_MAX -> {
                out.append('\n');
                for (Object item : list) {
                    out.append("  ".repeat(depth + 1)).append("- ").append(line(item)).append('\n');
                }
            }
            default -> out.append(' ').append(line).append('\n');
        }
    }
}
