package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.config.RealmSettings;
import io.margay.app.config.file.login.DirectoryAccessKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.compat.tomcat.application.SignOnValve;
import io.margay.server.directory.DirectoryAccess;
import io.margay.servlet.realm.CredentialHandler;
import io.margay.servlet.realm.DirectorySettings;
import io.margay.servlet.security.SingleSignOn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The list `realms`: databases and directories with users; and `sign-on`. Stateless.
final class RealmKeys {
    private static final DirectoryAccessKeys ACCESS = new DirectoryAccessKeys("ldap", "bind-name");

    private static final List<String> OF_DATABASE = List.of("password-query", "role-query");

    static final String SIGN_ON_MEANS =
            "Single sign-on: who has logged in to one application of a host is known to its others."
                    + " An application with a realm of its own takes part only with"
                    + " `reauthenticate`.";

    /// How users are known to all applications of a host.
    static final Shape.Section SIGN_ON =
            new Shape.Section(
                    "the sign-on",
                    List.of(
                            optional(
                                    "cookie",
                                    text("a name"),
                                    SignOnValve.COOKIE,
                                    "Name of the cookie by which a browser is known."),
                            optional(
                                    "domain",
                                    text("a domain"),
                                    "the host alone",
                                    "To whose hosts browsers send it."),
                            optional(
                                    "reauthenticate",
                                    flag(),
                                    "false",
                                    "Whether each application asks its own realm again about"
                                            + " name and password, which are kept in memory for"
                                            + " that.")),
                    List.of());

    private RealmKeys() {}

    /// The settings of `sign-on`.
    static SingleSignOn.Settings signOn(Settings section, List<Problem> problems) {
        String cookie = section.text("cookie").orElse(SignOnValve.COOKIE);
        if (!SignOnValve.isCookieName(cookie)) {
            problem(section, "cookie", "\"" + cookie + "\" cannot name a cookie", problems);
        }
        String domain = section.text("domain").orElse(null);
        if (domain != null && !domain.matches("[A-Za-z0-9.-]+")) {
            problem(section, "domain", "\"" + domain + "\" is not a domain", problems);
        }
        return new SingleSignOn.Settings(
                cookie, domain, section.get("reauthenticate", Boolean.class).orElse(false));
    }

    static Shape shape() {
        List<Shape.Key> keys = new ArrayList<>(database());
        keys.addAll(directory());
        keys.addAll(ACCESS.shape(Shape.path()));
        keys.addAll(roles());
        return new Shape.Items(
                "realms", new Shape.Section("a realm", keys, List.of("database", "ldap")), 0);
    }

    private static List<Shape.Key> database() {
        return List.of(
                optional("database", text("the name of a data source"), "", "One of `resources`."),
                optional(
                        "password-query",
                        text("a statement with one ?"),
                        "needed with `database`",
                        "Gives the password of the name that stands for `?`: in clear, or"
                                + " `{PBKDF2}iterations$salt$hash`."),
                optional(
                        "role-query",
                        text("a statement with one ?"),
                        "users have no roles",
                        "Gives a role of that name per row."));
    }

    private static List<Shape.Key> directory() {
        return List.of(
                optional(
                        "ldap",
                        new Shape.Items("URLs", text("a URL, as in ldaps://ldap.example"), 1, true),
                        "",
                        "A directory; several URLs are of the same one, tried in order."),
                optional(
                        "user-pattern",
                        text("a name with {0}"),
                        "users are searched",
                        "Distinguished name of a user, as in `uid={0},ou=people,dc=example`."),
                optional(
                        "user-base",
                        text("a name"),
                        "the root",
                        "The entry below which users are searched for."),
                optional(
                        "user-search",
                        text("a filter with {0}"),
                        "needed without `user-pattern`",
                        "Finds a user, as in `(uid={0})`."),
                optional(
                        "user-subtree",
                        flag(),
                        "false",
                        "Whether users are also searched for below the first level."));
    }

    private static List<Shape.Key> roles() {
        return List.of(
                optional(
                        "user-role-attribute",
                        text("an attribute"),
                        "none",
                        "Attribute of a user whose values are roles."),
                optional(
                        "role-base",
                        text("a name"),
                        "the root",
                        "The entry below which roles are searched for."),
                optional(
                        "role-search",
                        text("a filter with {0}"),
                        "no search",
                        "Finds the roles of a user, `{0}` being the distinguished name and `{1}`"
                                + " the name, as in `(member={0})`."),
                optional(
                        "role-attribute",
                        text("an attribute"),
                        "cn",
                        "Attribute of an entry found whose values are roles."),
                optional(
                        "role-subtree",
                        flag(),
                        "false",
                        "Whether roles are also searched for below the first level."),
                optional(
                        "role-nested",
                        flag(),
                        "false",
                        "Whether roles with a role as member count, too."));
    }

    /// @param resources names of the data sources there are
    /// @param file makes the path of a key
    static List<RealmSettings> read(
            List<Settings> items,
            Set<String> resources,
            BiFunction<Settings, String, Optional<Path>> file,
            List<Problem> problems) {
        List<RealmSettings> realms = new ArrayList<>();
        for (Settings item : items) {
            RealmSettings realm =
                    item.has("database")
                            ? database(item, resources, problems)
                            : directory(item, file, problems);
            if (realm != null) {
                realms.add(realm);
            }
        }
        return realms;
    }

    private static @Nullable RealmSettings database(
            Settings item, Set<String> resources, List<Problem> problems) {
        String name = item.text("database").orElse("");
        if (!resources.contains(name)) {
            problem(item, "database", "there is no data source " + name, problems);
        }
        for (String key : item.keys()) {
            if (!key.equals("database") && !OF_DATABASE.contains(key)) {
                problem(item, key, "\"" + key + "\" belongs to a directory", problems);
            }
        }
        if (!item.has("password-query")) {
            problem(item, "database", "a realm of a database needs \"password-query\"", problems);
            return null;
        }
        return new RealmSettings.Database(
                name,
                item.text("password-query").orElseThrow(),
                item.text("role-query").orElse(null));
    }

    private static @Nullable RealmSettings directory(
            Settings item,
            BiFunction<Settings, String, Optional<Path>> file,
            List<Problem> problems) {
        for (String key : OF_DATABASE) {
            if (item.has(key)) {
                problem(item, key, "\"" + key + "\" belongs to a database", problems);
            }
        }
        DirectoryAccess access =
                ACCESS.read(item, key -> file.apply(item, key).orElse(null), problems);
        if (access == null) {
            return null;
        }
        try {
            return new RealmSettings.Directory(
                    new DirectorySettings(
                            access,
                            new DirectorySettings.Users(
                                    item.text("user-pattern").stream().toList(),
                                    item.text("user-base").orElse(""),
                                    item.text("user-search").orElse(null),
                                    isSet(item, "user-subtree")),
                            null,
                            new CredentialHandler.AsInFile(),
                            new DirectorySettings.Roles(
                                    item.text("user-role-attribute").orElse(null),
                                    item.text("role-base").orElse(""),
                                    item.text("role-search").orElse(null),
                                    item.text("role-attribute").orElse("cn"),
                                    isSet(item, "role-subtree"),
                                    isSet(item, "role-nested"),
                                    null)));
        } catch (IllegalArgumentException e) {
            problem(item, "ldap", String.valueOf(e.getMessage()), problems);
            return null;
        }
    }

    private static boolean isSet(Settings item, String key) {
        return item.get(key, Boolean.class).orElse(false);
    }

    private static void problem(Settings item, String key, String message, List<Problem> problems) {
        problems.add(new Problem(item.position(key), message));
    }
}
