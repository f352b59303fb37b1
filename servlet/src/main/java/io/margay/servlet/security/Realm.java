package io.margay.servlet.security;

import java.security.cert.X509Certificate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where users are kept. Thread-safe; a call may wait, for it runs on a thread that may.
public interface Realm {
    /// The user with this name and password, or null. Takes as long for a name that is not known as
    /// for a wrong password.
    ///
    /// @throws RealmAwayException when it cannot be told
    @Nullable User authenticate(String name, String password);

    /// The same for applications, which ask a client again where it cannot be told, as Tomcat does.
    default @Nullable User authenticateOrNobody(String name, String password) {
        try {
            return authenticate(name, password);
        } catch (RealmAwayException _) {
            return null;
        }
    }

    /// A user, and the hash of `name:realm:password` that DIGEST starts from, in hexadecimal.
    record Secret(User user, String hash) {}

    /// What DIGEST needs of a user, or null when there is no such user, or the password is not kept
    /// in a way that tells it.
    ///
    /// @throws RealmAwayException when it cannot be told
    @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm);

    /// Told whether a client that was measured by a [#secret] knew the password.
    ///
    /// @param name as the client gave it
    default void answered(String name, boolean right) {
        // Most realms keep no count.
    }

    /// The user of this name, of whom a session says that it has logged in; null when there is none
    /// any more. It is not asked so whether a client may log in.
    @Nullable User user(String name);

    /// The roles that users have; null when that is not known before they log in.
    default @Nullable Set<String> roles() {
        return null;
    }

    /// Whether users can log in to it by a way, as `auth-method` names it.
    default boolean logsInBy(String method) {
        return true;
    }

    /// The user whom a certificate stands for, or null. That it is genuine has been checked.
    @Nullable User authenticate(X509Certificate certificate);
}
