package io.margay.gateway.login;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How clients log in, as far as a section says it; null = it says nothing. Immutable.
///
/// @param method how they show who they are
/// @param realm what they are told that they log in to
/// @param users where the users are
/// @param groups a file of groups, `group: user user`
/// @param forbids whether somebody who has logged in and is not let in gets 403, and is not asked
///   again by 401
public record Login(
        @Nullable Method method,
        @Nullable String realm,
        @Nullable Users users,
        @Nullable Path groups,
        @Nullable Boolean forbids) {
    /// Says nothing.
    public static final Login NONE = new Login(null, null, null, null, null);

    /// How clients show who they are.
    public enum Method {
        /// They do not.
        NONE,

        /// By name and password in a field (RFC 7617).
        BASIC
    }

    /// Where users are.
    public sealed interface Users {
        /// In a file of `htpasswd`.
        record InFile(Path file) implements Users {}

        /// In those of the server: `deploy.users` and `deploy.realms`. Their roles are groups.
        record OfServer() implements Users {}
    }

    /// What holds where a later section says something, too.
    public Login then(Login later) {
        return new Login(
                later.method != null ? later.method : method,
                later.realm != null ? later.realm : realm,
                later.users != null ? later.users : users,
                later.groups != null ? later.groups : groups,
                later.forbids != null ? later.forbids : forbids);
    }

    /// Whether users are asked who they are.
    public boolean asks() {
        return method != null && method != Method.NONE;
    }

    /// The `WWW-Authenticate` field of a response with 401; null where clients are not asked.
    public @Nullable String challenge() {
        String name = realm;
        if (!asks() || name == null) {
            return null;
        }
        String printable = name.replaceAll("[\\x00-\\x1f\\x7f]", " ");
        return "Basic realm=\"" + printable.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /// Whether clients can be asked.
    public boolean canAsk() {
        return asks() && realm != null;
    }
}
