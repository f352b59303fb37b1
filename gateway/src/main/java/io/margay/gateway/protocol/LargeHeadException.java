package io.margay.gateway.protocol;

/// The head of a request is larger than a peer takes, by its protocol or by a limit: the client is
/// to be told.
public final class LargeHeadException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public LargeHeadException(String message) {
        super(message);
    }
}
