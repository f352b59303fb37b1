package io.margay.gateway.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// The target of a rule: text with `$1` of the path's expression, `%1` of the last condition's and
/// `%{VARIABLE}`. What is put in is encoded for where it stands, so that no request can write more
/// than a part of a path or a query into the target. Immutable.
final class RuleTemplate {
    private sealed interface Part {
        record Literal(String text) implements Part {}

        record OfPath(int group) implements Part {}

        record OfCondition(int group) implements Part {}

        record Variable(String name) implements Part {}
    }

    private final List<Part> parts;

    private RuleTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /// What the references of a template stand for.
    ///
    /// @param path the path whose expression was found
    /// @param ofPath what was found; null when nothing was searched for
    /// @param ofCondition what the last condition found; null when there was none
    /// @param rawCondition whether that was looked for in text as received, not decoded
    record Found(
            RuleRequest request,
            RulePath path,
            @Nullable MatchResult ofPath,
            @Nullable MatchResult ofCondition,
            boolean rawCondition) {}

    /// Reads a template; `\` before `$` or `%` takes their meaning.
    ///
    /// @throws IllegalArgumentException for an unknown variable
    static RuleTemplate of(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            char next = i < text.length() ? text.charAt(i) : 0;
            Part part = null;
            if (c == '\\' && next != 0) {
                c = next;
                i++;
            } else if ((c == '$' || c == '%')
                    && next >= '0'
                    && next <= '9'
                    && !isEncoding(text, i - 1)) {
                part = c == '$' ? new Part.OfPath(next - '0') : new Part.OfCondition(next - '0');
                i++;
            } else if (c == '%' && next == '{' && text.indexOf('}', i) > 0) {
                int end = text.indexOf('}', i);
                part = variable(text.substring(i + 1, end));
                i = end + 1;
            }
            if (part == null) {
                literal.append(c);
            } else {
                if (!literal.isEmpty()) {
                    parts.add(new Part.Literal(literal.toString()));
                    literal.setLength(0);
                }
                parts.add(part);
            }
        }
        if (!literal.isEmpty()) {
            parts.add(new Part.Literal(literal.toString()));
        }
        return new RuleTemplate(parts);
    }

    private static Part variable(String name) {
        if (!RuleVariables.isKnown(name)) {
            throw new IllegalArgumentException("there is no variable %{" + name + "}");
        }
        return new Part.Variable(name);
    }

    /// `%20` in a target is an encoding; a back-reference of a condition is `%2` and no digit.
    private static boolean isEncoding(String text, int at) {
        return text.charAt(at) == '%'
                && at + 2 < text.length()
                && Character.digit(text.charAt(at + 2), 16) >= 0;
    }

    /// The target.
    String expand(Found found) {
        StringBuilder result = new StringBuilder();
        for (Part part : parts) {
            boolean inQuery = result.indexOf("?") >= 0;
            switch (part) {
                case Part.Literal literal -> result.append(literal.text);
                case Part.OfPath(int group) -> result.append(ofPath(found, group, inQuery));
                case Part.OfCondition(int group) -> {
                    String text = group(found.ofCondition, group);
                    result.append(
                            found.rawCondition
                                    ? RulePath.encodeLoosely(text, true)
                                    : RulePath.encode(text));
                }
                case Part.Variable(String name) -> result.append(variable(found, name));
            }
        }
        return result.toString();
    }

    private static String ofPath(Found found, int group, boolean inQuery) {
        MatchResult match = found.ofPath;
        if (match == null || group > match.groupCount() || match.start(group) < 0) {
            return "";
        }
        return inQuery
                ? RulePath.encodeLoosely(group(match, group), false)
                : found.path.encoded(match.start(group), match.end(group));
    }

    private static String group(@Nullable MatchResult match, int group) {
        if (match == null || group > match.groupCount()) {
            return "";
        }
        String text = match.group(group);
        return text == null ? "" : text;
    }

    private static String variable(Found found, String name) {
        return name.equals("REQUEST_URI")
                ? found.path.encoded(0)
                : RulePath.encodeLoosely(RuleVariables.value(name, found.request), true);
    }
}
