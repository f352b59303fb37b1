package io.margay.app.config.file.login;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Named;
import io.margay.app.yaml.Shape.Scalar;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.login.OpenIdClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The key `oidc` of `login`: users log in at an OpenID provider. Stateless.
public final class OpenIdKeys {
    private static final String REDIRECT_DEFAULT = "/oidc/callback";
    private static final String LOGOUT_DEFAULT = "/oidc/logout";
    private static final String COOKIE_DEFAULT = "margay-login";
    private static final Duration SESSION_DEFAULT = Duration.ofHours(8);
    private static final Duration IDLE_DEFAULT = Duration.ofHours(1);
    private static final int KEY_CHARACTERS_MIN = 16;

    private OpenIdKeys() {}

    /// @param path of a file
    /// @param field the name of a field that somebody else may say
    public static Shape.Key shape(Shape path, Scalar field) {
        List<Shape.Key> keys = new ArrayList<>();
        provider(keys, path);
        ownPaths(keys);
        claims(keys, field);
        session(keys, path);
        return optional(
                "oidc",
                new Section("an OpenID provider", keys, List.of()),
                "nobody is asked",
                "In place of `users`: they log in at a provider, by OpenID Connect (authorization"
                        + " code, PKCE). Its paths are answered whatever `require` says.");
    }

    private static void provider(List<Shape.Key> keys, Shape path) {
        keys.add(
                optional(
                        "issuer",
                        text("a URL with https", OpenIdKeys::url),
                        "as `metadata` say",
                        "The URL that names the provider; its metadata are found below it. By"
                                + " http only on this machine."));
        keys.add(
                optional(
                        "metadata",
                        text("a URL with https", OpenIdKeys::url),
                        "issuer/.well-known/openid-configuration",
                        "Where the provider's metadata are."));
        keys.add(required("client-id", text("a text"), "By which the provider knows this server."));
        keys.add(
                optional(
                        "client-secret",
                        text("a text").asSecret(),
                        "none",
                        "Shared with the provider: \"${VARIABLE}\"."));
        keys.add(
                optional(
                        "client-secret-file",
                        path,
                        "none",
                        "The same in a file, which is read each time."));
        keys.add(
                optional(
                        "scopes",
                        new Items("scopes", text("a scope"), 0),
                        "none",
                        "That are asked for besides `openid`, as in profile, email,"
                                + " offline_access."));
        keys.add(
                optional(
                        "parameters",
                        new Named("parameters", "NAME", text("a name"), text("a value")),
                        "none",
                        "Further ones of the request to log in, as in `prompt: login`."));
        keys.add(
                optional(
                        "timeout",
                        duration(),
                        Amounts.write(OpenIdClient.TIMEOUT_DEFAULT),
                        "For each answer of the provider; without one users who log in get 503,"
                                + " and those who are logged in stay so."));
    }

    private static void ownPaths(List<Shape.Key> keys) {
        keys.add(
                optional(
                        "redirect-path",
                        text("a path, or a URL", OpenIdKeys::pathOrUrl),
                        REDIRECT_DEFAULT,
                        "To which the provider sends users back; it must know the whole URL. A URL"
                                + " where browsers call this server otherwise than it knows."));
        keys.add(
                optional(
                        "logout-path",
                        text("a path, or none", OpenIdKeys::path),
                        LOGOUT_DEFAULT,
                        "That logs users out, here and at the provider."));
        keys.add(
                optional(
                        "after-logout",
                        text("a path, or a URL", OpenIdKeys::pathOrUrl),
                        "/",
                        "Where they come to then."));
        keys.add(
                optional(
                        "back-channel-logout-path",
                        text("a path", OpenIdKeys::path),
                        "none",
                        "To which the provider tells who has logged out elsewhere."));
        keys.add(
                optional(
                        "unauthenticated",
                        choice(List.of("login", "refuse")),
                        "login",
                        "`login`: who opens a page is sent to the provider, anything else gets"
                                + " 401; `refuse`: all get 401."));
    }

    private static void claims(List<Shape.Key> keys, Scalar field) {
        Items names = new Items("names", text("the name of a claim, as in realm_access.roles"), 0);
        keys.add(
                optional(
                        "user-claim",
                        text("the name of a claim"),
                        "sub",
                        "That is the user's name, as preferred_username."));
        keys.add(
                optional(
                        "roles-claims",
                        names,
                        "none",
                        "That list the user's roles, which are groups, too."));
        keys.add(
                optional(
                        "claims",
                        names,
                        "none",
                        "Others, for which `require` may ask by `claim`."));
        keys.add(
                optional(
                        "user-info",
                        flag(),
                        "false",
                        "Whether the provider is asked for claims besides those of the ID token."));
        keys.add(
                optional(
                        "fields",
                        new Named("fields", "FIELD", field, text("the name of a claim")),
                        "none",
                        "Fields of the request with claims of the user, for members and"
                                + " applications; clients cannot send them."));
        keys.add(passed(names));
    }

    private static Shape.Key passed(Items names) {
        return optional(
                "claim-fields",
                new Section(
                        "fields with claims",
                        List.of(
                                optional(
                                        "prefix",
                                        text("the beginning of a name", OpenIdKeys::prefix),
                                        OpenIdClient.Passed.PREFIX,
                                        "Of their names, before that of the claim. Clients cannot"
                                                + " send fields that begin so."),
                                optional(
                                        "delimiter",
                                        text("a text"),
                                        OpenIdClient.Passed.DELIMITER,
                                        "Between the values of a claim that has several."),
                                optional("only", names, "all", "The claims that are passed."),
                                optional("without", names, "none", "Claims that are not.")),
                        List.of()),
                "none",
                "Every claim of the user as a field of the request, as mod_auth_openidc has them:"
                        + " OIDC_CLAIM_email. Yes and no are 1 and 0, objects are JSON. They are"
                        + " part of the login's cookies: two at most, of 3800 characters each.");
    }

