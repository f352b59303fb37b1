package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// `valid_referers`, `secure_link` and `secure_link_secret`: give `$invalid_referer` and
/// `$secure_link` their values where a block begins. Stateless.
final class BlockVariables {
    static final String VARIABLE = "invalid_referer";

    /// Whether a signed link holds, and until when.
    static final String LINK = "secure_link";

    static final String LINK_EXPIRES = "secure_link_expires";

    /// The map that says so, and what it is asked.
    static final String LINK_MAP = "nginx.link";

    private static final String LINK_SAID = "nginx.link-said";
    private static final String LINK_KEY = "nginx.link-key";

    /// What a path of [#SECRET] names behind its MD5, and whether that holds.
    private static final String LINK_REST = "nginx.link-rest";

    private static final String LINK_HOLDS = "nginx.link-holds";

    /// The link has its MD5 in its path.
    static final String SECRET = "secure_link_secret";

    private static final String WITH_SUM = "^/[^/]*/([0-9A-Fa-f]{32})/([^%?]+)$";

    /// `Referer` without its scheme; unset where it has none, or too little behind it.
    private static final String REST = "nginx.referer";

    private static final String WITH_SCHEME = "^(?i)(?:http://(.{4,})|https://(.{3,}))$";
    private static final String REFERER = "%{HTTP:Referer}";

    /// The host alone, unset in the same way.
    private static final String HOST = "nginx.referer-host";

    private static final String WITH_HOST = "^(?i)(?=http://.{4}|https://.{3})https?://([^/:]*)";

    private BlockVariables() {}

    static void write(Scope scope, Program program, Reading reading) {
        referers(scope, program, reading);
        link(scope, program, reading);
    }

    /// Without one of the two directives no link holds.
    private static void link(Scope scope, Program program, Reading reading) {
        NginxNode said = scope.last("secure_link");
        NginxNode made = scope.last("secure_link_md5");
        NginxNode secret = scope.last(SECRET);
        if (secret != null && (said != null || made != null)) {
            reading.wrong(secret, "stands together with \"secure_link\"");
            return;
        }
        if (secret != null) {
            named(secret, program, reading);
            return;
        }
        if (said == null || made == null) {
            return;
        }
        Variables variables = new Variables(reading, Map.of());
        String both = reading.withConstants(said.word(0) + " " + made.word(0));
        if (isSetHere(scope, both)) {
            // It would be empty when the link is looked at, and so would a secret.
            reading.wrong(made, "a variable that the same block sets is not read");
            return;
        }
        try {
            String link = variables.template(reading.withConstants(said.word(0)));
            String text = variables.template(reading.withConstants(made.word(0)));
            program.set(
                    PathMatch.ANY,
                    List.of(),
                    List.of(
                            new Assignment(LINK, null),
                            new Assignment(LINK_EXPIRES, null),
                            new Assignment(LINK_KEY, null),
                            new Assignment(LINK_SAID, link)));
            program.set(
                    PathMatch.ANY,
                    List.of(Conditions.is("%{ENV:" + LINK_SAID + "}", "^[^,]*,(.*)$")),
                    List.of(new Assignment(LINK_EXPIRES, "%1")));
            // Blanks divide the key: a link that has one does not hold, as in nginx.
            program.set(
                    PathMatch.ANY,
                    List.of(Conditions.isNot("%{ENV:" + LINK_SAID + "}", " ")),
                    List.of(
                            new Assignment(
                                    LINK_KEY,
                                    "%{RECEIVED_MICROS} %{ENV:" + LINK_SAID + "} " + text)));
            program.set(
                    PathMatch.ANY,
                    List.of(),
                    List.of(new Assignment(LINK, "${" + LINK_MAP + ":%{ENV:" + LINK_KEY + "}|}")));
        } catch (Variables.Unknown e) {
            reading.wrong(made, String.valueOf(e.getMessage()));
        }
    }

