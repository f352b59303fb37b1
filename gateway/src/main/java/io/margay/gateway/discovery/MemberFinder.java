package io.margay.gateway.discovery;

/// Looks at one source of members. Used by one thread, the source's own, which may wait.
@FunctionalInterface
public interface MemberFinder extends AutoCloseable {
    /// Looks once.
    ///
    /// @throws InterruptedException when the source is closed meanwhile
    Finding find() throws InterruptedException;

    /// Lets go of what it holds; no look follows.
    @Override
    default void close() {}

    /// Whether a look takes no time, for what is found is in memory: it may then be looked at by
    /// any thread, one at a time.
    default boolean isImmediate() {
        return false;
    }
}
