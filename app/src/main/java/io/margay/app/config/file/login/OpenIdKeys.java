package io.margay.app.config.file.login;

import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.named;
import static io.margay.app.config.binding.Forms.readable;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.word;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.yaml.Shape;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.login.OpenIdClient.Claims;
import io.margay.gateway.login.OpenIdClient.Passed;
import io.margay.gateway.login.OpenIdClient.Paths;
import io.margay.gateway.login.OpenIdClient.Secret;
import io.margay.gateway.login.OpenIdClient.Session;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The key `oidc` of `login`: users log in at an OpenID provider. Stateless.
final class OpenIdKeys {
    private static final String NONE = "none";
    private static final int KEY_CHARACTERS_MIN = 16;

    private static final Form<String> URL = text("a URL with https", OpenIdKeys::url, "https://a");
    private static final Form<String> PLACE =
            text("a path, or a URL", OpenIdKeys::pathOrUrl, "/place");
    private static final Form<String> CLAIM = text("the name of a claim");
    private static final Form<List<String>> CLAIMS =
            list("names", text("the name of a claim, as in realm_access.roles"), 0);

    private static final Keys<Paths> PATHS =
            Binding.of(
                            "the paths of a login",
                            new Paths("/oidc/callback", "/oidc/logout", "/", null))
                    .form("redirect-path", PLACE)
                    .keys(
                            """
                            redirect-path (redirect): To which the provider sends users back; it
                              must know the whole URL. A URL where browsers call this server
                              otherwise than it knows.
                            """)
                    .key(
                            "logout-path",
                            text("a path, or none", OpenIdKeys::path, "/out"),
                            paths -> paths.logout() == null ? NONE : paths.logout(),
                            (to, path) -> to.set("logout", path.equals(NONE) ? null : path),
                            "That logs users out, here and at the provider.")
                    .form("after-logout", PLACE)
                    .form("back-channel-logout-path", text("a path", OpenIdKeys::path, "/back"))
                    .keys(
                            """
                            after-logout: Where they come to then.
                            back-channel-logout-path (backChannel): To which the provider tells who
                              has logged out elsewhere.
                            """);

    private static final Keys<Passed> PASSED =
            Binding.of(
                            "fields with claims",
                            new Passed(Passed.PREFIX, Passed.DELIMITER, List.of(), List.of()))
                    .form("prefix", text("the beginning of a name", OpenIdKeys::prefix, "A_"))
                    .form("only", CLAIMS)
                    .form("without", CLAIMS)
                    .keys(
                            """
                            prefix: Of their names, before that of the claim. Clients cannot send
                              fields that begin so.
                            delimiter <a text>: Between the values of a claim that has several.
                            only [all]: The claims that are passed.
                            without: Claims that are not.
                            """);

    private static final Keys<Claims> CLAIM_KEYS =
            Binding.of("the claims", new Claims("sub", List.of(), false, Map.of(), List.of(), null))
                    .form("user-claim", CLAIM)
                    .form("roles-claims", CLAIMS)
                    .form("claims", CLAIMS)
                    .form(
                            "fields",
                            named(
                                    "fields",
                                    "FIELD",
                                    (Shape.Scalar) ServiceKeys.FIELD.shape(),
                                    CLAIM))
                    .form("claim-fields", section(PASSED))
                    .keys(
                            """
                            user-claim (user): That is the user's name, as preferred_username.
                            roles-claims (roles): That list the user's roles, which are groups, too.
                            claims (kept): Others, for which `require` may ask by `claim`.
                            user-info: Whether the provider is asked for claims besides those of the
                              ID token.
                            fields: Fields of the request with claims of the user, for members and
                              applications; clients cannot send them.
                            claim-fields (passed): Every claim of the user as a field of the
                              request, as mod_auth_openidc has them: OIDC_CLAIM_email. Yes and no
                              are 1 and 0, objects are JSON. They are part of the login's cookies:
                              two at most, of 3800 characters each.
                            """);

