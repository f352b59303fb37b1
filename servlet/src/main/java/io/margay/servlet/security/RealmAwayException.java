package io.margay.servlet.security;

import java.io.Serial;

/// What keeps the users of a realm does not answer: nobody can tell whether a password is right.
public final class RealmAwayException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    public RealmAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
