package io.margay.compat.httpd.expression;

import io.margay.gateway.rules.compiled.RuleVariables;
import java.util.Locale;
import java.util.Optional;

/// Which variable of the gateway's rules a variable of httpd's expressions is. Confined to one
/// reading.
///
/// @param ofFile whether it is known which file the request is for
/// @param ofResponse whether the response is there
record ExpressionVariables(RequestVariables variables, boolean ofFile, boolean ofResponse) {
    /// The variable here that one of an expression is; empty when there is none.
    Optional<String> name(String name) {
        int colon = name.indexOf(':');
        if (colon >= 0) {
            String rest = name.substring(colon + 1);
            return switch (name.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "req", "http", "req_novary" -> Optional.of("HTTP:" + rest);
                case "resp" ->
                        ofResponse ? Optional.of(RuleVariables.RESPONSE + rest) : Optional.empty();
                case "env", "reqenv" -> {
                    String variable = variables.reference(rest);
                    yield Optional.of(variable.substring(2, variable.length() - 1));
                }
                default -> Optional.empty();
            };
        }
        String upper = name.toUpperCase(Locale.ROOT);
        if (upper.startsWith("SSL_")) {
            return Optional.of("SSL:" + upper);
        }
        if (upper.equals("REQUEST_STATUS") || upper.equals("CONTENT_TYPE")) {
            String field = upper.equals("CONTENT_TYPE") ? "Content-Type" : "";
            return ofResponse ? Optional.of(RuleVariables.RESPONSE + field) : Optional.empty();
        }
        if (upper.equals("REQUEST_FILENAME") || upper.equals("SCRIPT_FILENAME")) {
            return ofFile ? Optional.of("MAPPED_FILE") : Optional.empty();
        }
        if (upper.equals(RequestVariables.DOCUMENT_ROOT)) {
            String variable = variables.reference(RequestVariables.DOCUMENT_ROOT);
            return Optional.of(variable.substring(2, variable.length() - 1));
        }
        // Who the user is was found out by then for fields alone, not for If and Require.
        boolean own =
                upper.endsWith("_MICROS")
                        || (upper.equals("REMOTE_USER") && !ofResponse)
                        || upper.equals("FILE");
        return RuleVariables.isKnown(upper) && !own
                ? Optional.of(variables.knownName(upper))
                : Optional.empty();
    }
}