    private static final Keys<Session> SESSION =
            Binding.of(
                            "the session of a login",
                            new Session(
                                    "margay-login",
                                    Secret.NONE,
                                    Duration.ofHours(8),
                                    Duration.ofHours(1)))
                    .form("cookie", text("the name of a cookie", OpenIdKeys::token, "c"))
                    .keys(
                            """
                            cookie: By which users stay logged in: encrypted, and gone with the
                              browser. By HTTPS its name begins with __Host-.
                            """)
                    .part(
                            "key",
                            secret(
                                    "cookie-key",
                                    text(
                                            "at least 16 characters",
                                            OpenIdKeys::key,
                                            "k".repeat(KEY_CHARACTERS_MIN)),
                                    "one of the process",
                                    "By which cookies are encrypted: \"${VARIABLE}\". Servers that"
                                            + " share it share logins, which hold over restarts"
                                            + " then.",
                                    "The same in a file."))
                    .keys(
                            """
                            session (lifetime): How long a login lasts at most.
                            idle: How long one lasts that is not used, give or take a tenth; 0s =
                              for all of `session`.
                            """);

    /// A provider.
    static final Keys<OpenIdClient> CLIENT =
            Binding.of(
                            "an OpenID provider",
                            new OpenIdClient(
                                    null,
                                    null,
                                    "-",
                                    Secret.NONE,
                                    PATHS.defaults(),
                                    List.of(),
                                    Map.of(),
                                    CLAIM_KEYS.defaults(),
                                    SESSION.defaults(),
                                    true,
                                    OpenIdClient.TIMEOUT_DEFAULT))
                    .form("issuer", URL)
                    .form("metadata", URL)
                    .keys(
                            """
                            issuer [as `metadata` say]: The URL that names the provider; its
                              metadata are found below it. By http only on this machine.
                            metadata [issuer/.well-known/openid-configuration]: Where the provider's
                              metadata are.
                            client-id (id) <a text> [required]: By which the provider knows this
                              server.
                            """)
                    .part(
                            "secret",
                            secret(
                                    "client-secret",
                                    text("a text"),
                                    "none",
                                    "Shared with the provider: \"${VARIABLE}\".",
                                    "The same in a file, which is read each time."))
                    .form(
                            "parameters",
                            named("parameters", "NAME", Shape.text("a name"), text("a value")))
                    .keys(
                            """
                            scopes <scopes, each a scope>: That are asked for besides `openid`, as
                              in profile, email, offline_access.
                            parameters: Further ones of the request to log in, as in `prompt:
                              login`.
                            timeout: For each answer of the provider; without one users who log in
                              get 503, and those who are logged in stay so.
                            """)
                    .part("paths", PATHS)
                    .form(
                            "unauthenticated",
                            word(List.of(true, false), sent -> sent ? "login" : "refuse"))
                    .keys(
                            """
                            unauthenticated (redirects): `login`: who opens a page is sent to the
                              provider, anything else gets 401; `refuse`: all get 401.
                            """)
                    .part("claims", CLAIM_KEYS)
                    .part("session", SESSION)
                    .rule((oidc, reading) -> {
                        if (!oidc.has("issuer") && !oidc.has("metadata")) {
                            reading.problem(
                                    oidc, "client-id", "a provider has an issuer, or metadata");
                        }
                    });

    private OpenIdKeys() {}

    private static Keys<Secret> secret(
            String key, Form<String> form, String absent, String meaning, String ofFile) {
        return Binding.of("a secret", Secret.NONE)
                .keyAs("text", key, form.secret(), absent, meaning)
                .keyAs("file", key + "-file", readable(), "", ofFile)
                .rule((section, reading) -> {
                    if (section.has(key) && section.has(key + "-file")) {
                        reading.problem(section, key, "it is a text, or in a file");
                    }
                });
    }

    private static String prefix(String text) {
        if (!text.matches("[A-Za-z][A-Za-z0-9_-]{0,62}[_-]")) {
            throw new IllegalArgumentException("that ends with _ or -");
        }
        return text;
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
