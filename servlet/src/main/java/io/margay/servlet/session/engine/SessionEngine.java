package io.margay.servlet.session.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Keeps the sessions of several servers, as bytes that it does not understand: Valkey, a database,
/// or another that a [SessionEngineProvider] opens. One serves all applications of a server.
///
/// Thread-safe: any number of request threads call it at once, virtual ones among them, and wait
/// for it. So every call ends, with an exception if need be, within the time of its
/// [EngineSettings], whatever the other side does; nothing is retried inside, but what a connection
/// that was kept turns out to be broken for, or what a database has rolled back in favour of
/// another transaction. After a failure the container calls less and less, see `EngineGuard`; a
/// call that failed may have had its effect.
///
/// Each call is atomic for its session: of two changes at once one comes after the other, and no
/// reader sees half of one.
public interface SessionEngine extends AutoCloseable {
    /// A copy is used without asking for so long at most, or for a quarter of its session's
    /// interval if that is shorter; an engine that offers [#isNear] lets such a session live longer
    /// by that.
    Duration NEAR_MAX = Duration.ofSeconds(60);

    /// What [#use] found.
    sealed interface Lookup {
        /// The session is as it was when it had the version that the caller knows.
        ///
        /// @param accessedMillis when it was used before
        record Unchanged(long accessedMillis) implements Lookup {}

        /// The session, which the caller does not know as it is now.
        record Found(StoredSession session) implements Lookup {}

        /// There is none: there never was, or it has timed out, or the engine has lost it.
        record Absent() implements Lookup {}

        /// It was [removed][#remove] not long ago.
        record Removed() implements Lookup {}
    }

    /// What came of [#save].
    sealed interface Saved {
        /// It was written, and has this version now: one more than before if it was there.
        ///
        /// @param late names of attributes that are there as another save has left them, for the
        ///   [fence][ChangeFence] of the change
        record As(long version, Set<String> late) implements Saved {
            public As {
                late = Set.copyOf(late);
            }

            public As(long version) {
                this(version, Set.of());
            }
        }

        /// There is no such session, and the change was not the whole of one.
        record Absent() implements Saved {}

        /// It was [removed][#remove] not long ago, and stays so.
        record Removed() implements Saved {}
    }

    /// Looks for a session and, if it has not timed out, counts this as a use of it: its interval
    /// begins anew.
    ///
    /// @param knownVersion the version that the caller has; 0 = none
    Lookup use(SessionKey key, long knownVersion) throws IOException;

    /// The same, and from now on this server may use its copy without asking, while [#isNear] says
    /// so: for sessions whose clients always come back to this server. What an engine needs for
    /// that is its own affair; this one just looks.
    default Lookup useNear(SessionKey key, long knownVersion) throws IOException {
        return use(key, knownVersion);
    }

    /// Whether no other server can have changed the session since it had that version, and ended a
    /// response after that. Does not wait.
    default boolean isNear(SessionKey key, long version) {
        return false;
    }

    /// The copy is no longer there.
    default void letGo(SessionKey key) {}

    /// Writes a change, which is a use of the session as well, but for the attributes that its
    /// [ChangeFence] leaves out: of a whole session these are also attributes that it does not
    /// have. An attribute that is put or removed gets a [mark][ChangeFence#mark]; marks of some
    /// dozen removed attributes are enough.
    Saved save(SessionKey key, SessionChange change) throws IOException;

    /// Removes a session, and remembers for the time of its settings that it did.
    ///
    /// @return whether there was one that nobody else had removed
    boolean remove(SessionKey key) throws IOException;

    /// Removes sessions that have timed out, each for one caller only, who tells its listeners.
    ///
    /// @param max how many at most
    List<StoredSession> takeExpired(String application, int max) throws IOException;

    /// Bytes that the name of an attribute may take, in UTF-8; attributes with longer names stay on
    /// their server, as those do that cannot be serialised, and are never given to [#save].
    default int attributeNameBytesMax() {
        return Integer.MAX_VALUE;
    }

    /// Writes something as [#save] does, which leaves nothing: whether the other side is there and
    /// takes writes.
    ///
    /// @throws EngineFullException if it answers and has no room
    void check() throws IOException;

    @Override
    void close();
}
