package io.margay.compat.httpd.syntax;

import java.util.List;
import java.util.regex.Pattern;

/// The names of the variables that a directive sets or removes.
public final class SetVariables {
    private static final Pattern FLAG = Pattern.compile("(?i)\\b(?:E|env)=!?([^:,\\]]+)");

    private SetVariables() {}

    public static List<String> of(HttpdNode node) {
        return switch (node.key()) {
            case "setenv" -> node.size() == 0 ? List.of() : List.of(node.argument(0));
            case "unsetenv", "passenv" -> node.arguments();
            case "browsermatch", "browsermatchnocase", "setenvifexpr" -> names(node, 1);
            case "setenvif", "setenvifnocase" -> names(node, 2);
            case "rewriterule" ->
                    node.size() < 3
                            ? List.of()
                            : FLAG.matcher(node.argument(2))
                                    .results()
                                    .map(found -> found.group(1))
                                    .toList();
            default -> List.of();
        };
    }

    /// The names of `[!]variable[=value]…`.
    private static List<String> names(HttpdNode node, int from) {
        return node.arguments().stream()
                .skip(from)
                .map(word -> word.replaceFirst("^!", "").replaceFirst("=.*", ""))
                .toList();
    }
}
