package io.margay.compat.httpd;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.RuleVariables;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The values of mod_headers (`%{NAME}e`, `%{NAME}s`, `%t`, `%D`) and texts with variables, as
/// templates of rules. Confined to one reading.
final class HeaderFormat {
    /// What httpd writes where a variable is not set.
    private static final String NOTHING = "|(null)}";

    private final HttpdReader reader;

    HeaderFormat(HttpdReader reader) {
        this.reader = reader;
    }

    /// The template of a value; empty when it has what is not known.
    ///
    /// @param edits whether `$1` is what was found in the field, and not a text
    Optional<String> template(String value, boolean edits) {
        if (value.regionMatches(true, 0, "expr=", 0, 5)) {
            return expression(value.substring(5));
        }
        StringBuilder made = new StringBuilder();
        int i = 0;
        while (i < value.length()) {
            char c = value.charAt(i++);
            if (c == '$' && edits) {
                made.append(c);
            } else if (c == '\\' && edits && i < value.length()) {
                made.append(c).append(value.charAt(i++));
            } else if (c != '%') {
                made.append(literal(c));
            } else {
                int end = specifier(value, i, made);
                if (end < 0) {
                    return Optional.empty();
                }
                i = end;
            }
        }
        return Optional.of(made.toString());
    }

    /// Appends what stands behind a percent sign, and tells where that ends; -1 when it is not
    /// known.
    private int specifier(String value, int at, StringBuilder made) {
        char kind = at < value.length() ? value.charAt(at) : 0;
        switch (kind) {
            case '%' -> made.append("\\%");
            case 't' -> made.append("t=%{RECEIVED_MICROS}");
            case 'D' -> made.append("D=%{TAKEN_MICROS}");
            case '{' -> {
                int end = value.indexOf('}', at);
                char of = end > 0 && end + 1 < value.length() ? value.charAt(end + 1) : 0;
                String name = end < 0 ? "" : value.substring(at + 1, end);
                if (of == 's') {
                    made.append("%{SSL:").append(name).append(NOTHING);
                } else if (of == 'e') {
                    made.append(reader.variable(name), 0, name.length() + 6).append(NOTHING);
                } else {
                    return -1;
                }
                return end + 2;
            }
            default -> {
                return -1;
            }
        }
        return at + 1;
    }

    /// An expression that is a text with variables.
    private Optional<String> expression(String text) {
        StringBuilder made = new StringBuilder();
        int from = 0;
        int at = text.indexOf("%{");
        while (at >= 0) {
            int end = text.indexOf('}', at);
            Optional<String> known = end < 0 ? Optional.empty() : name(text.substring(at + 2, end));
            if (known.isEmpty()) {
                return Optional.empty();
            }
            made.append(literal(text.substring(from, at))).append("%{").append(known.get());
            made.append('}');
            from = end + 1;
            at = text.indexOf("%{", from);
        }
        return Optional.of(made.append(literal(text.substring(from))).toString());
    }

    /// What an expression says, as conditions; empty when it is not understood.
    Optional<List<Condition>> conditions(String text) {
        try {
            return Optional.of(HttpdExpression.of(text, reader).conditions(false));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// The variable here that one of an expression is; empty when there is none.
    Optional<String> name(String name) {
        int colon = name.indexOf(':');
        if (colon >= 0) {
            String rest = name.substring(colon + 1);
            return switch (name.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "req", "http", "req_novary" -> Optional.of("HTTP:" + rest);
                case "env", "reqenv" -> {
                    String variable = reader.variable(rest);
                    yield Optional.of(variable.substring(2, variable.length() - 1));
                }
                default -> Optional.empty();
            };
        }
        String upper = name.toUpperCase(Locale.ROOT);
        if (upper.startsWith("SSL_")) {
            return Optional.of("SSL:" + upper);
        }
        boolean own = upper.endsWith("_MICROS");
        return RuleVariables.isKnown(upper) && !own ? Optional.of(upper) : Optional.empty();
    }

    /// A text in which nothing stands for anything else.
    static String literal(String text) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            made.append(literal(text.charAt(i)));
        }
        return made.toString();
    }

    private static String literal(char c) {
        return c == '\\' || c == '$' || c == '%' ? "\\" + c : String.valueOf(c);
    }

    /// The value of `SetEnvIf`: `$1` is what its condition has found.
    static String ofCondition(String text) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean reference =
                    c == '$' && i + 1 < text.length() && Character.isDigit(text.charAt(i + 1));
            if (reference) {
                made.append("%").append(text.charAt(++i));
            } else {
                made.append(literal(c));
            }
        }
        return made.toString();
    }
}
