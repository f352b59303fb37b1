package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The keys by which hosts say what browsers are told: HTTPS, and other sites that may ask.
final class EdgeKeys {
    private static final int HTTPS_DEFAULT = 443;
    private static final int PORT_MAX = 65_535;
    private static final int PERMANENT = 308;
    private static final int NO_CONTENT = 204;
    private static final int FORBIDDEN = 403;
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final Pattern ORIGIN =
            Pattern.compile("[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+])(?::[0-9]{1,5})?");
    private static final String FROM = "%{HTTP:Origin}";

    /// Those that pages may send without permission (the Fetch standard).
    private static final List<String> SAFE_FIELDS =
            List.of("Accept", "Accept-Language", "Content-Language", "Content-Type", "Range");

    /// What makes a request a preflight one.
    private static final List<Condition> PREFLIGHT =
            List.of(
                    Condition.of("%{REQUEST_METHOD}", "^OPTIONS$"),
                    Condition.of(FROM, "^."),
                    Condition.of("%{HTTP:Access-Control-Request-Method}", "^."));

    /// What a host says.
    ///
    /// @param httpsRedirect port of clients to which requests without TLS are redirected; 0 = they
    ///   are not
    /// @param httpsRedirectStatus with this status
    public record Edge(
            int httpsRedirect, int httpsRedirectStatus, @Nullable Hsts hsts, @Nullable Cors cors) {
        /// Nothing.
        static final Edge NONE = new Edge(0, PERMANENT, null, null);

        /// The rules of a host that come before its own.
        List<GatewayRule> rules() {
            List<GatewayRule> rules = new ArrayList<>();
            if (httpsRedirect > 0) {
                String authority = httpsRedirect == HTTPS_DEFAULT ? "" : ":" + httpsRedirect;
                String target = "https://%{SERVER_NAME}" + authority + "%{REQUEST_URI}";
                rules.add(
                        new GatewayRule(
                                PathMatch.ANY,
                                List.of(),
                                List.of(new Condition("%{HTTPS}", "^on$", true, true, false)),
                                new RuleAction.Redirect(
                                        httpsRedirectStatus, target, RuleAction.Query.KEEP)));
            }
            if (cors != null) {
                rules.add(preflight(cors.permitted(), NO_CONTENT));
                rules.add(preflight(List.of(), FORBIDDEN));
            }
            return rules;
        }

        private static GatewayRule preflight(List<Condition> when, int status) {
            RuleAction refuse = new RuleAction.Refuse(status);
            return GatewayRule.of(PathMatch.ANY, refuse).onlyWhen(when).onlyWhen(PREFLIGHT);
        }

        /// What is changed in responses, before what the host says itself.
        List<FieldRule> fields() {
            List<FieldRule> rules = new ArrayList<>();
            if (hsts != null) {
                Condition secure = new Condition("%{HTTPS}", "^on$", true, false, false);
                rules.add(set(List.of(secure), "Strict-Transport-Security", hsts.toString()));
            }
            if (cors != null) {
                cors.fields(rules);
            }
            return rules;
        }
    }

    /// What browsers are told of HTTPS, which is their text.
    public record Hsts(Duration maxAge, boolean subdomains, boolean preload) {
        @Override
        public String toString() {
            return "max-age="
                    + maxAge.toSeconds()
                    + (subdomains ? "; includeSubDomains" : "")
                    + (preload ? "; preload" : "");
        }
    }

    /// Which other sites may ask.
    ///
    /// @param maxAge null = as browsers like
    public record Cors(
            List<String> origins,
            List<String> methods,
            List<String> headers,
            List<String> expose,
            boolean credentials,
            @Nullable Duration maxAge) {
        private boolean any() {
            return origins.contains("*");
        }

        private Condition from() {
            return Condition.of(FROM, any() ? "^." : "^" + oneOf(origins) + "$");
        }

        private static String oneOf(List<String> texts) {
            return "(?:" + String.join("|", texts.stream().map(Pattern::quote).toList()) + ")";
        }

        /// What must hold of a preflight request that is allowed.
        private List<Condition> permitted() {
            List<String> named = new ArrayList<>(SAFE_FIELDS);
            named.addAll(headers);
            String fields = "^(?:[ \t]*" + oneOf(named) + "?[ \t]*(?:,|$))*$";
            return List.of(
                    from(),
                    Condition.of(
                            "%{HTTP:Access-Control-Request-Method}", "^" + oneOf(methods) + "$"),
                    new Condition(
                            "%{HTTP:Access-Control-Request-Headers}", fields, true, false, false));
        }

        private void fields(List<FieldRule> rules) {
            List<Condition> when = List.of(from());
            rules.add(set(when, "Access-Control-Allow-Origin", any() ? "*" : FROM));
            if (!any()) {
                rules.add(rule(List.of(), Change.MERGE, "Vary", "Origin"));
            }
            if (credentials) {
                rules.add(set(when, "Access-Control-Allow-Credentials", "true"));
            }
            if (!expose.isEmpty()) {
                rules.add(set(when, "Access-Control-Expose-Headers", String.join(", ", expose)));
            }
            List<Condition> preflight = new ArrayList<>(PREFLIGHT);
            preflight.addAll(permitted());
            rules.add(set(preflight, "Access-Control-Allow-Methods", String.join(", ", methods)));
            if (!headers.isEmpty()) {
                String names = String.join(", ", headers);
                rules.add(set(preflight, "Access-Control-Allow-Headers", names));
            }
            if (maxAge != null) {
                String seconds = String.valueOf(maxAge.toSeconds());
                rules.add(set(preflight, "Access-Control-Max-Age", seconds));
            }
        }
    }

