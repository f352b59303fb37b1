package io.margay.gateway.login;

/// What is known of who sends a request. Immutable.
public sealed interface LoginResult {
    /// Name and password are right.
    record Right(LoginUser user) implements LoginResult {}

    /// They are wrong, or there are none.
    record Wrong() implements LoginResult {}

    /// It cannot be found out: something is missing in the configuration, or does not answer.
    record Failed() implements LoginResult {}

    /// It cannot be found out, and the client gets this status.
    record Refused(int status) implements LoginResult {}

    /// The client gets this answer.
    record Answered(LoginAnswer answer) implements LoginResult {}

    /// Too many others are waiting.
    record Busy() implements LoginResult {}

    /// It has to be found out first, on another thread.
    record Unknown(LoginCheck check) implements LoginResult {}
}
