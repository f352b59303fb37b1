package io.margay.app.config.file.deploy;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.RealmSettings;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.file.login.DirectoryAccessKeys;
import io.margay.compat.tomcat.application.SignOnValve;
import io.margay.server.directory.DirectoryAccess;
import io.margay.servlet.realm.CredentialHandler;
import io.margay.servlet.realm.DirectorySettings;
import io.margay.servlet.realm.DirectorySettings.Roles;
import io.margay.servlet.realm.DirectorySettings.Users;
import io.margay.servlet.security.SingleSignOn;
import java.util.List;

/// The list `realms`: databases and directories with users; and `sign-on`. Stateless.
final class RealmKeys {
    private static final String NOT_GIVEN = "";

    private static final Form<String> STATEMENT = text("a statement with one ?");
    private static final Form<String> FILTER = text("a filter with {0}");

    static final Keys<SingleSignOn.Settings> SIGN_ON =
            Binding.of("the sign-on", new SingleSignOn.Settings(SignOnValve.COOKIE, null, false))
                    .form(
                            "cookie",
                            matching(
                                    "a name", SignOnValve::isCookieName, "it cannot name a cookie"))
                    .form("domain", matching("a domain", name -> name.matches("[A-Za-z0-9.-]+")))
                    .keys(
                            """
                            cookie (cookieName): Name of the cookie.
                            domain (cookieDomain) [the host only]: Domain of the cookie.
                            reauthenticate (reauthenticates): Each application checks name and
                              password with its own realm; the password is kept in memory.
                            """);

    private static final Keys<RealmSettings.Database> DATABASE =
            Binding.of("a realm", new RealmSettings.Database("-", "-", null))
                    .form("password-query", STATEMENT)
                    .form("role-query", STATEMENT)
                    .keys(
                            """
                            database (resource) <the name of a data source> [required]: One of
                              `resources`.
                            password-query [required]: Returns the password of the user `?`: plain
                              text, or `{PBKDF2}iterations$salt$hash`.
                            role-query [users have no roles]: Gives a role of that name per row.
                            """);

    private static final Keys<Users> USERS =
            Binding.of("users", new Users(List.of(), "", NOT_GIVEN, false), RealmKeys::users)
                    .form("user-search", FILTER)
                    .form(
                            "user-pattern",
                            text("a name with {0}"),
                            users ->
                                    users.patterns().isEmpty() ? null : users.patterns().getFirst(),
                            (to, pattern) -> to.set("patterns", List.of(pattern)))
                    .keys(
                            """
                            user-pattern [users are searched]: Distinguished name of a user, as in
                              `uid={0},ou=people,dc=example`.
                            base <a name> [the root]: The entry below which users are searched for.
                            user-search (filter) [needed without `user-pattern`]: Finds a user, as
                              in `(uid={0})`.
                            subtree: Also searches for users below the first level.
                            """)
                    .also("base", "user-base")
                    .also("subtree", "user-subtree")
                    .refusal("url", "");

    private static final Keys<Roles> ROLES =
            Binding.of("roles", new Roles(null, "", null, "cn", false, false, null))
                    .form("role-search", FILTER)
                    .keys(
                            """
                            user-role-attribute (userAttribute) <an attribute>: Attribute of a user
                              whose values are roles.
                            group-base (base) <a name> [the root]: The entry below which roles are
                              searched for.
                            role-search (filter) [no search]: Finds the roles of a user, `{0}` being
                              the distinguished name and `{1}` the name, as in `(member={0})`.
                            group-attribute (nameAttribute) <an attribute>: Attribute of an entry
                              found whose values are roles.
                            role-subtree (subtree): Also searches for roles below the first level.
                            role-nested (nested): Roles that have a role as member count, too.
                            """)
                    .also("group-base", "role-base")
                    .also("group-attribute", "role-attribute");

    private static final Keys<DirectoryAccess> ACCESS =
            DirectoryAccessKeys.keys(
                            text("a URL, as in ldaps://ldap.example", url -> url), existing())
                    .also("url", "ldap")
                    .also("bind-dn", "bind-name");

    private static final Keys<DirectorySettings> SETTINGS =
            Binding.of(
                            "a directory",
                            new DirectorySettings(
                                    ACCESS.defaults(),
                                    USERS.defaults(),
                                    null,
                                    new CredentialHandler.AsInFile(),
                                    ROLES.defaults()))
                    .part("access", ACCESS)
                    .part("users", USERS)
                    .part("roles", ROLES);

    static final Keys<RealmSettings> REALM =
            Choice.<RealmSettings>of("a realm")
                    .or("database", "a database", DATABASE)
                    .or(
                            "url",
                            "a directory",
                            Binding.of("a realm", new RealmSettings.Directory(SETTINGS.defaults()))
                                    .part("settings", SETTINGS));

    static final Form<List<RealmSettings>> REALMS = list("realms", section(REALM), 0);

    private RealmKeys() {}

    private static Users users(Draft<Users> of) {
        return NOT_GIVEN.equals(of.build().filter()) ? of.set("filter", null).build() : of.build();
    }
}