    private static final Keys<Hsts> HSTS =
            Binding.of("HTTPS rules for browsers", new Hsts(YEAR, false, false))
                    .keys(
                            """
                            max-age [=365d]: How long browsers remember it.
                            subdomains: Includes all subdomains.
                            preload: Asks for inclusion in browsers' preload lists; needs
                              `subdomains` and a year.
                            """)
                    .wrong(
                            "preload",
                            hsts ->
                                    isOn(hsts, "preload")
                                            && (!isOn(hsts, "subdomains")
                                                    || hsts.duration("max-age")
                                                            .filter(age -> age.compareTo(YEAR) < 0)
                                                            .isPresent()),
                            "\"preload\" needs \"subdomains: true\" and a \"max-age\" of 365d");

    private static final Form<String> METHOD =
            matching("a method", LimitKey.TOKEN.asMatchPredicate());
    private static final Form<String> FIELD =
            matching("a field", LimitKey.TOKEN.asMatchPredicate());

    private static final Keys<Cors> CORS =
            Binding.of(
                            "other sites",
                            new Cors(
                                    List.of("https://a"),
                                    List.of("GET", "HEAD", "POST"),
                                    List.of(),
                                    List.of(),
                                    false,
                                    null))
                    .form(
                            "origins",
                            listOrOne(
                                    "origins",
                                    matching(
                                            "an origin, as in https://shop.example, or *",
                                            text ->
                                                    text.equals("*")
                                                            || ORIGIN.matcher(text).matches()),
                                    1))
                    .form("methods", list("methods", METHOD, 1))
                    .form("headers", list("fields", FIELD, 0))
                    .form("expose", list("fields", FIELD, 0))
                    .keys(
                            """
                            origins [required]: Origins of pages that may ask; `*` = any, without
                              `credentials`.
                            methods: Methods that they may use.
                            headers [those that need no permission]: Fields that they may send.
                            expose [those that need no permission]: Fields of responses that they
                              may read.
                            credentials: Allows cookies and passwords of the user.
                            max-age [as browsers like]: How long browsers cache a preflight
                              response.
                            """)
                    .wrong(
                            "credentials",
                            cors ->
                                    cors.list("origins", String.class).contains("*")
                                            && isOn(cors, "credentials"),
                            "\"credentials\" needs \"origins\" by name: with \"*\" every site could"
                                    + " act for the user");

    static final Keys<Edge> EDGE =
            Binding.of("what browsers are told", Edge.NONE)
                    .form(
                            "https-redirect",
                            scalar(
                                    Shape.text(
                                            "true, false, or a port",
                                            EdgeKeys::httpsPort,
                                            List.of("boolean", "integer", "string")),
                                    String::valueOf))
                    .form(
                            "https-redirect-status",
                            whole(301, PERMANENT).as(EdgeKeys::kept, one -> one))
                    .form("hsts", section(HSTS))
                    .form("cors", section(CORS))
                    .keys(
                            """
                            https-redirect [=false]: Redirects plain HTTP to HTTPS first of all; a
                              number is the HTTPS port that clients use.
                            https-redirect-status: Status of that redirect. Clients repeat a POST
                              after 307 and 308; some old ones know neither.
                            hsts: Sends `Strict-Transport-Security`: browsers use HTTPS only.
                            cors: CORS: other sites whose pages may send requests and read
                              responses.
                            """);

    private EdgeKeys() {}

    private static boolean isOn(Settings section, String key) {
        return section.get(key, Boolean.class).orElse(false);
    }

    /// A status that leads to the same resource.
    private static int kept(int status) {
        if (!List.of(301, 302, 307, PERMANENT).contains(status)) {
            throw new IllegalArgumentException(
                    "\"https-redirect-status\" must be 301, 302, 307 or 308");
        }
        return status;
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

    private static FieldRule set(List<Condition> when, String name, String value) {
        return rule(when, Change.SET, name, value);
    }

    private static FieldRule rule(List<Condition> when, Change change, String name, String value) {
        return new FieldRule(PathMatch.ANY, when, change, name, value, "", true);
    }
}
