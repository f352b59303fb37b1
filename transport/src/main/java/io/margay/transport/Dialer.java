package io.margay.transport;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Opens outbound connections that live on one event loop. Two dialers are the same exactly when
/// their loops are.
///
/// [#execute] and [#inLoop] are for any thread, the rest for the loop's own.
public interface Dialer {
    /// Begins to connect, and returns at once. Either the connection arrives at `handlers`, after
    /// its TLS handshake if it has one, or `failed` is told why not; later, on the loop.
    ///
    /// Names are looked up on a thread that may wait; every address of a name is tried in turn.
    void dial(DialTarget target, ConnectionHandler.Factory handlers, Consumer<IOException> failed);

    /// Whether the caller is on the loop.
    boolean inLoop();

    /// Runs a task on the loop, after what runs now.
    void execute(Runnable task);

    /// Runs a step on the loop after the events of its round, where others wait for their turn:
    /// what wakes a peer then wakes it once for all of them. On the loop.
    ///
    /// @return false when it does not, because nothing follows in this round: the caller may as
    ///   well do it now
    default boolean atRoundEnd(Runnable step) {
        return false;
    }

    /// What writes to several connections of the loop by one call to the operating system. On the
    /// loop, for one step.
    ///
    /// @return null when there is no such way, now or ever: each is written to by itself then
    default @Nullable WriteBatch writeBatch() {
        return null;
    }

    /// Makes a timer that runs `action` on the loop.
    Timer timer(Runnable action);

    /// Writes to several connections, each of which gets what [Connection#write] would have given
    /// it. Confined to its loop: first [#add], then [#write], then [#taken], within one step.
    interface WriteBatch {
        /// Adds a write to the batch. The array is to stay as it is until [#write].
        ///
        /// @return false when it cannot be added: another kind of connection, one that has a write
        ///   here already, or no room; the caller writes by itself then
        boolean add(Connection connection, byte[] source, int offset, int length);

        /// Does all that was added, in order; the next [#add] begins a new batch. Nothing but the
        /// writes happens meanwhile, and failures are told by [#taken].
        void write();

        /// What the connection has taken of the write that was added as number `place`, from 0.
        ///
        /// @throws IOException as [Connection#write]
        int taken(int place) throws IOException;
    }

    /// Something that is to be done at a certain time, if that time is not moved. Confined to its
    /// loop.
    interface Timer {
        /// Sets the time: the action runs once, within 100 ms after it.
        ///
        /// @param nanoTime a value of `System.nanoTime()`, or [Connection#NEVER]
        void at(long nanoTime);
    }
}
