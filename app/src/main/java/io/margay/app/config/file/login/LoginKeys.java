package io.margay.app.config.file.login;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.login.AuthService;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.Login.Method;
import io.margay.gateway.login.Login.Users;
import io.margay.gateway.login.LoginLimits;
import io.margay.gateway.login.OpenIdProvider;
import io.margay.gateway.login.UserFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The key `login`: how users show who they are. Used by one thread.
///
/// @param reading the file; files that are not there, and users who cannot log in, are missing
/// @param serverUsers whether the server has users
/// @param certificates whether clients can show certificates
/// @param resources names of the data sources that stand in the file
/// @param limits by which the passwords of a file are judged
public record LoginKeys(
        Reading reading,
        boolean serverUsers,
        boolean certificates,
        Set<String> resources,
        LoginLimits limits) {
    /// What hosts and routes promise of it.
    public static final String ALONE = " Without `require` every authenticated user is allowed.";

    private static final String NAME_DEFAULT = "Restricted";

    private static final Form<String> STATEMENT = text("a statement with one ?");

    private static final Keys<Users.InDatabase> DATABASE =
            Binding.of("users in a database", new Users.InDatabase("-", "-", null))
                    .form("password-query", STATEMENT)
                    .form("role-query", STATEMENT)
                    .keys(
                            """
                            resource <the name of a data source> [required]: One of `resources`.
                            password-query [required]: Returns the password of the user `?`: plain
                              text, or `{PBKDF2}iterations$salt$hash`.
                            role-query [users have no roles]: Returns a role of the user per row;
                              roles are groups, too.
                            """);

    public static final Keys<Login> LOGIN =
            Binding.of("how users log in", Login.NONE)
                    .form("users", readable())
                    .form(
                            "server-users",
                            flag().maybe(
                                            on ->
                                                    on
                                                            ? Optional.of(new Users.OfServer())
                                                            : Optional.empty(),
                                            _ -> true))
                    .form("groups", readable())
                    .form(
                            "method",
                            word(Said.values()),
                            LoginKeys::said,
                            (to, said) ->
                                    to.set(
                                            "method",
                                            said == Said.INHERIT
                                                    ? null
                                                    : Method.valueOf(said.name())))
                    .form("auth-request", () -> section(ServiceKeys.SERVICE))
                    .form("oidc", () -> section(OpenIdKeys.CLIENT))
                    .form("ldap", () -> section(DirectoryKeys.DIRECTORY))
                    .form("database", section(DATABASE))
                    .form(
                            "certificate-user",
                            matching(
                                    "a variable as in SSL_CLIENT_S_DN_CN",
                                    text -> text.matches("SSL_CLIENT_[A-Za-z0-9_]+")))
                    .keys(
                            """
                            users (users InFile) [as before]: File of users and passwords, as
                              `htpasswd` writes it: bcrypt, MD5-crypt, SHA-crypt, `{SHA}`.
                              Changes are picked up.
                            server-users (users OfServer) [false]: In place of `users`: those of
                              `deploy.users` and `deploy.realms`; their roles are groups.
                            groups [as before]: File of groups, with lines `group: user user`.
                            name (realm) <a text> [Restricted]: Realm shown to users.
                            method [as users are named]: `basic`: name and password with each
                              request;
                              `digest`: a file of `htdigest` for this `name`;
                              `openid`: see `oidc`; `none`: no login; `inherit`: as in earlier
                              sections.
                            auth-request (users OfService) [no login]: In place of `users`: a
                              service decides on each request. 2xx lets it pass; 401, 403 and
                              redirects go to the client; anything else is 502.
                            oidc (users OfProvider) [no login]: In place of `users`: they log
                              in at a provider, by OpenID Connect (authorization code, PKCE). Its
                              paths are answered whatever `require` says.
                            ldap (users InDirectory) [no login]: In place of `users`: they
                              are in a directory (LDAP), which logs them in.
                            database (users InDatabase) [no login]: In place of `users`: they
                              are in tables of a data source. Wrong passwords lock a name out, as
                              `deploy.lock-out` says.
                            certificate-user: mod_ssl variable with the user's name for clients with
                              a certificate, which need no other login.
                            nonce-lifetime (nonceLife) [%s]: With `digest`: lifetime of a nonce.
                            forbid (forbids) [false]: Answers authenticated users without permission
                              with 403, not 401.
                            """
                                    .formatted(Amounts.write(Login.NONCE_LIFE_DEFAULT)))
                    .rule(LoginKeys::oneSource)
                    .wrong(
                            "nonce-lifetime",
                            login ->
                                    login.duration("nonce-lifetime")
                                            .filter(Duration::isZero)
                                            .isPresent(),
                            "with 0 every answer comes too late");

    /// The words for methods.
    private enum Said {
        BASIC,
        DIGEST,
        OPENID,
        NONE,
        INHERIT
    }

    /// As it stands in the file; `inherit` where users are named and the method is not.
    private static @Nullable Said said(Login login) {
        return switch (login.method()) {
            case BASIC -> Said.BASIC;
            case DIGEST -> Said.DIGEST;
            case OPENID -> Said.OPENID;
            case NONE -> Said.NONE;
            case SERVICE -> null;
            case null -> login.users() == null ? null : Said.INHERIT;
        };
    }

    private static void oneSource(Settings login, Reading reading) {
        List<String> sources =
                Stream.of("users", "server-users", "auth-request", "oidc", "ldap", "database")
                        .filter(login::has)
                        .toList();
        if (sources.size() > 1) {
            reading.problem(login, sources.getLast(), "users are of one of " + sources);
        }
    }

    /// What a section says of it, with what follows from who the users are.
    ///
    /// @param section in which it stands
    public Login complete(Settings section, Login read) {
        Settings login = section.section("login").orElse(null);
        if (login == null) {
            return Login.NONE;
        }
        check(login, read.users());
        if (read.users() == null || login.has("method")) {
            return read;
        }
        Login named = login.has("name") ? read : read.withRealm(NAME_DEFAULT);
        return named.with(
                switch (read.users()) {
                    case Users.OfProvider _ -> Method.OPENID;
                    case Users.OfService _ -> Method.SERVICE;
                    default -> Method.BASIC;
                });
    }

    /// Complains of users who cannot be known here.
    private void check(Settings login, @Nullable Users users) {
        switch (users) {
            case Users.InFile(Path file) -> {
                List<String> unusable = UserFile.unusable(file, limits);
                if (!unusable.isEmpty()) {
                    String text = file + " has users " + UserFile.text(unusable);
                    reading.missing().add(new Problem(login.position("users"), text));
                }
            }
            case Users.OfServer _ when !serverUsers ->
                    reading.problem(
                            login,
                            "server-users",
                            "the server has none: deploy.users, deploy.realms");
            case Users.OfProvider _ when !OpenIdProvider.isThere() ->
                    reading.problem(login, "oidc", "margay-login-oidc is not on the class path");
            case Users.OfService(AuthService service)
                    when !reading.upstreams().contains(service.upstream()) ->
                    reading.problem(
                            login.section("auth-request").orElse(login),
                            "upstream",
                            "there is no upstream " + service.upstream());
            case Users.InDatabase database when !resources.contains(database.resource()) ->
                    reading.problem(
                            login.section("database").orElse(login),
                            "resource",
                            "there is no data source " + database.resource());
            case null, default -> {}
        }
    }

    /// Complains of a method by which nobody could log in.
    ///
    /// @param all logins of the host: what one does not say may be said by another
    public void check(Settings section, Login login, Collection<Login> all) {
        Method method = login.method();
        if (method != Method.BASIC && method != Method.DIGEST && method != Method.OPENID) {
            return;
        }
        Settings at = section.section("login").orElseThrow();
        boolean named = false;
        boolean possible = false;
        for (Login one : login.users() == null ? all : List.of(login)) {
            Login.Users users = one.users();
            named |= users != null;
            possible |= users != null && users.logInBy(method);
        }
        if (named && !possible) {
            reading.problem(
                    at,
                    "method",
                    switch (method) {
                        case DIGEST ->
                                "\"digest\" needs a file of htdigest: name it by \"users\", or"
                                        + " write basic, for use over HTTPS";
                        case OPENID -> "\"openid\" needs a provider: describe it by \"oidc\"";
                        default -> "these users do not log in by it: leave \"method\" out";
                    });
        }
        if (method != Method.OPENID && all.stream().allMatch(one -> one.realm() == null)) {
            reading.problem(
                    at, "method", "\"" + at.text("method").orElse("") + "\" needs a \"name\"");
        }
    }
}
