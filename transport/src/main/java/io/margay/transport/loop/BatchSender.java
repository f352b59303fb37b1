package io.margay.transport.loop;

import java.io.IOException;

/// Sends to several sockets of one loop by one system call, without waiting. Confined to the loop.
public interface BatchSender {
    /// The result of a send that was not tried: nothing was taken, nothing is known of the socket.
    int NOT_TRIED = Integer.MIN_VALUE;

    /// How many sends one call takes.
    int sendsMax();

    /// Copies what is to be sent.
    ///
    /// @return false when there is no room for it, or it is not a socket of this kind
    boolean put(LoopSocket socket, byte[] source, int offset, int length);

    /// Sends everything that was put, in order, and waits for none of it.
    void send();

    /// What has become of the send that was put as number `place`, from 0: bytes taken, 0 when
    /// there is no room now, [#NOT_TRIED], or another negative number that [#failure] explains.
    int result(int place);

    /// What such a number means.
    IOException failure(int result);
}
