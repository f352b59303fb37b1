package io.margay.gateway.discovery;

/// Looks at one source of members. Used by one thread, the source's own, which may wait.
@FunctionalInterface
public interface MemberFinder {
    /// Looks once.
    ///
    /// @throws InterruptedException when the source is closed meanwhile
    Finding find() throws InterruptedException;

    /// Whether a look takes no time, for what is found is in memory: it may then be looked at by
    /// any thread, one at a time.
    default boolean isImmediate() {
        return false;
    }
}
