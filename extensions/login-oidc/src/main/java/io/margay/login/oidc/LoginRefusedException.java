package io.margay.login.oidc;

import org.jspecify.annotations.Nullable;

/// A provider does not let somebody in, or what it says of a login cannot be believed.
final class LoginRefusedException extends Exception {
    LoginRefusedException(String message) {
        super(message);
    }

    LoginRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
