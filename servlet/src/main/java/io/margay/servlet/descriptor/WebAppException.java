package io.margay.servlet.descriptor;

import org.jspecify.annotations.Nullable;

/// An application cannot be created or started; the message tells the operator why.
public final class WebAppException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WebAppException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public WebAppException(String message) {
        super(message);
    }
}
