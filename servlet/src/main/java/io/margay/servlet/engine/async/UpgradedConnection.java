package io.margay.servlet.engine.async;

import io.margay.server.exchange.MemoryBudget;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An upgraded connection as upgrade handlers of the container itself use it, beyond the standard
/// streams: bytes without listeners, and work in tasks of the connection.
///
/// Tasks run one at a time, each on a thread that may wait. [#enqueue], [#inTask], [#close] and
/// [#abort] may be called from any thread; everything else in a task only.
public interface UpgradedConnection extends WebConnection {
    /// Runs a task after those asked for before; never, once the connection has ended.
    void enqueue(Runnable task);

    /// Whether the calling thread runs a task of this connection.
    boolean inTask();

    /// Reads what has come.
    ///
    /// @return bytes read; 0 when there is nothing now; -1 at the end of input
    int poll(byte[] target, int offset, int length) throws IOException;

    /// Runs a task once, as soon as [#poll] has something to say. One at a time.
    void onReadable(Runnable task);

    /// Whether the peer has been sent all that was given.
    boolean writable();

    /// Runs a task once, as soon as it is writable or has failed. One at a time.
    void onWritable(Runnable task);

    /// Gives bytes to send, without waiting; only while it is writable.
    void offer(byte[] source, int offset, int length) throws IOException;

    /// Gives bytes to send, and waits until they have been sent.
    void write(byte[] source, int offset, int length) throws IOException;

    /// Forgets fields of the request that nobody asks for any more.
    void forget(Set<String> fields);

    /// What clients may make the server hold.
    MemoryBudget memory();

    /// Why the connection failed, or null.
    @Nullable IOException failure();

    /// Ends the connection after what was given has been sent.
    @Override
    void close();

    /// Breaks the connection off.
    void abort();
}
