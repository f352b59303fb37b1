package io.margay.app.yaml;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Puts environment variables into texts: `${NAME}`, `${NAME:-default}`; `$${` stands for a literal
/// `${`. What was put in is not looked at again. Immutable.
final class Environment {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// Leaves texts as they were written.
    static final Environment AS_WRITTEN = new Environment(Map.of(), false);

    private final Map<String, String> variables;
    private final boolean expands;

    Environment(Map<String, String> variables) {
        this(variables, true);
    }

    private Environment(Map<String, String> variables, boolean expands) {
        this.variables = Map.copyOf(variables);
        this.expands = expands;
    }

    /// The text with its variables replaced.
    ///
    /// @throws IllegalArgumentException when a variable is not set and has no default, or the
    ///   reference is malformed
    String expand(String text) {
        int at = text.indexOf("${");
        if (at < 0 || !expands) {
            return text;
        }
        StringBuilder result = new StringBuilder();
        int from = 0;
        while (at >= 0) {
            if (at > from && text.charAt(at - 1) == '$') {
                result.append(text, from, at - 1).append("${");
                from = at + 2;
            } else {
                int end = text.indexOf('}', at);
                if (end < 0) {
                    throw new IllegalArgumentException("\"${\" without \"}\"");
                }
                result.append(text, from, at).append(value(text.substring(at + 2, end)));
                from = end + 1;
            }
            at = text.indexOf("${", from);
        }
        return result.append(text, from, text.length()).toString();
    }

    private String value(String reference) {
        int split = reference.indexOf(":-");
        String name = split < 0 ? reference : reference.substring(0, split);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"${" + reference + "}\" names no environment variable");
        }
        Optional<String> value = Optional.ofNullable(variables.get(name));
        if (split >= 0) {
            return value.filter(set -> !set.isEmpty()).orElse(reference.substring(split + 2));
        }
        return value.orElseThrow(() ->
                new IllegalArgumentException(
                        "the environment variable "
                                + name
                                + " is not set; set it, or give a default: ${"
                                + name
                                + ":-value}"));
    }
}
