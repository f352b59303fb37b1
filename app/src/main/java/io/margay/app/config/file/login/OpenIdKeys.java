package io.margay.app.config.file.login;

import static io.margay.app.config.binding.Forms.*;

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
import io.margay.gateway.login.OpenIdClientBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The key `oidc` of `login`: users log in at an OpenID provider. Stateless.
final class OpenIdKeys {
    private static final String NONE = "none";
    private static final int KEY_CHARACTERS_MIN = 16;

    private static final Form<String> URL = text("a URL with https", OpenIdKeys::url);
    private static final Form<String> PLACE = text("a path, or a URL", OpenIdKeys::pathOrUrl);
    private static final Form<String> CLAIM = text("the name of a claim");
    private static final Form<List<String>> CLAIMS =
            list("names", text("the name of a claim, as in realm_access.roles"), 0);

    private static final Keys<Paths> PATHS =
            Binding.of(
                            "the paths of a login",
                            new Paths("/oidc/callback", "/oidc/logout", "/", null))
                    .form("redirect-path", PLACE)
                    .form(
                            "logout-path",
                            text("a path, or none", OpenIdKeys::path),
                            paths -> paths.logout() == null ? NONE : paths.logout(),
                            (to, path) -> to.set("logout", path.equals(NONE) ? null : path))
                    .form("after-logout", PLACE)
                    .form("back-channel-logout-path", text("a path", OpenIdKeys::path))
                    .keys(
                            """
                            redirect-path (redirect): Redirect URI of the provider, which must know
                              the whole URL. Give a URL if browsers use another host name than this
                              server.
                            logout-path: Path that logs users out, here and at the provider.
                            after-logout: Where users land after logging out.
                            back-channel-logout-path (backChannel): Path for back-channel logout by
                              the provider.
                            """);

    private static final Keys<Passed> PASSED =
            Binding.of(
                            "fields with claims",
                            new Passed(Passed.PREFIX, Passed.DELIMITER, List.of(), List.of()))
                    .form(
                            "prefix",
                            matching(
                                    "the beginning of a name",
                                    text -> text.matches("[A-Za-z][A-Za-z0-9_-]{0,62}[_-]"),
                                    "that ends with _ or -"))
                    .form("only", CLAIMS)
                    .form("without", CLAIMS)
                    .keys(
                            """
                            prefix: Prefix of the header names. Clients cannot send headers that
                              begin so.
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
                            user-claim (user): Claim with the user's name, such as
                              preferred_username.
                            roles-claims (roles): Claims that list the user's roles (and groups).
                            claims (kept): Further claims to keep, for `require` by `claim`.
                            user-info: Also fetches claims from the provider's user-info endpoint.
                            fields: Request headers that carry claims to members and applications;
                              clients cannot send them.
                            claim-fields (passed): Passes every claim in a request header, as
                              mod_auth_openidc does: `OIDC_CLAIM_email`. Claims are kept in the
                              login's cookies: at most two, of 3800 characters each.
                            """);

    private static final Keys<Session> SESSION =
            Binding.of(
                            "the session of a login",
                            new Session(
                                    "margay-login",
                                    Secret.NONE,
                                    Duration.ofHours(8),
                                    Duration.ofHours(1)))
                    .form(
                            "cookie",
                            matching(
                                    "the name of a cookie",
                                    text -> text.matches("[A-Za-z0-9._-]{1,64}"),
                                    "letters, digits, . _ -"))
                    .keys(
                            """
                            cookie: The encrypted session cookie of the login. Over HTTPS its name
                              gets the prefix `__Host-`.
                            """)
                    .part(
                            "key",
                            secret(
                                    "cookie-key",
                                    matching(
                                            "at least 16 characters",
                                            text -> text.length() >= KEY_CHARACTERS_MIN,
                                            "a short one can be guessed"),
                                    "one of the process",
                                    "Secret that encrypts the cookies. Servers with the same key"
                                            + " share logins, also across restarts.",
                                    "The same in a file."))
                    .keys(
                            """
                            session (lifetime): How long a login lasts at most.
                            idle: Maximum idle time of a login, ± 10 %; 0s = as long as `session`.
                            """);

    static final Keys<OpenIdClient> CLIENT =
            Binding.of(
                            "an OpenID provider",
                            OpenIdClientBuilder.builder()
                                    .id("-")
                                    .secret(Secret.NONE)
                                    .paths(PATHS.defaults())
                                    .scopes(List.of())
                                    .parameters(Map.of())
                                    .claims(CLAIM_KEYS.defaults())
                                    .session(SESSION.defaults())
                                    .redirects(true)
                                    .timeout(OpenIdClient.TIMEOUT_DEFAULT)
                                    .build())
                    .form("issuer", URL)
                    .form("metadata", URL)
                    .keys(
                            """
                            issuer [as `metadata` say]: The provider's issuer URL, below which its
                              metadata are found. http only on loopback.
                            metadata [issuer/.well-known/openid-configuration]: Where the provider's
                              metadata are.
                            client-id (id) <a text> [required]: Client identifier of this server at
                              the provider.
                            """)
                    .part(
                            "secret",
                            secret(
                                    "client-secret",
                                    text("a text"),
                                    "none",
                                    "Shared with the provider: \"${VARIABLE}\".",
                                    "The same in a file, which is read each time."))
                    .form("parameters", named("parameters", text("a value")))
                    .keys(
                            """
                            scopes <scopes, each a scope>: Scopes requested besides `openid`, such
                              as profile, email, offline_access.
                            parameters: Further parameters of the login request, such as `prompt:
                              login`.
                            timeout: Timeout of each answer of the provider; beyond it logins get
                              503, existing ones stay valid.
                            """)
                    .part("paths", PATHS)
                    .form(
                            "unauthenticated",
                            word(List.of(true, false), sent -> sent ? "login" : "refuse"))
                    .keys(
                            """
                            unauthenticated (redirects): `login` redirects page loads to the
                              provider and answers others with 401; `refuse` answers all with 401.
                            """)
                    .part("claims", CLAIM_KEYS)
                    .part("session", SESSION)
                    .wrong(
                            "client-id",
                            oidc -> !oidc.has("issuer") && !oidc.has("metadata"),
                            "a provider has an issuer, or metadata");

    private OpenIdKeys() {}

    private static Keys<Secret> secret(
            String key, Form<String> form, String absent, String meaning, String ofFile) {
        return Binding.of("a secret", Secret.NONE)
                .form(key, form.secret())
                .form(key + "-file", readable())
                .keys(
                        """
                        %1$s (text) [%2$s]: %3$s
                        %1$s-file (file): %4$s
                        """
                                .formatted(key, absent, meaning, ofFile))
                .wrong(
                        key,
                        section -> section.has(key) && section.has(key + "-file"),
                        "it is a text, or in a file");
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
}
