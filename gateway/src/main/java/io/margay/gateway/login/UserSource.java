package io.margay.gateway.login;

import org.jspecify.annotations.Nullable;

/// Users that are kept elsewhere than in a file of `htpasswd`, with their roles for groups.
/// Thread-safe; a call may wait, for it runs on a thread that may.
@FunctionalInterface
public interface UserSource {
    /// The user with this name and password, or null. Takes as long for a name that is not known as
    /// for a wrong password.
    ///
    /// @throws RuntimeException when it cannot be told
    @Nullable LoginUser verify(String name, String password);
}
