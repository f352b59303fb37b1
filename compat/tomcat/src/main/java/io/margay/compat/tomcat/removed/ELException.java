package io.margay.compat.tomcat.removed;

import org.jspecify.annotations.Nullable;

/// `ELException` of JSP 2.0. Immutable.
public class ELException extends Exception {
    private static final long serialVersionUID = 1;

    public ELException() {}

    public ELException(@Nullable String message) {
        super(message);
    }

    public ELException(@Nullable Throwable cause) {
        super(cause);
    }

    public ELException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public @Nullable Throwable getRootCause() {
        return getCause();
    }
}
