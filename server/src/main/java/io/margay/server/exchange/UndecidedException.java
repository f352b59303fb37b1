package io.margay.server.exchange;

/// What was to be decided about a request did not come to an end within its bound, as the search
/// for an expression of the configuration in what a client sent. It is a refusal: the request is
/// answered with 500, and nobody goes on as if it had been decided.
public final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param text what did not come to an end
    public UndecidedException(String text) {
        super(text, null, false, false);
    }
}
