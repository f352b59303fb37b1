package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.config.rules.RuleReader;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Scalar;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The keys by which hosts say what browsers are told: HTTPS, and other sites that may ask.
final class EdgeKeys {
    private static final String HTTPS = "https-redirect";
    private static final String HSTS = "hsts";
    private static final String CORS = "cors";
    private static final int HTTPS_DEFAULT = 443;
    private static final int PORT_MAX = 65_535;
    private static final int PERMANENT = 308;
    private static final int NO_CONTENT = 204;
    private static final int FORBIDDEN = 403;
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final Pattern ORIGIN =
            Pattern.compile("[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+])(?::[0-9]{1,5})?");
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST");

    /// Those that pages may send without permission (the Fetch standard).
    private static final List<String> SAFE_FIELDS =
            List.of("Accept", "Accept-Language", "Content-Language", "Content-Type", "Range");

    /// What makes a request a preflight one.
    private static final List<Condition> PREFLIGHT =
            List.of(
                    Condition.of("%{REQUEST_METHOD}", "^OPTIONS$"),
                    Condition.of("%{HTTP:Origin}", "^."),
                    Condition.of("%{HTTP:Access-Control-Request-Method}", "^."));

    private static final Scalar HTTPS_PORT =
            new Scalar(
                    "true, false, or a port",
                    Map.of("type", List.of("boolean", "integer", "string")),
                    List.of(),
                    EdgeKeys::httpsPort);

    private EdgeKeys() {}

    static List<Shape.Key> ofHost() {
        return List.of(
                optional(
                        HTTPS,
                        HTTPS_PORT,
                        "false",
                        "Whether requests without TLS are redirected to HTTPS, before anything else"
                                + " of the host is asked; a number is the port clients use."),
                optional(
                        HSTS,
                        hsts(),
                        "none",
                        "Tells browsers to come over TLS only (`Strict-Transport-Security`)."),
                optional(
                        CORS,
                        cors(),
                        "none",
                        "Which other sites' pages may ask, and read the answers (CORS)."));
    }

    private static Section hsts() {
        return new Section(
                "what browsers are told of HTTPS",
                List.of(
                        optional("max-age", duration(), "365d", "How long browsers remember it."),
                        optional(
                                "subdomains",
                                flag(),
                                "false",
                                "Whether it holds for all names below the host's, too."),
                        optional(
                                "preload",
                                flag(),
                                "false",
                                "Whether browsers may have it built in; needs `subdomains` and a"
                                        + " year.")),
                List.of());
    }

    private static Section cors() {
        return new Section(
                "other sites",
                List.of(
                        required(
                                "origins",
                                new Items(
                                        "origins",
                                        text(
                                                "an origin, as in https://shop.example, or *",
                                                EdgeKeys::origin),
                                        1,
                                        true),
                                "Origins of pages that may ask; `*` = any, without `credentials`."),
                        optional(
                                "methods",
                                new Items("methods", text("a method", EdgeKeys::token), 1),
                                "[GET, HEAD, POST]",
                                "Methods that they may use."),
                        optional(
                                "headers",
                                new Items("fields", text("a field", EdgeKeys::token), 0),
                                "those that need no permission",
                                "Fields that they may send."),
                        optional(
                                "expose",
                                new Items("fields", text("a field", EdgeKeys::token), 0),
                                "those that need no permission",
                                "Fields of responses that they may read."),
                        optional(
                                "credentials",
                                flag(),
                                "false",
                                "Whether they may ask with the user's cookies and passwords."),
                        optional(
                                "max-age",
                                duration(),
                                "as browsers like",
                                "How long browsers remember what a preflight request was told.")),
                List.of());
    }

