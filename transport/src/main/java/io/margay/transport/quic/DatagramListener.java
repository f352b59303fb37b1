package io.margay.transport.quic;

import io.margay.transport.Dialer;
import io.margay.transport.HandshakeCounts;
import io.margay.transport.LeaderTask;
import java.io.IOException;
import java.net.InetSocketAddress;

/// A UDP socket with a loop of its own, on which what is made of its datagrams lives. [#address],
/// [#execute], [#inLoop], [#reloadCertificates], [#handshakes] and [#close] are for any thread, the
/// rest for the loop's own.
public interface DatagramListener extends AutoCloseable {
    /// Takes what comes. Called on the loop.
    interface Handler {
        /// A datagram has come.
        ///
        /// @param bytes valid during the call only, which may change them
        void received(byte[] bytes, int from, int to, InetSocketAddress peer);

        /// The datagrams are looked at that had come.
        void roundEnded();

        /// The socket is about to be closed.
        void closing();
    }

    /// A socket that is about to be opened. Opened or closed, once.
    interface Prepared {
        /// Opens it and starts its loop.
        ///
        /// @throws java.net.BindException when the address is in use or not of this machine
        DatagramListener open(InetSocketAddress address) throws IOException;

        /// It is not wanted any more.
        void close();
    }

    /// Begins to listen; once.
    void start(Handler handler);

    /// The address that is bound, with the real port.
    InetSocketAddress address();

    /// Sends a datagram. One that the system does not take is lost, as any may be.
    ///
    /// @return false when the system takes no more now
    boolean send(byte[] bytes, int length, InetSocketAddress peer);

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

    /// See [io.margay.transport.Listener#reloadCertificates].
    void reloadCertificates();

    /// See [io.margay.transport.Listener#handshakes].
    HandshakeCounts handshakes();

    /// Closes the socket and ends the loop, after [Handler#closing].
    @Override
    void close();
}
