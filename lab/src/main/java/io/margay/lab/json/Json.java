package io.margay.lab.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads and writes JSON (RFC 8259) as trees of `Map`, `List`, `String`, `Long`, `Double` and
/// `Boolean`. Stateless.
///
/// The lab writes no `null`; a member that is `null` is read as absent.
public final class Json {
    private Json() {}

    /// The tree of a text.
    ///
    /// @throws IllegalArgumentException if it is no JSON; the message says where
    public static Object parse(String text) {
        return new JsonReader(text).document();
    }

    /// The tree as one line.
    public static String line(Object tree) {
        StringBuilder out = new StringBuilder();
        write(out, tree, -1);
        return out.toString();
    }

    /// The tree over several lines, for people and version control.
    public static String pretty(Object tree) {
        StringBuilder out = new StringBuilder();
        write(out, tree, 0);
        return out.append('\n').toString();
    }

    /// The tree as an object.
    public static Map<String, Object> object(Object tree) {
        if (!(tree instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("expected an object, not " + kind(tree));
        }
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((name, value) -> result.put(String.valueOf(name), value));
        return result;
    }

    /// The tree as an array.
    public static List<Object> array(Object tree) {
        if (!(tree instanceof List<?> list)) {
            throw new IllegalArgumentException("expected an array, not " + kind(tree));
        }
        return new ArrayList<>(list);
    }

    static String kind(Object tree) {
        return switch (tree) {
            case Map<?, ?> _ -> "an object";
            case List<?> _ -> "an array";
            case String _ -> "a text";
            case Number _ -> "a number";
            default -> "true or false";
        };
    }

    private static void write(StringBuilder out, Object tree, int depth) {
        switch (tree) {
            case Map<?, ?> map -> {
                out.append('{');
                String separator = "";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(separator);
                    separator = ",";
                    newLine(out, depth < 0 ? depth : depth + 1);
                    quote(out, String.valueOf(entry.getKey()));
                    out.append(depth < 0 ? ":" : ": ");
                    write(out, entry.getValue(), depth < 0 ? depth : depth + 1);
                }
                newLine(out, map.isEmpty() ? -1 : depth);
                out.append('}');
            }
            case List<?> list -> {
                boolean flat = list.stream().noneMatch(Json::nested);
                int inner = depth < 0 || flat ? -1 : depth + 1;
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    out.append(i == 0 ? "" : flat && depth >= 0 ? ", " : ",");
                    newLine(out, inner);
                    write(out, list.get(i), inner);
                }
                newLine(out, list.isEmpty() || flat ? -1 : depth);
                out.append(']');
            }
            case String text -> quote(out, text);
            case Double number -> out.append(number(number));
            case Number number -> out.append(number);
            case Boolean flag -> out.append(flag);
            default -> throw new IllegalArgumentException("not for JSON: " + tree.getClass());
        }
    }

    private static boolean nested(Object tree) {
        return tree instanceof Map || tree instanceof List;
    }

    private static String number(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new IllegalArgumentException("JSON has no number " + number);
        }
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private static void newLine(StringBuilder out, int depth) {
        if (depth >= 0) {
            out.append('\n').repeat("  ", depth);
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    // Also "<", so that a document can stand inside HTML.
                    if (c < ' ' || c == '<' || c == '\u2028' || c == '\u2029') {
                        out.append("\\u").append(String.format("%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
