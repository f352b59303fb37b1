package io.margay.compat.tomcat.rewrite;

import io.margay.protocol.http.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// A text with references in it: `$1` of the rule, `%1` of the last condition, `%{VARIABLE}`,
/// `${map:key|otherwise}`. Immutable.
final class RewriteText {
    /// Characters that a group keeps with the flag B, beside letters and digits.
    private static final String KEPT = "-._~";

    private final List<Part> parts;

    /// A part of the text.
    private sealed interface Part {
        record Plain(String text) implements Part {}

        /// @param ofRule whether it is a group of the rule's pattern
        record Group(boolean ofRule, int number) implements Part {}

        record Variable(String name) implements Part {}

        record Mapped(RewriteMap map, RewriteText key, RewriteText otherwise) implements Part {}
    }

    private RewriteText(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /// Reads one.
    ///
    /// @throws IllegalArgumentException when a variable or map is not known
    static RewriteText of(String text, Map<String, RewriteMap> maps) {
        List<Part> parts = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
            Part part = null;
            int end = at + 2;
            if (c == '\\' && at + 1 < text.length()) {
                plain.append(next);
            } else if ((c == '$' || c == '%') && next >= '0' && next <= '9') {
                part = new Part.Group(c == '$', next - '0');
            } else if ((c == '$' || c == '%') && next == '{') {
                end = closing(text, at + 2);
                String inner = text.substring(at + 2, end - 1);
                part = c == '%' ? variable(inner) : mapped(inner, maps);
            } else {
                plain.append(c);
                end = at + 1;
            }
            if (part != null) {
                flush(plain, parts);
                parts.add(part);
            }
            at = end;
        }
        flush(plain, parts);
        return new RewriteText(parts);
    }

    private static void flush(StringBuilder plain, List<Part> parts) {
        if (!plain.isEmpty()) {
            parts.add(new Part.Plain(plain.toString()));
            plain.setLength(0);
        }
    }

    /// The offset after the brace that closes the one before `from`.
    private static int closing(String text, int from) {
        int depth = 1;
        for (int i = from; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("a brace is not closed: " + text);
    }

    private static Part variable(String name) {
        if (!RewriteRequest.knows(name)) {
            throw new IllegalArgumentException("the variable %{" + name + "} is not known here");
        }
        return new Part.Variable(name);
    }

    private static Part mapped(String inner, Map<String, RewriteMap> maps) {
        int colon = inner.indexOf(':');
        RewriteMap map = maps.get(colon < 0 ? inner : inner.substring(0, colon));
        if (map == null) {
            throw new IllegalArgumentException("there is no map for ${" + inner + "}");
        }
        String key = inner.substring(colon + 1);
        int bar = key.lastIndexOf('|');
        return new Part.Mapped(
                map,
                of(bar < 0 ? key : key.substring(0, bar), maps),
                of(bar < 0 ? "" : key.substring(bar + 1), maps));
    }

    /// Whether the text begins with this.
    boolean startsWith(String text) {
        return !parts.isEmpty()
                && parts.getFirst() instanceof Part.Plain(String plain)
                && plain.startsWith(text);
    }

    /// Whether the text begins with what is not known before a request comes.
    boolean startsWithReference() {
        return !parts.isEmpty() && !(parts.getFirst() instanceof Part.Plain);
    }

    /// The text for a request.
    ///
    /// @param rule groups of the rule's pattern; null = it is one that must not match
    /// @param condition groups of the last condition that has matched; null = none has
    /// @param escaped whether what groups hold is percent-encoded
    String of(
            RewriteRequest request,
            @Nullable MatchResult rule,
            @Nullable MatchResult condition,
            boolean escaped) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            text.append(
                    switch (part) {
                        case Part.Plain(String plain) -> plain;
                        case Part.Group(boolean ofRule, int number) ->
                                group(ofRule ? rule : condition, number, escaped);
                        case Part.Variable(String name) -> request.variable(name);
                        case Part.Mapped(
                                        RewriteMap map,
                                        RewriteText key,
                                        RewriteText otherwise) -> {
                            String found = map.get(key.of(request, rule, condition, false));
                            yield found == null
                                    ? otherwise.of(request, rule, condition, false)
                                    : found;
                        }
                    });
        }
        return text.toString();
    }

    private static String group(@Nullable MatchResult match, int number, boolean escaped) {
        String group = match == null || number > match.groupCount() ? null : match.group(number);
        if (group == null) {
            return "";
        }
        return escaped ? PercentEncoding.encode(group, KEPT) : group;
    }
}