    private static String prefix(String text) {
        if (!text.matches("[A-Za-z][A-Za-z0-9_-]{0,62}[_-]")) {
            throw new IllegalArgumentException("that ends with _ or -");
        }
        return text;
    }

    private static void session(List<Shape.Key> keys, Shape path) {
        keys.add(
                optional(
                        "cookie",
                        text("the name of a cookie", OpenIdKeys::token),
                        COOKIE_DEFAULT,
                        "By which users stay logged in: encrypted, and gone with the browser. By"
                                + " HTTPS its name begins with __Host-."));
        keys.add(
                optional(
                        "cookie-key",
                        text("at least 16 characters", OpenIdKeys::key).asSecret(),
                        "one of the process",
                        "By which cookies are encrypted: \"${VARIABLE}\". Servers that share it"
                                + " share logins, which hold over restarts then."));
        keys.add(optional("cookie-key-file", path, "none", "The same in a file."));
        keys.add(
                optional(
                        "session",
                        duration(),
                        Amounts.write(SESSION_DEFAULT),
                        "How long a login lasts at most."));
        keys.add(
                optional(
                        "idle",
                        duration(),
                        Amounts.write(IDLE_DEFAULT),
                        "How long one lasts that is not used, give or take a tenth; 0s = for all of"
                                + " `session`."));
    }

    /// Reads it.
    ///
    /// @param file makes the path of a key
    public static OpenIdClient read(
            Settings oidc, Function<String, @Nullable Path> file, List<Problem> problems) {
        String issuer = oidc.text("issuer").orElse(null);
        String metadata = oidc.text("metadata").orElse(null);
        if (issuer == null && metadata == null) {
            problems.add(
                    new Problem(
                            oidc.position("client-id"), "a provider has an issuer, or metadata"));
        }
        String logout = oidc.text("logout-path").orElse(LOGOUT_DEFAULT);
        return new OpenIdClient(
                issuer,
                metadata,
                oidc.text("client-id").orElse(""),
                secret(oidc, "client-secret", file, problems),
                new OpenIdClient.Paths(
                        oidc.text("redirect-path").orElse(REDIRECT_DEFAULT),
                        logout.equals("none") ? null : logout,
                        oidc.text("after-logout").orElse("/"),
                        oidc.text("back-channel-logout-path").orElse(null)),
                oidc.list("scopes", String.class),
                oidc.texts("parameters"),
                claims(oidc),
                new OpenIdClient.Session(
                        oidc.text("cookie").orElse(COOKIE_DEFAULT),
                        secret(oidc, "cookie-key", file, problems),
                        oidc.duration("session").orElse(SESSION_DEFAULT),
                        oidc.duration("idle").orElse(IDLE_DEFAULT)),
                oidc.text("unauthenticated").orElse("login").equals("login"),
                oidc.duration("timeout").orElse(OpenIdClient.TIMEOUT_DEFAULT));
    }

    private static OpenIdClient.Claims claims(Settings oidc) {
        Map<String, String> fields = oidc.texts("fields");
        return new OpenIdClient.Claims(
                oidc.text("user-claim").orElse("sub"),
                oidc.list("roles-claims", String.class),
                oidc.get("user-info", Boolean.class).orElse(false),
                fields,
                oidc.list("claims", String.class),
                oidc.section("claim-fields")
                        .map(one ->
                                new OpenIdClient.Passed(
                                        one.text("prefix").orElse(OpenIdClient.Passed.PREFIX),
                                        one.text("delimiter").orElse(OpenIdClient.Passed.DELIMITER),
                                        one.list("only", String.class),
                                        one.list("without", String.class)))
                        .orElse(null));
    }

    private static OpenIdClient.Secret secret(
            Settings oidc,
            String key,
            Function<String, @Nullable Path> file,
            List<Problem> problems) {
        if (oidc.has(key) && oidc.has(key + "-file")) {
            problems.add(new Problem(oidc.position(key), "it is a text, or in a file"));
        }
        return new OpenIdClient.Secret(oidc.text(key).orElse(null), file.apply(key + "-file"));
    }

    private static String url(String text) {
        URI uri = URI.create(text);
        String host = uri.getHost();
        boolean here = host != null && host.matches("localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\]");
        if (host == null
                || !("https".equals(uri.getScheme()) || (here && "http".equals(uri.getScheme())))) {
            throw new IllegalArgumentException("by http only on this machine");
        }
        return text;
    }

    private static String pathOrUrl(String text) {
        if (text.startsWith("/")) {
            return path(text);
        }
        URI uri = URI.create(text);
        if (uri.getHost() == null
                || uri.getPath().isEmpty()
                || !("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static String path(String text) {
        boolean sound =
                text.startsWith("/")
                        && !text.startsWith("//")
                        && text.chars()
                                .noneMatch(c -> c <= ' ' || c >= 0x7f || "?#%;".indexOf(c) >= 0);
        if (!sound && !text.equals("none")) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static String token(String text) {
        if (!text.matches("[A-Za-z0-9._-]{1,64}")) {
            throw new IllegalArgumentException("letters, digits, . _ -");
        }
        return text;
    }

    private static String key(String text) {
        if (text.length() < KEY_CHARACTERS_MIN) {
            throw new IllegalArgumentException("a short one can be guessed");
        }
        return text;
    }
}
