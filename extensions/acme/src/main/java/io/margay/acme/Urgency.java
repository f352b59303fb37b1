package io.margay.acme;

/// Why a certificate is looked at.
enum Urgency {
    /// It may be due.
    NONE,

    /// What is wanted has changed: no wait after failures holds any more.
    NO_WAIT,

    /// Somebody wants it renewed.
    NOW
}
