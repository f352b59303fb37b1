package io.margay.compat.httpd.access;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdDirective.Subject;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.AccessRules;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.login.OpenIdClientBuilder;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the directives of mod_auth_openidc that stand in a server: the provider at which `AuthType
/// openid-connect` has users log in. Confined to one reading.
public final class HttpdOpenId {
    private static final String CLAIM_DEFAULT = "sub@";
    private static final long LIFETIME_DEFAULT = 28_800;
    private static final long IDLE_DEFAULT = 300;

    /// How claims and tokens are passed to applications there.
    private static final Set<String> PASSED =
            Set.of(
                    "oidcpassclaimsas",
                    "oidcpassidtokenas",
                    "oidcpassuserinfoas",
                    "oidcpassaccesstoken",
                    "oidcpassrefreshtoken");

    /// Lists of claims.
    private static final Set<String> LISTS =
            Set.of("oidcblacklistedclaims", "oidcwhitelistedclaims");

    private final ReadingContext context;
    private final Map<String, String> said = new LinkedHashMap<>();
    private final Map<String, HttpdNode> nodes = new LinkedHashMap<>();

    public HttpdOpenId(ReadingContext context) {
        this.context = context;
    }

    /// Whether a directive is one of mod_auth_openidc's.
    public static boolean knows(String key) {
        return key.startsWith("oidc");
    }

    /// Takes one.
    public void read(HttpdNode node) {
        String key = node.key();
        HttpdDirective directive = HttpdDirective.of(key);
        String word = node.argument(0);
        String remedy = remedy(key, word, node.size());
        if (PASSED.contains(key)) {
            passed(node);
        } else if (LISTS.contains(key) && node.size() > 0) {
            said.put(key, String.join(" ", node.arguments()));
            nodes.put(key, node);
            context.honoured(node);
        } else if (directive != null && directive.subject() == Subject.OPEN_ID_KEPT) {
            context.noted(node, "has no effect: logins are kept in an encrypted cookie");
        } else if (remedy != null) {
            boolean secret = key.equals("oidcclientsecret") || key.equals("oidccryptopassphrase");
            String text = secret ? "this" : "\"" + node.text() + "\"";
            context.wrong(node, text + " is not supported" + remedy);
        } else {
            said.put(key, word);
            nodes.put(key, node);
            context.honoured(node);
        }
    }

    /// Claims are fields of requests; variables, and fields with tokens, are not made.
    private void passed(HttpdNode node) {
        String word = node.argument(0).toLowerCase(Locale.ROOT);
        boolean plain = node.size() == 1 || node.argument(1).equalsIgnoreCase("none");
        boolean ofClaims = node.key().equals("oidcpassclaimsas");
        said.put(node.key(), word);
        nodes.put(node.key(), node);
        if (plain && isFollowed(node.key(), word)) {
            context.honoured(node);
        } else if (ofClaims && plain && word.equals("both")) {
            context.noted(node, "claims are passed as fields, not as variables");
        } else {
            context.noted(
                    node,
                    "claims alone are passed, as fields, which clients cannot send; no variables,"
                            + " and no tokens");
        }
    }

    private static boolean isFollowed(String key, String word) {
        return switch (key) {
            case "oidcpassclaimsas" -> word.equals("headers") || word.equals("none");
            case "oidcpassidtokenas", "oidcpassuserinfoas" -> word.equals("claims");
            default -> word.equals("off");
        };
    }

    /// Which claims are fields of requests; null = none.
    private static OpenIdClient.@Nullable Passed fields(Map<String, String> all) {
        String as = all.getOrDefault("oidcpassclaimsas", "both");
        if (!as.equals("both") && !as.equals("headers")) {
            return null;
        }
        return new OpenIdClient.Passed(
                all.getOrDefault("oidcclaimprefix", OpenIdClient.Passed.PREFIX),
                all.getOrDefault("oidcclaimdelimiter", OpenIdClient.Passed.DELIMITER),
                words(all.getOrDefault("oidcwhitelistedclaims", "")),
                words(all.getOrDefault("oidcblacklistedclaims", "")));
    }

