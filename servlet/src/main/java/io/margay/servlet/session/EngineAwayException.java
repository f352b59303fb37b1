package io.margay.servlet.session;

import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;

/// The engine of sessions cannot be asked now; who wants something of it goes on without.
final class EngineAwayException extends Exception {
    private static final long serialVersionUID = 1L;

    EngineAwayException(String message, Throwable cause) {
        super(message, cause);
    }

    /// Without asking: it has not answered the calls before. Carries no stack, for there are many.
    EngineAwayException() {
        super("the session store is unreachable", null, false, false);
    }

    /// Whether it has taken too long, and so has refused nothing.
    boolean isLate() {
        for (Throwable each = getCause(); each != null; each = each.getCause()) {
            if (each instanceof TimeoutException || each instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }
}
