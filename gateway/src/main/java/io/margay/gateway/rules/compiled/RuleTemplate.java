package io.margay.gateway.rules.compiled;

import io.margay.protocol.http.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// The target of a rule, or another text that is made of a request: with `$1` of the path's
/// expression, `%1` of the last condition's, `%{VARIABLE}`, or `%{VARIABLE|text}` with what stands
/// there when it is empty, or not set where it is one that rules set, and `${map:key}` or
/// `${map:key|text}`. In a target, what is put in is encoded for where it stands, so that no
/// request can write more than a part of a path or a query. Immutable.
final class RuleTemplate {
    private sealed interface Part {
        record Literal(String text) implements Part {}

        record OfPath(int group) implements Part {}

        record OfCondition(int group) implements Part {}

        record Variable(String name, String byDefault) implements Part {}

        record Mapped(RuleMap map, RuleTemplate key, RuleTemplate byDefault) implements Part {}
    }

    private final List<Part> parts;

    private RuleTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /// Whether it is the same for all requests.
    boolean isConstant() {
        return parts.stream().allMatch(part -> part instanceof Part.Literal);
    }

    /// Whether a variable stands in it.
    boolean asks(String variable) {
        return parts.stream()
                .anyMatch(part ->
                        part instanceof Part.Variable(String name, String _)
                                && name.equals(variable));
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
            boolean rawCondition) {
        static Found of(RuleRequest request, RulePath path, RuleMatch.Taken taken) {
            return new Found(request, path, taken.ofPath(), taken.ofCondition(), taken.raw());
        }

        /// The same of a request whose path has its parameters.
        Found withParameters() {
            return request.rawPath().indexOf(';') < 0
                    ? this
                    : new Found(
                            request.at(
                                    path.withParameters().path(),
                                    request.rawPath(),
                                    request.query()),
                            path,
                            ofPath,
                            ofCondition,
                            rawCondition);
        }

        /// The same for what was found in a field instead of the path.
        Found in(MatchResult field) {
            return new Found(request, path, field, ofCondition, rawCondition);
        }
    }

    /// Reads a template; `\` before `$` or `%` takes their meaning.
    ///
    /// @param maps by name
    /// @throws IllegalArgumentException for an unknown variable or map
    static RuleTemplate of(String text, Map<String, RuleMap> maps) {
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
            } else if (c == '$' && next == '{' && isMapped(text, i)) {
                int end = closing(text, i);
                part = mapped(text.substring(i + 1, end), maps);
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

    private static Part variable(String text) {
        int bar = text.indexOf('|');
        String name = bar < 0 ? text : text.substring(0, bar);
        if (!RuleVariables.isKnown(name)) {
            throw new IllegalArgumentException("there is no variable %{" + name + "}");
        }
        return new Part.Variable(name, bar < 0 ? "" : text.substring(bar + 1));
    }

    private static boolean isMapped(String text, int brace) {
        int colon = text.indexOf(':', brace);
        return colon > 0 && closing(text, brace) > colon;
    }

    /// The brace that closes the one at an index, or -1.
    private static int closing(String text, int brace) {
        int depth = 0;
        for (int i = brace; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static Part mapped(String text, Map<String, RuleMap> maps) {
        int colon = text.indexOf(':');
        String name = text.substring(0, colon);
        RuleMap map = maps.get(name);
        if (map == null) {
            throw new IllegalArgumentException("there is no map " + name);
        }
        String rest = text.substring(colon + 1);
        int bar = outsideBar(rest);
        return new Part.Mapped(
                map,
                of(bar < 0 ? rest : rest.substring(0, bar), maps),
                of(bar < 0 ? "" : rest.substring(bar + 1), maps));
    }

    /// The bar that is in no braces, or -1.
    private static int outsideBar(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == '|' && depth == 0) {
                return i;
            }
        }
        return -1;
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
                                    : PercentEncoding.path(text, found.path.keepsSlashes()));
                }
                case Part.Variable(String name, String byDefault) ->
                        result.append(variable(found, name, byDefault));
                case Part.Mapped mapped ->
                        result.append(RulePath.encodeLoosely(value(mapped, found), true));
            }
        }
        return result.toString();
    }

    /// The text with nothing encoded, for conditions, variables and fields; control characters are
    /// left out, so that it can stand in a field.
    String plain(Found found) {
        if (parts.size() == 1 && parts.getFirst() instanceof Part.Literal(String text)) {
            return text;
        }
        return withoutControls(new StringBuilder(text(found)));
    }

    /// The text with nothing encoded, and nothing left out.
    String text(Found found) {
        StringBuilder result = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Part.Literal(String text) -> result.append(text);
                case Part.OfPath(int group) -> result.append(group(found.ofPath, group));
                case Part.OfCondition(int group) -> result.append(group(found.ofCondition, group));
                case Part.Variable(String name, String byDefault) ->
                        result.append(value(name, byDefault, found.request));
                case Part.Mapped mapped -> result.append(value(mapped, found));
            }
        }
        return result.toString();
    }

    private static String withoutControls(StringBuilder text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == 0x7f) {
                return text.toString().replaceAll("[\\x00-\\x1f\\x7f]", "");
            }
        }
        return text.toString();
    }

    private static String value(Part.Mapped mapped, Found found) {
        String value = mapped.map.get(mapped.key.plain(found));
        return value == null ? mapped.byDefault.plain(found) : value;
    }

    private static String value(String name, String byDefault, RuleRequest request) {
        String value = RuleVariables.value(name, request);
        return value.isEmpty() && !RuleVariables.isSet(name, request) ? byDefault : value;
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

    private static String variable(Found found, String name, String byDefault) {
        boolean whole = found.path.whole() || found.path.path().equals(found.request.path());
        return name.equals("REQUEST_URI")
                // In a folder the path is the one within it.
                ? whole ? found.path.encoded(0) : RulePath.encode(found.request.path())
                : RulePath.encodeLoosely(value(name, byDefault, found.request), true);
    }
}
