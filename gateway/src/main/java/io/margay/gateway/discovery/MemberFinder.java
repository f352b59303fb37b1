package io.margay.gateway.discovery;

/// Looks at one source of members. Used by one thread, the source's own, which may wait.
@FunctionalInterface
public interface MemberFinder {
    /// Looks once.
    ///
    /// @throws InterruptedException when the source is closed meanwhile
    Finding find() throws InterruptedException;
}
