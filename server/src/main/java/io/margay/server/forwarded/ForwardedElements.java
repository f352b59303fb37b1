package io.margay.server.forwarded;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The elements of `Forwarded` (RFC 7239 §4). Stateless.
///
/// They are separated from the end: what a front end appends is its own element then, whatever a
/// client has sent before it, such as a quote that nothing closes.
final class ForwardedElements {
    private ForwardedElements() {}

    /// What one front end tells. Immutable.
    record Element(@Nullable String client, @Nullable String proto, @Nullable String host) {}

    /// The elements of all lines, the nearest last; null stands for one that is malformed.
    static List<@Nullable Element> of(List<String> lines) {
        List<@Nullable Element> elements = new ArrayList<>();
        for (String line : lines) {
            for (String text : separated(line)) {
                elements.add(element(text));
            }
        }
        return elements;
    }

    private static List<String> separated(String line) {
        List<String> texts = new ArrayList<>();
        boolean quoted = false;
        int end = line.length();
        for (int i = line.length() - 1; i >= 0; i--) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                texts.add(line.substring(i + 1, end));
                end = i;
            }
        }
        texts.add(line.substring(0, end));
        return texts.reversed();
    }

    private static @Nullable Element element(String text) {
        String client = null;
        String proto = null;
        String host = null;
        int at = 0;
        while (at < text.length()) {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                return null;
            }
            int end = end(text, equals + 1);
            String value = end < 0 ? null : value(text.substring(equals + 1, end).strip());
            if (value == null) {
                return null;
            }
            switch (text.substring(at, equals).strip().toLowerCase(Locale.ROOT)) {
                case "for" -> {
                    if (client != null) {
                        return null; // each parameter once (RFC 7239 §4)
                    }
                    client = value;
                }
                case "proto" -> {
                    if (proto != null) {
                        return null;
                    }
                    proto = value;
                }
                case "host" -> {
                    if (host != null) {
                        return null;
                    }
                    host = value;
                }
                default -> {}
            }
            at = end + 1;
        }
        return new Element(client, proto, host);
    }

    /// Where a value ends; -1 for one in quotes that are not closed.
    private static int end(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            } else if (c == ';' && !quoted) {
                return i;
            }
        }
        return quoted ? -1 : text.length();
    }

    /// A value without its quotes; null for what is neither a token nor a whole quoted string.
    private static @Nullable String value(String text) {
        if (!text.startsWith("\"")) {
            return text.isEmpty() || text.indexOf('"') >= 0 ? null : text;
        }
        StringBuilder value = new StringBuilder();
        int last = text.length() - 1;
        if (last == 0 || text.charAt(last) != '"') {
            return null;
        }
        for (int i = 1; i < last; i++) {
            char c = text.charAt(i);
            if (c == '"' || (c == '\\' && ++i == last)) {
                return null;
            }
            value.append(c == '\\' ? text.charAt(i) : c);
        }
        return value.toString();
    }
}
