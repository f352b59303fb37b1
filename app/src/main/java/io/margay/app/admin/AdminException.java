package io.margay.app.admin;

/// An operation that was not done, with the reason for the user.
public final class AdminException extends Exception {
    private static final long serialVersionUID = 1L;

    /// What kind of reason it is.
    public enum Kind {
        /// What was said makes no sense.
        INVALID,
        /// There is no such application or host.
        NOT_FOUND,
        /// It exists already, or something else is in the way.
        CONFLICT,
        /// It was tried and has failed; what ran before runs on.
        FAILED
    }

    private final Kind kind;

    public AdminException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