    private static Object origin(String text) {
        if (!text.equals("*") && !ORIGIN.matcher(text).matches()) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static Object token(String text) {
        if (!LimitKey.TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static Object httpsPort(String text) {
        return switch (text) {
            case "true" -> HTTPS_DEFAULT;
            case "false" -> 0;
            default -> {
                int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
                if (port < 1 || port > PORT_MAX) {
                    throw new IllegalArgumentException("");
                }
                yield port;
            }
        };
    }

    /// The rules of a host that come before its own.
    static List<GatewayRule> rules(Settings host) {
        List<GatewayRule> rules = new ArrayList<>();
        int port = host.get(HTTPS, Integer.class).orElse(0);
        if (port > 0) {
            String authority = port == HTTPS_DEFAULT ? "" : ":" + port;
            String target = "https://%{SERVER_NAME}" + authority + "%{REQUEST_URI}";
            rules.add(
                    new GatewayRule(
                            PathMatch.ANY,
                            List.of(),
                            List.of(new Condition("%{HTTPS}", "^on$", true, true, false)),
                            new RuleAction.Redirect(PERMANENT, target, RuleAction.Query.KEEP)));
        }
        host.section(CORS)
                .ifPresent(cors -> {
                    rules.add(preflight(permitted(cors), NO_CONTENT));
                    rules.add(preflight(List.of(), FORBIDDEN));
                });
        return rules;
    }

    private static GatewayRule preflight(List<Condition> when, int status) {
        List<Condition> all = new ArrayList<>(PREFLIGHT);
        all.addAll(when);
        return new GatewayRule(PathMatch.ANY, List.of(), all, new RuleAction.Refuse(status));
    }

    /// What must hold of a preflight request that is allowed.
    private static List<Condition> permitted(Settings cors) {
        List<Condition> all = new ArrayList<>();
        all.add(fromOrigin(cors));
        String methods = String.join("|", methods(cors).stream().map(Pattern::quote).toList());
        all.add(condition("%{HTTP:Access-Control-Request-Method}", "^(?:" + methods + ")$"));
        List<String> named = new ArrayList<>(SAFE_FIELDS);
        named.addAll(cors.list("headers", String.class));
        String fields = String.join("|", named.stream().map(Pattern::quote).toList());
        all.add(
                new Condition(
                        "%{HTTP:Access-Control-Request-Headers}",
                        "^(?:[ \t]*(?:" + fields + ")?[ \t]*(?:,|$))*$", true, false, false));
        return all;
    }

    private static List<String> methods(Settings cors) {
        return cors.has("methods") ? cors.list("methods", String.class) : METHODS;
    }

    private static Condition condition(String value, String regex) {
        return Condition.of(value, regex);
    }

    private static Condition fromOrigin(Settings cors) {
        List<String> origins = cors.list("origins", String.class);
        if (origins.contains("*")) {
            return condition("%{HTTP:Origin}", "^.");
        }
        String any = String.join("|", origins.stream().map(Pattern::quote).toList());
        return condition("%{HTTP:Origin}", "^(?:" + any + ")$");
    }

    /// What is changed in responses, before what the host says itself.
    static List<FieldRule> fields(Settings host, List<Problem> problems) {
        List<FieldRule> rules = new ArrayList<>();
        host.section(HSTS).ifPresent(hsts -> rules.add(hsts(hsts, problems)));
        host.section(CORS).ifPresent(cors -> cors(cors, rules, problems));
        return rules;
    }

    private static FieldRule hsts(Settings hsts, List<Problem> problems) {
        Duration age = hsts.duration("max-age").orElse(YEAR);
        boolean subdomains = RuleReader.flag(hsts, "subdomains");
        boolean preload = RuleReader.flag(hsts, "preload");
        if (preload && (!subdomains || age.compareTo(YEAR) < 0)) {
            problems.add(
                    new Problem(
                            hsts.position("preload"),
                            "\"preload\" needs \"subdomains: true\" and a \"max-age\" of 365d"));
        }
        return set(
                List.of(new Condition("%{HTTPS}", "^on$", true, false, false)),
                "Strict-Transport-Security",
                "max-age="
                        + age.toSeconds()
                        + (subdomains ? "; includeSubDomains" : "")
                        + (preload ? "; preload" : ""));
    }

    private static void cors(Settings cors, List<FieldRule> rules, List<Problem> problems) {
        boolean any = cors.list("origins", String.class).contains("*");
        boolean credentials = RuleReader.flag(cors, "credentials");
        if (any && credentials) {
            problems.add(
                    new Problem(
                            cors.position("credentials"),
                            "\"credentials\" needs \"origins\" by name: with \"*\" every site"
                                    + " could act for the user"));
        }
        Condition from = fromOrigin(cors);
        rules.add(set(List.of(from), "Access-Control-Allow-Origin", any ? "*" : "%{HTTP:Origin}"));
        if (!any) {
            rules.add(rule(List.of(), Change.MERGE, "Vary", "Origin"));
        }
        if (credentials) {
            rules.add(set(List.of(from), "Access-Control-Allow-Credentials", "true"));
        }
        List<String> expose = cors.list("expose", String.class);
        if (!expose.isEmpty()) {
            String names = String.join(", ", expose);
            rules.add(set(List.of(from), "Access-Control-Expose-Headers", names));
        }
        List<Condition> preflight = new ArrayList<>(PREFLIGHT);
        preflight.addAll(permitted(cors));
        String methods = String.join(", ", methods(cors));
        rules.add(set(preflight, "Access-Control-Allow-Methods", methods));
        List<String> headers = cors.list("headers", String.class);
        if (!headers.isEmpty()) {
            String names = String.join(", ", headers);
            rules.add(set(preflight, "Access-Control-Allow-Headers", names));
        }
        cors.duration("max-age")
                .ifPresent(age ->
                        rules.add(
                                set(
                                        preflight,
                                        "Access-Control-Max-Age",
                                        String.valueOf(age.toSeconds()))));
    }

    private static FieldRule set(List<Condition> when, String name, String value) {
        return rule(when, Change.SET, name, value);
    }

    private static FieldRule rule(List<Condition> when, Change change, String name, String value) {
        return new FieldRule(PathMatch.ANY, when, change, name, value, "", true);
    }
}
