package io.margay.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// One stream of bytes to a peer, plain or TLS; the same on every transport.
///
/// **Ownership.** A connection has one owner at a time: its loop thread, or one other thread to
/// which the [ConnectionHandler] has handed it. The owner alone calls [#read], [#write], [#flush],
/// [#sendFile], [#await]. While another thread owns it, the handler has set [#interest] to 0:
/// events are then remembered, not delivered. To give it back, the owner's last act is to set the
/// interest again; what the owner wrote before happens before the next event. [#interest],
/// [#execute], [#deadline], [#close] and [#reset] may be called from any thread.
///
/// **Two kinds.** Where [#blocking] is false, `read`, `write` and `sendFile` never wait: they take
/// what can be had now. Where it is true (a virtual thread is the connection's loop), they wait
/// until at least one byte has moved.
public interface Connection {
    /// Interest in input: [ConnectionHandler#onReadable].
    int READ = 1;

    /// Interest in room for output: [ConnectionHandler#onWritable].
    int WRITE = 2;

    /// A deadline that never comes.
    long NEVER = Long.MAX_VALUE;

    /// A number unique in this process, for logs.
    long id();

    /// Whether reads and writes wait (see above).
    boolean blocking();

    /// Reads up to `length` bytes, at least one of room. The end of input stays readable: who has
    /// seen it and does not close drops the interest in [#READ], or is called again and again.
    ///
    /// @return bytes read; 0 when none can be had now (never if [#blocking]); -1 at the end of
    ///   input
    int read(byte[] target, int offset, int length) throws IOException;

    /// Writes up to `length` bytes. Taken bytes may be held back until [#flush] says otherwise;
    /// they go on their way as soon as there is room and any interest is set.
    ///
    /// @return bytes taken, from 0 to `length`; on a blocking connection always `length`
    int write(byte[] source, int offset, int length) throws IOException;

    /// Writes as [#write] what is followed at once by more, so that both may travel together and
    /// the peer is woken once.
    default int writeAhead(byte[] source, int offset, int length) throws IOException {
        return write(source, offset, length);
    }

    /// Pushes out what this connection holds back itself (TLS records).
    ///
    /// @return whether nothing is held back any more
    boolean flush() throws IOException;

    /// Sends a part of a file, without copying it through the heap where the transport can.
    ///
    /// @return bytes sent, 0 when the peer takes none now; -1 when the file ends before `position`
    ///   + 1
    long sendFile(FileChannel file, long position, long count) throws IOException;

    /// Waits until one of `operations` ([#READ], [#WRITE]) is possible. Never on a loop thread of a
    /// non-blocking connection. On a blocking one `WRITE` is always possible: the write waits; and
    /// 0 only lets the time pass, while others may work on the connection.
    ///
    /// @return false when the time ran out; true is a hint, and the next read or write may still
    ///   give 0
    /// @throws IOException when the connection is closed meanwhile
    boolean await(int operations, long timeoutNanos) throws IOException;

    /// Has another handler take the connection over: it gets all events from now on. On the loop
    /// thread.
    void handler(ConnectionHandler next);

    /// Says which events the handler wants from now on; 0 hands the connection to another thread.
    void interest(int operations);

    /// Runs a task on the connection's loop thread, after the current event. Tasks run in order;
    /// they still run when the connection is closed.
    void execute(Runnable task);

    /// Has the connection's loop run a task that may wait, on its own thread, after the events that
    /// it is delivering. To the task that thread is none of the loop's: it owns the connection as a
    /// worker would. When it is slow, another thread takes the loop over.
    ///
    /// @return false when it does not, as always from other threads and on blocking connections:
    ///   the task needs a thread of its own
    default boolean runAsLeader(LeaderTask task) {
        return false;
    }

    /// Has the connection's loop run a step after the events of its round, where others wait for
    /// their turn ([Dialer#atRoundEnd]).
    ///
    /// @return false when it does not, as always from other threads and on blocking connections:
    ///   the caller does it now
    default boolean atRoundEnd(Runnable step) {
        return false;
    }

    /// Has the connection's loop run a step that computes for some part of a millisecond, and never
    /// waits: after the events of this round, or of one of the next, for a loop takes a millisecond
    /// of a round for such steps in all. A loop that ends drops those that wait.
    ///
    /// @return false when it does not, because too many wait already, as always from other threads
    ///   and on blocking connections: the step needs another thread
    default boolean compute(Runnable step) {
        return false;
    }

    /// Whether the caller is on the connection's loop thread.
    boolean inLoop();

    /// Sets the one deadline of this connection: [ConnectionHandler#onDeadline] is called once,
    /// within 100 ms after `System.nanoTime()` passes it, on the loop thread, unless it was moved.
    ///
    /// @param nanoTime a value of `System.nanoTime()`, or [#NEVER]
    void deadline(long nanoTime);

    /// Ends the output (TCP FIN, after TLS close_notify); input stays open.
    void shutdownOutput() throws IOException;

    /// Closes both directions. Idempotent; [ConnectionHandler#onClosed] follows on the loop thread.
    void close();

    /// Closes at once with a reset where the transport can, so that the peer sees a failure and not
    /// an end.
    void reset();

    /// Whether [#close] or [#reset] has been called or the transport has closed it.
    boolean isClosed();

    /// Whether the peer is known to have ended its output or the connection, also where input that
    /// nobody has read comes before that. For the owner; asks the kernel where the transport can.
    default boolean hasHungUp() {
        return isClosed();
    }

    /// The address on this side, or the one that a load balancer has told.
    SocketAddress local();

    /// The address of the peer, or the one that a load balancer has told.
    SocketAddress remote();

    /// Opens connections that live on this connection's loop; of a blocking connection, on a loop
    /// of its own beside it.
    Dialer dialer();

    /// Takes over the addresses that a load balancer tells, before anything else is read.
    ///
    /// @return false when the client has as many connections as it may
    default boolean standsFor(ProxyHeader told) {
        throw new UnsupportedOperationException("no load balancer is expected here");
    }

    /// What a load balancer has told of the client; null where none is expected.
    default @Nullable ProxyHeader proxied() {
        return null;
    }

    /// What the TLS handshake agreed on; null on a plain connection and before the handshake's end.
    default @Nullable TlsSession tls() {
        return null;
    }
}
