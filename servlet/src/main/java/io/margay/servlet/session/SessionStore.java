package io.margay.servlet.session;

import java.io.IOException;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Holds the sessions of one application. Thread-safe.
public interface SessionStore {
    /// A field of the response to a request that was not run, for its session [cannot be looked
    /// up][UnknownException] here and now: a gateway may ask another server.
    String UNKNOWN_FIELD = "Margay-Session";

    /// Whether there is a session cannot be told now, for the engine that may have it does not
    /// answer; it may soon, or another server may know. Carries no stack, for there may be many.
    final class UnknownException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownException() {
            super("the session cannot be looked up now", null, false, false);
        }
    }

    /// A session that was to be written before the response could not be. Carries no stack.
    final class UnsavedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public UnsavedException() {
            super("the session cannot be saved now", null, false, false);
        }
    }

    /// Creates a session with a fresh identifier.
    ///
    /// @param maxInactiveSeconds 0 or less = it never times out
    /// @throws IllegalStateException when the store is full
    WebSession create(int maxInactiveSeconds);

    /// The live session of a well-formed identifier, or null. An expired one is invalidated on the
    /// way and not found.
    ///
    /// @throws UnknownException when that cannot be told now
    @Nullable WebSession find(String id);

    /// The same for a request that has begun before.
    ///
    /// @param begunMillis when it began, since the epoch
    /// @param isLeft whether its client has gone
    /// @throws UnknownException also when it has come too late to be run
    default @Nullable WebSession find(String id, long begunMillis, BooleanSupplier isLeft) {
        return find(id);
    }

    /// Gives a session a fresh identifier and answers it (against fixation, CVE-2025-55668).
    String changeId(WebSession session);

    /// Writes what has changed of a session that is kept outside this process; only such a session
    /// calls it. Waits.
    ///
    /// @param now which moment this is: before the response ends, or after
    /// @return false if it was to be written before the response, and could not be
    default boolean save(WebSession session, SessionWrite now) {
        return true;
    }

    /// A change of an attribute is left out, for a newer one of another server.
    default void late(String name) {}

    /// Whether this server ends a session that is being ended, and tells its listeners: false if
    /// another server has.
    default boolean ends(WebSession session) {
        return true;
    }

    /// Forgets a session; called by the session itself when it ends.
    void remove(WebSession session);

    /// All live sessions, as of now.
    Collection<WebSession> all();

    /// The number of live sessions.
    int size();

    /// How many sessions there have been.
    SessionTotals totals();

    /// Ends the sessions that have timed out.
    void expire();

    /// What [#find] would find if it is at hand: without waiting, and without an end of a session
    /// on the way. Null also when that cannot be told.
    default @Nullable WebSession ready(String id) {
        return null;
    }

    /// Whether [#find] would find a session, as far as that can be told without waiting.
    boolean knows(String id);

    /// Gets ready: the application's classes can be loaded, and no request has come yet.
    ///
    /// @return how many sessions were restored
    /// @throws IOException when kept sessions cannot be restored; the store can be used without
    int start() throws IOException;

    /// Takes over, one by one, the sessions of the previous application, which still serves the
    /// requests that it has begun, or is being stopped just now. Called before the first request; a
    /// store whose sessions live elsewhere has nothing to do.
    default void follow(SessionStore before) {}

    /// Takes over what is left in the store that it follows, and lets go of that.
    default void followed() {}

    /// The sessions of an application in another process, which ends soon. Thread-safe.
    interface Elsewhere {
        /// Which of them there were when this was asked for, by identifier; never waits.
        Predicate<String> known();

        /// Takes a session out of the other process.
        ///
        /// @return what [SessionStore#give] gave there; null when there is none
        /// @throws IOException when the other process has ended, and what it kept is in its file
        byte @Nullable [] take(String id) throws IOException;
    }

    /// Takes over the sessions of another process in the same way.
    default void follow(Elsewhere before) {}

    /// Gives a session to another process, once no request uses it, and forgets it.
    ///
    /// @return null when there is none
    /// @throws IOException when sessions are given no more, for they have been kept
    default byte @Nullable [] give(String id) throws IOException {
        return null;
    }

    /// Keeps what can be kept, or gives it to the store that follows, and ends the other sessions.
    /// Listeners still hear of that.
    void stop();
}
