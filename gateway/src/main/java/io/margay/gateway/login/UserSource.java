package io.margay.gateway.login;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Users that are kept elsewhere than in a file of `htpasswd`, with their roles for groups.
/// Thread-safe; a call may wait, for it runs on a thread that may.
@FunctionalInterface
public interface UserSource {
    /// The user with this name and password, or null. Takes as long for a name that is not known as
    /// for a wrong password.
    ///
    /// @throws AwayException when it cannot be told, which the source has logged
    @Nullable LoginUser verify(String name, String password);

    /// What keeps the users does not answer.
    final class AwayException extends RuntimeException {
        @Serial private static final long serialVersionUID = 1L;

        public AwayException(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }
}
