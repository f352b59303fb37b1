package io.margay.transport.quic;

import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// One of the loops of a [DatagramListener], with a socket of its own at the listener's address, on
/// which what is made of its datagrams lives. [#execute], [#inLoop] and [#address] are for any
/// thread, the rest for the loop's own.
public interface DatagramLoop {
    /// Takes what comes. Called on the loop.
    interface Handler {
        /// A datagram has come.
        ///
        /// @param bytes valid during the call only, which may change them
        /// @param local the address that it was sent to; a wildcard where that is not known
        /// @param ecn its mark: 0 none, 1 ECT(1), 2 ECT(0), 3 congestion
        void received(
                byte[] bytes, int from, int to, InetSocketAddress peer, InetAddress local, int ecn);

        /// The datagrams are looked at that had come, and the socket takes more again if it did
        /// not.
        void roundEnded();

        /// The socket is about to be closed.
        void closing();
    }

    /// Begins to listen; once.
    void start(Handler handler);

    /// The address that is bound, with the real port.
    InetSocketAddress address();

    /// Whether the system takes datagrams now; if not, [Handler#roundEnded] follows when it does.
    boolean hasRoom();

    /// Sends a datagram, at [#flush] at the latest. One that the system does not take is lost, as
    /// any may be.
    ///
    /// @param local the address that it leaves from; a wildcard lets the system choose
    /// @param marked whether it says ECT(0)
    void send(byte[] bytes, int length, InetSocketAddress peer, InetAddress local, boolean marked);

    /// Hands the system what waits for it.
    void flush();

    /// Begins a handshake of QUIC.
    QuicHandshake handshake();

    /// Opens connections on this loop, and makes timers on it.
    Dialer dialer();

    /// Whether the caller is on the loop.
    boolean inLoop();

    /// Runs a task on the loop, after what runs now.
    void execute(Runnable task);

    /// See [io.margay.transport.Connection#runAsLeader].
    boolean runAsLeader(LeaderTask task);

    /// See [io.margay.transport.Connection#atRoundEnd].
    boolean atRoundEnd(Runnable step);

    /// Has a step run at a time, to the millisecond; there is one such step.
    ///
    /// @param nanoTime a value of `System.nanoTime()`, or [io.margay.transport.Connection#NEVER]
    void alarm(long nanoTime, Runnable step);
}
