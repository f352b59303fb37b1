package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The media types of paths by their last ending, as `types` says them. Stateless.
final class EndingTypes {
    /// Where no `types` stand.
    private static final Map<String, String> USUAL =
            Map.of("html", "text/html", "gif", "image/gif", "jpg", "image/jpeg");

    private EndingTypes() {}

    /// @param nodes the `types` that hold
    static Map<String, String> of(List<NginxNode> nodes) {
        if (nodes.isEmpty()) {
            return USUAL;
        }
        Map<String, String> endings = new HashMap<>();
        for (NginxNode entry : nodes.stream().flatMap(one -> one.block().stream()).toList()) {
            for (String ending : entry.words()) {
                endings.put(ending.toLowerCase(Locale.ROOT), entry.name());
            }
        }
        return endings;
    }

    /// Expressions for the paths of each type.
    static Map<String, String> expressions(List<NginxNode> nodes) {
        Map<String, String> expressions = new TreeMap<>();
        of(nodes)
                .forEach((ending, type) ->
                        expressions.merge(type, NginxRegex.quote(ending), (a, b) -> a + "|" + b));
        expressions.replaceAll((_, endings) -> "\\.(?:" + endings + ")$");
        return expressions;
    }
}
