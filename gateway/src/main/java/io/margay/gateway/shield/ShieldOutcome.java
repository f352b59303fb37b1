package io.margay.gateway.shield;

/// What has become of a request that a shield has looked at.
public enum ShieldOutcome {
    /// It is not about it: a path, a network or credentials that are excepted.
    EXCEPTED,

    /// A bot that is verified.
    VERIFIED,

    /// A bot that has signed its request.
    SIGNED,

    /// What has signed it wrongly.
    FORGED,

    /// A crawler for models that was refused, or would have been.
    MODEL,

    /// A crawler that was sent robots.txt.
    TOLD,

    /// A crawler that has asked for what robots.txt forbids it.
    DISOBEDIENT,

    /// What claims to be a bot, and is being looked up.
    PENDING,

    /// A client that has answered a challenge.
    CLEARED,

    /// Nothing was asked of it.
    PASSED,

    /// It was challenged, or would have been.
    CHALLENGED,

    /// It has answered a challenge rightly.
    SOLVED,

    /// It has answered wrongly, too early or too late.
    FAILED,

    /// It has claimed to be a bot that it is not.
    IMPOSTOR,

    /// It has cost too much, and was refused, or would have been.
    REFUSED,

    /// It is answered byte by byte, or would have been.
    TARPITTED
}
