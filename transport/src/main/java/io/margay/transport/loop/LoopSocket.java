package io.margay.transport.loop;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;

/// The socket of a [LoopConnection]: moves bytes, and never waits.
///
/// [#register], [#unregister] and [#arm] are called on the loop. The others are called by the
/// connection's owner, one at a time; of an edge-triggered socket never after [#close].
public interface LoopSocket {
    /// Whether events are reported once, as they come, and not again while they hold.
    boolean edgeTriggered();

    /// Has events reported to `target` from now on. Called once.
    ///
    /// @param operations which, where the socket is level-triggered; an edge-triggered one reports
    ///   all
    void register(Pollable target, int operations) throws IOException;

    /// The connection ends; its events are not wanted any more.
    void unregister();

    /// Changes which events are reported; level-triggered only.
    void arm(int operations);

    /// How much of `length` one call of [#read] can give.
    int readMax(int length);

    /// How much of `length` the connection takes before it returns to its caller.
    int writeMax(int length);

    /// Reads what is there. A read that gives less than it was asked for has found the end of what
    /// is there for now, where the socket is edge-triggered.
    ///
    /// @return bytes read; 0 when there are none now; -1 at the end of input
    int read(byte[] target, int offset, int length) throws IOException;

    /// Writes what there is room for.
    ///
    /// @param more whether more follows at once
    /// @return bytes taken; 0 when there is no room now
    int write(byte[] source, int offset, int length, boolean more) throws IOException;

    /// Sends a part of a file.
    ///
    /// @return bytes sent; 0 when there is no room now; -1 when the file ends before `position` + 1
    long sendFile(FileChannel file, long position, long count) throws IOException;

    /// Whether the peer is known to have ended its output or the connection; asks the kernel where
    /// it can.
    default boolean hasHungUp() {
        return false;
    }

    /// Ends the output.
    void shutdownOutput() throws IOException;

    /// Closes the socket. Called once, when nobody is reading or writing.
    void close(boolean withReset);

    /// The address on this side.
    SocketAddress local();

    /// The address of the peer.
    SocketAddress remote();
}
