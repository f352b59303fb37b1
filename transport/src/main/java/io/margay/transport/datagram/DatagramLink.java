package io.margay.transport.datagram;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.margay.transport.libc.DatagramCalls;
import io.margay.transport.libc.Libc;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// One end of a Unix socket between two processes, by which datagrams that one has received reach
/// their connections in the other. Sending is for any thread and never waits, receiving for one.
///
/// ```
/// place(2) mark(1) peer, local datagram; an address: length(1) octets scope(4) port(2)
/// ```
final class DatagramLink {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final int HEADER_BYTES = 64;
    private static final int BYTES = UdpSocket.DATAGRAM_BYTES_MAX + HEADER_BYTES;

    private final DatagramCalls calls;
    private final Libc libc = new Libc();
    private final int fd;
    private final MemorySegment errno = libc.allocate(8);
    private final MemorySegment memory = libc.allocate(BYTES);
    private final ByteBuffer out = memory.asByteBuffer();
    private volatile boolean ended;

    /// Guarded by this object's monitor.
    private boolean closed;

    /// Takes what comes by it.
    @FunctionalInterface
    interface Receiver {
        void received(int place, byte[] bytes, InetSocketAddress peer, InetAddress local, int ecn);
    }

    DatagramLink(int fd) {
        this.fd = fd;
        calls = new DatagramCalls(libc);
    }

    /// Sends a datagram. One that does not go is lost, as any may be.
    ///
    /// @param place which of the loops has its connection
    /// @return false when the other process has gone
    synchronized boolean send(
            int place,
            byte[] bytes,
            int from,
            int to,
            InetSocketAddress peer,
            InetAddress local,
            int ecn) {
        if (ended || closed) {
            return false;
        }
        out.clear().putShort((short) place).put((byte) ecn);
        put(peer.getAddress(), peer.getPort());
        put(local, 0);
        out.put(bytes, from, to - from);
        int r = calls.sendOne(errno, fd, memory, out.position());
        if (r == -Libc.EPIPE || r == -Libc.ECONNRESET || r == -Libc.ECONNREFUSED) {
            ended = true;
        }
        return !ended;
    }

    private void put(InetAddress ip, int port) {
        byte[] octets = ip.getAddress();
        out.put((byte) octets.length).put(octets);
        out.putInt(ip instanceof Inet6Address six ? six.getScopeId() : 0).putShort((short) port);
    }

    /// Receives until the other process has gone, or [#close].
    void run(Receiver to) {
        MemorySegment place = libc.allocate(BYTES);
        MemorySegment own = libc.allocate(8);
        while (!ended) {
            int length = calls.receiveOne(own, fd, place, BYTES);
            if (length == -Libc.EINTR) {
                continue;
            }
            if (length <= 0) {
                ended = true;
                return;
            }
            byte[] message = new byte[length];
            MemorySegment.copy(place, JAVA_BYTE, 0, message, 0, length);
            give(ByteBuffer.wrap(message), to);
        }
    }

    private static void give(ByteBuffer in, Receiver to) {
        try {
            int place = in.getShort() & 0xffff;
            int ecn = in.get();
            InetAddress ip = address(in);
            InetSocketAddress peer = new InetSocketAddress(ip, in.getShort() & 0xffff);
            InetAddress local = address(in);
            int _ = in.getShort();
            byte[] bytes = new byte[in.remaining()];
            in.get(bytes);
            to.received(place, bytes, peer, local, ecn);
        } catch (RuntimeException | UnknownHostException e) {
            LOG.log(Level.WARNING, "a datagram of the other process is not understood", e);
        }
    }

    private static InetAddress address(ByteBuffer in) throws UnknownHostException {
        byte[] octets = new byte[in.get()];
        in.get(octets);
        int scope = in.getInt();
        return scope == 0
                ? InetAddress.getByAddress(octets)
                : Inet6Address.getByAddress(null, octets, scope);
    }

    /// Whether the other process has closed its end.
    boolean hasEnded() {
        return ended || libc.hasHungUp(fd);
    }

    /// Has the thread in [#run] end.
    void end() {
        ended = true;
        try {
            libc.shutdown(fd);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "the other process has gone: " + e);
        }
    }

    /// Gives the descriptor back, when no thread is in [#run].
    synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                libc.close(fd);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "closing a link", e);
            }
        }
    }
}
