package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Responses that depend on fields of the request say so in `Vary`, so that no cache answers one
/// client with what is for another: as in httpd, for every expression that was asked, and for
/// conditions of `RewriteCond` that held. Stateless.
final class Varying {
    private static final Pattern FIELD = Pattern.compile("%\\{HTTP:([A-Za-z0-9_-]+)\\}");
    private static final Pattern VARIABLE = Pattern.compile("%\\{(HTTP_[A-Z_]+)\\}");

    /// All requests differ in `Host`, which caches know (RFC 9110 §12.5.5).
    private static final Map<String, String> VARIABLES =
            Map.of(
                    "HTTP_USER_AGENT", "User-Agent",
                    "HTTP_REFERER", "Referer",
                    "HTTP_COOKIE", "Cookie",
                    "HTTP_FORWARDED", "Forwarded",
                    "HTTP_ACCEPT", "Accept");

    private Varying() {}

    /// Takes note of an expression that is asked for all requests of a section.
    static void add(HttpdServer server, HttpdSection around, List<Condition> expression) {
        for (String name : fields(expression)) {
            server.varying.add(
                    new HttpdServer.FieldChange(
                            around, merge(around.paths(), around.mapped(), name)));
        }
    }

    /// What rules that lead requests depend on.
    static List<FieldRule> of(List<GatewayRule> rules) {
        List<FieldRule> made = new ArrayList<>();
        for (GatewayRule rule : rules) {
            for (String name : fields(rule.when())) {
                List<Condition> when = new ArrayList<>(rule.when());
                when.add(Condition.of("%{HTTP:" + name + "}", "."));
                made.add(merge(rule.match(), when, name));
            }
        }
        return made;
    }

    private static FieldRule merge(PathMatch match, List<Condition> when, String name) {
        return new FieldRule(match, when, Change.MERGE, "Vary", name, "", false);
    }

    private static Set<String> fields(List<Condition> when) {
        Set<String> names = new LinkedHashSet<>();
        for (Condition condition : when) {
            Matcher field = FIELD.matcher(condition.value());
            while (field.find()) {
                names.add(field.group(1));
            }
            Matcher variable = VARIABLE.matcher(condition.value());
            while (variable.find()) {
                String name = VARIABLES.get(variable.group(1));
                if (name != null) {
                    names.add(name);
                }
            }
        }
        names.removeIf("host"::equalsIgnoreCase);
        return names;
    }
}
