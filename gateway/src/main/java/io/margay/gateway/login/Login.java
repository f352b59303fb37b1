package io.margay.gateway.login;

import io.margay.gateway.directory.Directory;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How clients log in, as far as a section says it; null = it says nothing. Immutable.
///
/// @param method how they show who they are
/// @param realm what they are told that they log in to
/// @param users where the users are
/// @param groups a file of groups, `group: user user`
/// @param forbids whether somebody who has logged in and is not let in gets 403, and is not asked
///   again by 401
/// @param certificateUser the variable of mod_ssl that is the user's name where a client has shown
///   a certificate, as `SSL_CLIENT_S_DN_CN`; it is not asked for another name then
/// @param nonceLife how long what is given out for Digest is taken
@RecordBuilder
public record Login(
        @Nullable Method method,
        @Nullable String realm,
        @Nullable Users users,
        @Nullable Path groups,
        @Nullable Boolean forbids,
        @Nullable String certificateUser,
        @Nullable Duration nonceLife)
        implements LoginBuilder.With {
    /// How long what is given out for Digest is taken where nothing is said, as with httpd.
    public static final Duration NONCE_LIFE_DEFAULT = Duration.ofMinutes(5);

    /// Says nothing.
    public static final Login NONE = new Login(null, null, null, null, null, null, null);

    /// How clients show who they are.
    public enum Method {
        /// They do not.
        NONE,

        /// By name and password in a field (RFC 7617).
        BASIC,

        /// Without sending the password (RFC 7616), by a file of `htdigest`.
        DIGEST,

        /// A service says who they are.
        SERVICE,

        /// They log in at an OpenID provider.
        OPENID
    }

    /// Where users are.
    public sealed interface Users {
        /// In a file of `htpasswd`.
        record InFile(Path file) implements Users {}

        /// In those of the server: `deploy.users` and `deploy.realms`. Their roles are groups.
        record OfServer() implements Users {}

        /// A service knows them.
        record OfService(AuthService service) implements Users {}

        /// An OpenID provider knows them.
        record OfProvider(OpenIdClient client) implements Users {}

        /// In tables of a data source of the server. Their roles are groups.
        ///
        /// @param resource name of the data source
        /// @param passwordQuery statement that gives the password of a name
        /// @param roleQuery statement that gives the roles of a name; null = there are none
        record InDatabase(String resource, String passwordQuery, @Nullable String roleQuery)
                implements Users {}

        /// In a directory.
        record InDirectory(Directory directory) implements Users {}

        /// Who has shown to know a password of a file.
        record OfDigest(String name) implements Users {}

        /// Whom the certificate of a client names.
        record OfCertificate(String name) implements Users {}

        /// Whether they can log in by a method: Digest needs what `htdigest` writes.
        default boolean logInBy(Method method) {
            return switch (this) {
                case InFile _ -> method == Method.BASIC || method == Method.DIGEST;
                case OfServer _, InDatabase _, InDirectory _ -> method == Method.BASIC;
                case OfService _ -> method == Method.SERVICE;
                case OfProvider _ -> method == Method.OPENID;
                case OfDigest _, OfCertificate _ -> false;
            };
        }
    }

    /// What holds where a later section says something, too.
    public Login then(Login later) {
        return new Login(
                later.method != null ? later.method : method,
                later.realm != null ? later.realm : realm,
                later.users != null ? later.users : users,
                later.groups != null ? later.groups : groups,
                later.forbids != null ? later.forbids : forbids,
                later.certificateUser != null ? later.certificateUser : certificateUser,
                later.nonceLife != null ? later.nonceLife : nonceLife);
    }

    /// The same with another method.
    public Login with(Method other) {
        return new Login(other, realm, users, groups, forbids, certificateUser, nonceLife);
    }

    /// The same with other users.
    public Login with(Users others) {
        return new Login(method, realm, others, groups, forbids, certificateUser, nonceLife);
    }

    /// Whether users are asked who they are.
    public boolean asks() {
        return method != null && method != Method.NONE;
    }

    /// The realm as a quoted text of the `WWW-Authenticate` field.
    static String quoted(String name) {
        String printable = name.replaceAll("[\\x00-\\x1f\\x7f]", " ");
        return '"' + printable.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /// Whether users can be known at all.
    public boolean knowsUsers() {
        return users != null || certificateUser != null;
    }

    /// Whether somebody who has logged in and is not let in is asked again.
    public boolean isAskedAgain() {
        boolean known = method == Method.SERVICE || method == Method.OPENID;
        return !known && !Boolean.TRUE.equals(forbids);
    }

    /// Whether there is nothing to ask for of whom nobody knows: a certificate comes with the
    /// connection.
    public boolean refusesAtOnce() {
        return !asks() && certificateUser != null;
    }

    /// Whether clients can be asked.
    public boolean canAsk() {
        return switch (method) {
            case SERVICE, OPENID -> users != null && users.logInBy(method);
            case BASIC, DIGEST -> realm != null && (users == null || users.logInBy(method));
            case NONE -> false;
            case null -> false;
        };
    }
}
