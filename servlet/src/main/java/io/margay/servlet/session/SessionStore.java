package io.margay.servlet.session;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Holds the sessions of one application. Thread-safe.
public interface SessionStore {
    /// Creates a session with a fresh identifier.
    ///
    /// @param maxInactiveSeconds 0 or less = it never times out
    /// @throws IllegalStateException when the store is full
    WebSession create(int maxInactiveSeconds);

    /// The live session of a well-formed identifier, or null. An expired one is invalidated on the
    /// way and not found.
    @Nullable WebSession find(String id);

    /// Gives a session a fresh identifier and answers it (against fixation, CVE-2025-55668).
    String changeId(WebSession session);

    /// Forgets a session; called by the session itself when it ends.
    void remove(WebSession session);

    /// All live sessions, as of now.
    Collection<WebSession> all();

    /// The number of live sessions.
    int size();

    /// Ends the sessions that have timed out.
    void expire();
}
