package io.margay.compat.httpd.expression;

import java.util.Optional;
import java.util.Set;

/// The values of mod_headers (`%{NAME}e`, `%{NAME}s`, `%t`, `%D`) and texts with variables, as
/// templates of rules. Confined to one reading.
public final class HeaderFormat {
    /// What httpd writes where a variable is not set.
    private static final String NOTHING = "|(null)}";

    private static final Set<String> OF_REQUEST =
            Set.of(
                    "HTTP_USER_AGENT",
                    "HTTP_REFERER",
                    "HTTP_COOKIE",
                    "HTTP_FORWARDED",
                    "HTTP_HOST",
                    "HTTP_ACCEPT",
                    "THE_REQUEST",
                    "REQUEST_METHOD",
                    "REQUEST_SCHEME",
                    "REQUEST_URI",
                    "QUERY_STRING",
                    "SERVER_NAME",
                    "SERVER_PORT",
                    "REMOTE_ADDR",
                    "REMOTE_USER");

    private final RequestVariables variables;
    private final boolean ofResponse;

    public HeaderFormat(RequestVariables variables) {
        this(variables, false);
    }

    /// @param ofResponse whether the response is there when it is asked
    public HeaderFormat(RequestVariables variables, boolean ofResponse) {
        this.variables = variables;
        this.ofResponse = ofResponse;
    }

    /// The template of a value; empty when it has what is not known.
    ///
    /// @param edits whether `$1` is what was found in the field, and not a text
    public Optional<String> template(String value, boolean edits) {
        if (value.regionMatches(true, 0, "expr=", 0, 5)) {
            return expression(value.substring(5), ofResponse);
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
                    made.append("%{").append(ofServer(name)).append(NOTHING);
                } else if (of == 'e') {
                    made.append(variables.reference(name), 0, name.length() + 6).append(NOTHING);
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

    /// A variable as mod_ssl looks it up: its own, else one of the request.
    private String ofServer(String name) {
        if (name.startsWith("ENV:")) {
            return variables.reference(name.substring(4)).substring(2, name.length() + 2);
        }
        boolean plain = name.indexOf(':') < 0 && !name.startsWith("SSL_") && !name.equals("HTTPS");
        return plain && OF_REQUEST.contains(name) ? variables.knownName(name) : "SSL:" + name;
    }

    /// An expression that is a text with variables.
    private Optional<String> expression(String text, boolean response) {
        ExpressionVariables names = new ExpressionVariables(variables, true, response);
        StringBuilder made = new StringBuilder();
        int from = 0;
        int at = text.indexOf("%{");
        while (at >= 0) {
            int end = text.indexOf('}', at);
            Optional<String> known =
                    end < 0 ? Optional.empty() : inText(names, text.substring(at + 2, end));
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

    private static Optional<String> inText(ExpressionVariables names, String name) {
        return name.equalsIgnoreCase("REMOTE_USER") ? Optional.of("REMOTE_USER") : names.name(name);
    }

    /// A text in which nothing stands for anything else.
    public static String literal(String text) {
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
    public static String ofCondition(String text) {
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
