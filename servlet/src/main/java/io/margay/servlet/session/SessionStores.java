package io.margay.servlet.session;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Opens the store of an application's sessions: in this process, or wherever several servers can
/// reach it. Thread-safe.
@FunctionalInterface
public interface SessionStores {
    /// In the memory of this process, and in a file while the application is down.
    SessionStores MEMORY = MemorySessionStore::new;

    /// What a store is made for. Immutable.
    ///
    /// @param application what the application is called wherever servers share its sessions
    /// @param events who hears of what happens to the sessions
    /// @param sessionsMax sessions at most
    /// @param file where they may be kept while the application is down; null = nowhere
    /// @param loader has the classes of attributes
    /// @param handoverWait how long a request waits for requests of its session that the previous
    ///   application still serves
    @RecordBuilder
    record Purpose(
            String application,
            SessionIds ids,
            SessionEvents events,
            SessionClock clock,
            int sessionsMax,
            @Nullable Path file,
            ClassLoader loader,
            Duration handoverWait) {}

    /// Opens a store; [SessionStore#start] comes next.
    SessionStore open(Purpose purpose);
}
