package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.config.file.login.DirectoryKeys;
import io.margay.app.config.file.login.OpenIdKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.login.AuthService;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.Login.Method;
import io.margay.gateway.login.LoginLimits;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.login.OpenIdProvider;
import io.margay.gateway.login.UserFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The key `login`: how users show who they are. Used by one thread.
///
/// @param base folder that relative paths are resolved against
/// @param serverUsers whether the server has users
/// @param certificates whether clients can show certificates
/// @param upstreams names of those that stand in the file
/// @param resources names of the data sources that stand in the file
/// @param limits by which the passwords of a file are judged
/// @param missing what is said of files that are not there, and of users who cannot log in
record LoginKeys(
        Path base,
        boolean serverUsers,
        boolean certificates,
        Set<String> upstreams,
        Set<String> resources,
        LoginLimits limits,
        List<Problem> problems,
        List<Problem> missing) {
    /// What hosts and routes promise of it.
    static final String ALONE = " Without `require`, whoever has logged in is let in.";

    private static final String INHERIT = "inherit";

    /// What no service can say of a request: the message's own, and the connection's.
    private static final Set<String> OF_MESSAGES =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "via");

    private static final String REALM_DEFAULT = "Restricted";

    static Shape.Key shape(String further) {
        return optional(
                "login",
                new Section(
                        "how users log in",
                        List.of(
                                optional(
                                        "users",
                                        Shape.path(),
                                        "as before",
                                        "File of users and passwords, as `htpasswd` writes it:"
                                                + " bcrypt, MD5-crypt, SHA-crypt, `{SHA}`. It is"
                                                + " read again when it has changed."),
                                optional(
                                        "server-users",
                                        flag(),
                                        "false",
                                        "In place of `users`: those of `deploy.users` and"
                                                + " `deploy.realms`; their roles are groups."),
                                optional(
                                        "groups",
                                        Shape.path(),
                                        "as before",
                                        "File of groups, with lines `group: user user`."),
                                optional(
                                        "name",
                                        text("a text"),
                                        "Restricted",
                                        "What users are told that they log in to."),
                                optional(
                                        "method",
                                        choice(
                                                List.of(
                                                        "basic", "digest", "openid", "none",
                                                        INHERIT)),
                                        "as users are named",
                                        "`basic`: by name and password in a field; `digest`: by a"
                                                + " file of"
                                                + " `htdigest`, for the `name` that stands in"
                                                + " it; `openid`: as `oidc` says; `none`: not;"
                                                + " `inherit`: as earlier sections say."),
                                service(),
                                OpenIdKeys.shape(Shape.path(), field()),
                                DirectoryKeys.shape(Shape.path()),
                                database(),
                                optional(
                                        "certificate-user",
                                        text(
                                                "a variable as in SSL_CLIENT_S_DN_CN",
                                                LoginKeys::variable),
                                        "none",
                                        "The variable of mod_ssl that is the user's name where a"
                                                + " client has shown a certificate; it is not asked"
                                                + " for another name then."),
                                optional(
                                        "nonce-lifetime",
                                        duration(),
                                        Amounts.write(Login.NONCE_LIFE_DEFAULT),
                                        "With `digest`: how long what a client is given to use is"
                                                + " taken; then it is given another one."),
                                optional(
                                        "forbid",
                                        flag(),
                                        "false",
                                        "Whether a user who is not let in gets 403, and is not"
                                                + " asked again by 401.")),
                        List.of()),
                "nobody is asked",
                "How users log in where `require` wants to know them." + further);
    }

    private static Shape.Key database() {
        return optional(
                "database",
                new Section(
                        "users in a database",
                        List.of(
                                required(
                                        "resource",
                                        text("the name of a data source"),
                                        "One of `resources`."),
                                required(
                                        "password-query",
                                        text("a statement with one ?"),
                                        "Gives the password of the name that stands for `?`: in"
                                                + " clear, or `{PBKDF2}iterations$salt$hash`."),
                                optional(
                                        "role-query",
                                        text("a statement with one ?"),
                                        "users have no roles",
                                        "Gives a role of that name per row, which is a group,"
                                                + " too.")),
                        List.of()),
                "nobody is asked",
                "In place of `users`: they are in tables of a data source. Wrong passwords lock a"
                        + " name out, as `deploy.lock-out` says.");
    }

    private Login.Users.@Nullable InDatabase database(Settings login) {
        Settings database = login.section("database").orElse(null);
        if (database == null) {
            return null;
        }
        String resource = database.text("resource").orElse("");
        if (!resources.contains(resource)) {
            problem(database, "resource", "there is no data source " + resource);
        }
        return new Login.Users.InDatabase(
                resource,
                database.text("password-query").orElse(""),
                database.text("role-query").orElse(null));
    }

    private static Shape.Key service() {
        return optional(
                "auth-request",
                new Section(
                        "a service that says who may pass",
                        List.of(
                                required(
                                        "upstream",
                                        UpstreamKeys.NAME,
                                        "One of `upstreams`, by which it is reached."),
                                optional(
                                        "path",
                                        text(
                                                "a path, with a query if it needs one",
                                                LoginKeys::path),
                                        "/",
                                        "What it is asked for, by GET."),
                                optional(
                                        "fields",
                                        fields(),
                                        "none",
                                        "Fields of its answer that the request has from then on, in"
                                                + " place of the client's own."),
                                optional(
                                        "user",
                                        field(),
                                        "users have no names",
                                        "Field of its answer that is the user's name."),
                                optional(
                                        "groups",
                                        field(),
                                        "none",
                                        "Field of its answer that lists the user's groups and"
                                                + " roles, with commas."),
                                optional(
                                        "response-fields",
                                        fields(),
                                        "none",
                                        "Fields of its answer that the client gets when it is let"
                                                + " in, as in Set-Cookie."),
                                optional(
                                        "timeout",
                                        duration(),
                                        Amounts.write(AuthService.TIMEOUT_DEFAULT),
                                        "Until the answer must be whole; beyond it 504.")),
                        List.of()),
                "nobody is asked",
                "In place of `users`: a service is asked for each request. 2xx lets it in; 401, 403"
                        + " and redirections are given to the client; anything else is 502.");
    }

    private static Shape fields() {
        return new Shape.Items("names of fields", field(), 1);
    }

    private static Shape.Scalar field() {
        return text(
                "the name of a field",
                name -> {
                    String plain = name.toLowerCase(Locale.ROOT);
                    if (!plain.matches("[a-z0-9-]+") || OF_MESSAGES.contains(plain)) {
                        throw new IllegalArgumentException("");
                    }
                    return name;
                });
    }

    private static String path(String text) {
        if (!text.startsWith("/") || text.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private @Nullable AuthService service(Settings login) {
        Settings service = login.section("auth-request").orElse(null);
        if (service == null) {
            return null;
        }
        String upstream = service.text("upstream").orElse("");
        if (!upstreams.contains(upstream)) {
            problem(service, "upstream", "there is no upstream " + upstream);
        }
        return new AuthService(
                upstream,
                service.text("path").orElse("/"),
                service.list("fields", String.class),
                service.text("user").orElse(null),
                service.text("groups").orElse(null),
                service.list("response-fields", String.class),
                service.duration("timeout").orElse(AuthService.TIMEOUT_DEFAULT));
    }

    /// What a section says of it.
    Login read(Settings section) {
        Settings login = section.section("login").orElse(null);
        if (login == null) {
            return Login.NONE;
        }
        boolean ofServer = login.get("server-users", Boolean.class).orElse(false);
        Path file = file(login, "users");
        if (file != null) {
            List<String> unusable = UserFile.unusable(file, limits);
            if (!unusable.isEmpty()) {
                missing.add(
                        new Problem(
                                login.position("users"),
                                file + " has users " + UserFile.text(unusable)));
            }
        }
        if (ofServer && !serverUsers) {
            problem(login, "server-users", "the server has none: deploy.users, deploy.realms");
        }
        AuthService service = service(login);
        OpenIdClient provider =
                login.section("oidc")
                        .map(oidc -> OpenIdKeys.read(oidc, key -> file(oidc, key), problems))
                        .orElse(null);
        if (provider != null && !OpenIdProvider.isThere()) {
            problem(login, "oidc", "margay-login-oidc is not on the class path");
        }
        Directory directory =
                login.section("ldap")
                        .map(ldap -> DirectoryKeys.read(ldap, key -> file(ldap, key), problems))
                        .orElse(null);
        List<String> sources =
                Stream.of("users", "server-users", "auth-request", "oidc", "ldap", "database")
                        .filter(login::has)
                        .toList();
        if (sources.size() > 1) {
            problem(login, sources.getLast(), "users are of one of " + sources);
        }
        Duration nonceLife = login.duration("nonce-lifetime").orElse(null);
        if (nonceLife != null && nonceLife.isZero()) {
            problem(login, "nonce-lifetime", "with 0 every answer comes too late");
        }
        Login.Users users = database(login);
        if (provider != null) {
            users = new Login.Users.OfProvider(provider);
        } else if (directory != null) {
            users = new Login.Users.InDirectory(directory);
        } else if (service != null) {
            users = new Login.Users.OfService(service);
        } else if (ofServer) {
            users = new Login.Users.OfServer();
        } else if (file != null) {
            users = new Login.Users.InFile(file);
        }
        boolean whole = users != null && !login.has("method");
        Method own =
                provider != null ? Method.OPENID : service == null ? Method.BASIC : Method.SERVICE;
        return new Login(
                whole ? own : method(login),
                login.text("name").orElse(whole ? REALM_DEFAULT : null),
                users,
                file(login, "groups"),
                login.get("forbid", Boolean.class).orElse(null),
                login.text("certificate-user").orElse(null),
                nonceLife);
    }

    /// Complains of a method by which nobody could log in.
    ///
    /// @param all logins of the host: what one does not say may be said by another
    void check(Settings section, Login login, Collection<Login> all) {
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
            problem(
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
            problem(at, "method", "\"" + at.text("method").orElse("") + "\" needs a \"name\"");
        }
    }

    private static String variable(String text) {
        if (!text.matches("SSL_CLIENT_[A-Za-z0-9_]+")) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private @Nullable Path file(Settings login, String key) {
        Path file = login.text(key).map(text -> base.resolve(text).normalize()).orElse(null);
        if (file != null && !Files.isReadable(file)) {
            missing.add(new Problem(login.position(key), file + " cannot be read"));
        }
        return file;
    }

    private static @Nullable Method method(Settings login) {
        String word = login.text("method").orElse(INHERIT);
        return word.equals(INHERIT) ? null : Method.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private void problem(Settings login, String key, String message) {
        problems.add(new Problem(login.position(key), message));
    }
}
