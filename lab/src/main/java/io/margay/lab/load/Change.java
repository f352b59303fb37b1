package io.margay.lab.load;

/// How a page changes from request to request, which tells how to learn what all its answers have
/// in common.
public enum Change {
    /// Not at all: one sample tells all.
    NEVER,
    /// It prints the time in seconds: two samples that differ tell where.
    EACH_SECOND,
    /// Nobody knows: several samples over more than a second.
    UNKNOWN
}
