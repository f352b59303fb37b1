package io.margay.app.admin;

import java.util.Locale;
import java.util.Map;

/// Writes maps, lists, texts, numbers and truths as JSON (RFC 8259). Stateless.
final class JsonText {
    private JsonText() {}

    static String of(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.append('\n').toString();
    }

    private static void write(Object value, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> {
                String comma = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(comma);
                    quote(String.valueOf(entry.getKey()), out);
                    out.append(':');
                    write(entry.getValue(), out);
                    comma = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case Iterable<?> list -> {
                out.append('[');
                String comma = "";
                for (Object item : list) {
                    out.append(comma);
                    write(item, out);
                    comma = ",";
                }
                out.append(']');
            }
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            default -> quote(value.toString(), out);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '<' || Character.isSurrogate(c)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