    /// @return what is wrong with it; null = nothing
    private static @Nullable String remedy(String key, String word, int size) {
        String lower = word.toLowerCase(Locale.ROOT);
        boolean sound =
                size == 1
                        && switch (key) {
                            case "oidcprovidermetadataurl", "oidcproviderissuer" ->
                                    isUrl(word) && !word.isEmpty();
                            case "oidcclientid", "oidccookie" -> !word.isEmpty();
                            case "oidcclientsecret", "oidccryptopassphrase" ->
                                    !word.isEmpty() && !lower.startsWith("exec:");
                            case "oidcredirecturi" -> isPath(word) || isUrl(word);
                            case "oidcdefaultloggedouturl" -> isPath(word) || isUrl(word);
                            case "oidcscope", "oidcremoteuserclaim" -> !word.isEmpty();
                            case "oidcunauthaction" -> lower.matches("auth|401");
                            case "oidcsessionmaxduration" -> word.matches("[1-9][0-9]{1,6}");
                            case "oidcsessioninactivitytimeout" -> word.matches("[1-9][0-9]{1,6}");
                            case "oidcpkcemethod" -> lower.equals("s256");
                            case "oidcresponsetype" -> lower.equals("code");
                            case "oidcresponsemode" -> lower.equals("query");
                            case "oidcsslvalidateserver" -> lower.equals("on");
                            case "oidcauthrequestparams" -> word.indexOf('#') < 0;
                            case "oidcprovidertokenendpointauth" ->
                                    lower.matches("client_secret_(basic|post)");
                            case "oidcclaimprefix" ->
                                    word.matches("[A-Za-z][A-Za-z0-9_-]{0,62}[_-]");
                            case "oidcclaimdelimiter" ->
                                    !word.isEmpty() && word.chars().allMatch(c -> c >= ' ');
                            case "oidcauthnheader" -> word.matches("[A-Za-z0-9-]+");
                            default -> false;
                        };
        if (sound) {
            return null;
        }
        return switch (key) {
            case "oidcunauthaction" -> ": auth and 401 are";
            case "oidcpkcemethod" -> ": S256 is, and is always used";
            case "oidcresponsetype" -> ": code is";
            case "oidcresponsemode" -> ": query is";
            case "oidcsslvalidateserver" -> ": write On";
            case "oidcclaimprefix" -> ": letters and digits with _ or - at the end are";
            case "oidcremoteuserclaim" -> ": the name of a claim is, without an expression";
            case "oidcclientsecret", "oidccryptopassphrase" -> ": write the text itself";
            default -> "";
        };
    }

    private static boolean isPath(String word) {
        return word.startsWith("/") && !word.startsWith("//") && word.matches("[!-~&&[^?#%;]]+");
    }

    private static boolean isUrl(String word) {
        try {
            URI uri = URI.create(word);
            return uri.getHost() != null
                    && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()));
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// What holds of a server: what it says itself, and what the main server says.
    public AccessSection within(HttpdOpenId main) {
        Map<String, String> all = new LinkedHashMap<>(main.said);
        all.putAll(said);
        if (all.isEmpty()) {
            return AccessSection.NONE;
        }
        HttpdNode node =
                nodes.isEmpty()
                        ? Objects.requireNonNull(main.nodes.values().iterator().next())
                        : nodes.values().iterator().next();
        if (!all.containsKey("oidcclientid")
                || !all.containsKey("oidcredirecturi")
                || !all.containsKey("oidcprovidermetadataurl")) {
            context.wrong(
                    node,
                    "nobody can log in without OIDCProviderMetadataURL, OIDCClientID and"
                            + " OIDCRedirectURI");
            return AccessSection.NONE;
        }
        Login login = Login.NONE.with(new Login.Users.OfProvider(client(all)));
        return AccessSection.NONE.then(
                new AccessSection(
                        AccessSection.NONE.match(),
                        AccessRules.NONE.withLogin(login),
                        List.of(),
                        List.of()));
    }

    private OpenIdClient client(Map<String, String> all) {
        String user = all.getOrDefault("oidcremoteuserclaim", CLAIM_DEFAULT);
        String field = all.get("oidcauthnheader");
        return OpenIdClientBuilder.builder()
                .issuer(all.get("oidcproviderissuer"))
                .metadata(all.get("oidcprovidermetadataurl"))
                .id(String.valueOf(all.get("oidcclientid")))
                .secret(new OpenIdClient.Secret(all.get("oidcclientsecret"), null))
                .paths(
                        new OpenIdClient.Paths(
                                String.valueOf(all.get("oidcredirecturi")),
                                null,
                                all.getOrDefault("oidcdefaultloggedouturl", "/"),
                                null))
                .scopes(words(all.getOrDefault("oidcscope", "")))
                .parameters(parameters(all.getOrDefault("oidcauthrequestparams", "")))
                .claims(
                        new OpenIdClient.Claims(
                                user,
                                List.of(),
                                true,
                                field == null ? Map.of() : Map.of(field, user),
                                List.copyOf(context.claims()),
                                fields(all)))
                .session(
                        new OpenIdClient.Session(
                                all.getOrDefault("oidccookie", "mod_auth_openidc_session"),
                                new OpenIdClient.Secret(all.get("oidccryptopassphrase"), null),
                                seconds(all, "oidcsessionmaxduration", LIFETIME_DEFAULT),
                                seconds(all, "oidcsessioninactivitytimeout", IDLE_DEFAULT)))
                .redirects(!all.getOrDefault("oidcunauthaction", "auth").equals("401"))
                .timeout(OpenIdClient.TIMEOUT_DEFAULT)
                .build();
    }

    private static List<String> words(String scopes) {
        return Arrays.stream(scopes.strip().split("\\s+"))
                .filter(one -> !one.isEmpty() && !one.equals("openid"))
                .toList();
    }

    private static Map<String, String> parameters(String text) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : List.of(text.split("&"))) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return parameters;
    }

    private static Duration seconds(Map<String, String> all, String key, long byDefault) {
        String word = all.get(key);
        return Duration.ofSeconds(word == null ? byDefault : Long.parseLong(word));
    }
}
