package io.margay.app.command;

/// What `margay` exits with.
final class ExitCode {
    /// All that was asked for has been done.
    static final int DONE = 0;

    /// Something could not be done; the reason has been said on stderr.
    static final int FAILED = 1;

    /// The command line is not understood; the reason has been said on stderr.
    static final int WRONG_USAGE = 2;

    /// The heap was full, or a thread that the server depends on has died.
    static final int SERVER_ENDED = 3;

    private ExitCode() {}
}