    /// What stands behind the MD5 is the value. One that is encoded or has a query, which nginx
    /// takes for a part of the file's name, is none.
    private static void named(NginxNode node, Program program, Reading reading) {
        String secret = node.word(0);
        if (secret.matches(".*[$%\\\\].*")) {
            reading.wrong(node, "a secret with \"$\", \"%\" or a backslash is not read");
            return;
        }
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(
                        new Assignment(LINK, null),
                        new Assignment(LINK_SAID, null),
                        new Assignment(LINK_REST, null)));
        program.set(
                PathMatch.ANY,
                List.of(Conditions.is("%{REQUEST_TARGET}", WITH_SUM)),
                List.of(new Assignment(LINK_SAID, "%1"), new Assignment(LINK_REST, "%2")));
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(
                        new Assignment(
                                LINK_KEY,
                                "hex %{ENV:" + LINK_SAID + "} %{ENV:" + LINK_REST + "}" + secret)));
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(
                        new Assignment(
                                LINK_HOLDS, "${" + LINK_MAP + ":%{ENV:" + LINK_KEY + "}|}")));
        program.set(
                PathMatch.ANY,
                List.of(Conditions.is("%{ENV:" + LINK_HOLDS + "}", "^1$")),
                List.of(new Assignment(LINK, "%{ENV:" + LINK_REST + "}")));
    }

    private static boolean isSetHere(Scope scope, String text) {
        return Stream.concat(
                        scope.own("set").stream(),
                        scope.own("if").stream()
                                .flatMap(one -> one.block().stream())
                                .filter(one -> one.name().equals("set")))
                .map(set -> set.word(0).replaceFirst("^\\$", ""))
                .anyMatch(name -> text.contains("$" + name) || text.contains("${" + name));
    }

    private static void referers(Scope scope, Program program, Reading reading) {
        List<NginxNode> nodes = scope.nearest("valid_referers");
        if (nodes.isEmpty()) {
            return;
        }
        List<Condition> invalid = new ArrayList<>();
        for (NginxNode node : nodes) {
            for (String word : node.words()) {
                try {
                    terms(word, scope).forEach(invalid::add);
                } catch (IllegalArgumentException e) {
                    reading.wrong(node, String.valueOf(e.getMessage()));
                }
            }
        }
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(
                        new Assignment(REST, null),
                        new Assignment(HOST, null),
                        new Assignment(VARIABLE, null)));
        program.set(
                PathMatch.ANY,
                List.of(Conditions.is(REFERER, WITH_HOST)),
                List.of(new Assignment(HOST, "%1")));
        program.set(
                PathMatch.ANY,
                List.of(Conditions.is(REFERER, WITH_SCHEME)),
                List.of(new Assignment(REST, "%1%2")));
        program.set(PathMatch.ANY, invalid, List.of(new Assignment(VARIABLE, "1")));
    }

    /// What must hold of a request that a word does not let pass.
    private static List<Condition> terms(String word, Scope scope) {
        return switch (word) {
            case "none" -> List.of(Conditions.is(REFERER, "."));
            case "blocked" -> List.of(Conditions.is(REFERER, "^$|" + WITH_SCHEME));
            case "server_names" ->
                    scope.nearest("server_name").stream()
                            .flatMap(node -> node.words().stream())
                            .filter(name -> !name.isEmpty())
                            .map(name -> name.startsWith("~") ? ofHost(name) : ofName(name))
                            .toList();
            default -> List.of(word.startsWith("~") ? ofRest(word) : ofName(word));
        };
    }

    private static Condition ofRest(String word) {
        return none(some(word));
    }

    /// An expression of `server_name`, which sees the host alone.
    private static Condition ofHost(String word) {
        return new Condition("%{ENV:" + HOST + "}", some(word), true, true, false);
    }

    /// An expression that finds nothing where there is no text.
    private static String some(String word) {
        return "(?!^$)(?:" + NginxRegex.of(word.substring(1)).text() + ")";
    }

    private static Condition ofName(String word) {
        int slash = word.indexOf('/');
        String uri = slash < 0 ? "" : word.substring(slash);
        String name = (slash < 0 ? word : word.substring(0, slash)).toLowerCase(Locale.ROOT);
        String host;
        if (name.startsWith("*.")) {
            host = "[^/:]*" + NginxRegex.quote(name.substring(1));
        } else if (name.startsWith(".")) {
            host = "(?:[^/:]*\\.)?" + NginxRegex.quote(name.substring(1));
        } else if (name.endsWith(".*")) {
            host = NginxRegex.quote(name.substring(0, name.length() - 1)) + "[^/:]*";
        } else {
            host = NginxRegex.quote(name);
        }
        // Hosts are compared in any case, paths as they are.
        String rest = uri.isEmpty() ? "(?:[:/]|$)" : "(?::[^/]*)?(?-i)" + NginxRegex.quote(uri);
        return none("^" + host + rest);
    }

    private static Condition none(String regex) {
        return new Condition("%{ENV:" + REST + "}", regex, true, true, false);
    }
}
