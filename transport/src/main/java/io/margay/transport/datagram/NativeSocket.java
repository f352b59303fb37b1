package io.margay.transport.datagram;

import io.margay.transport.epoll.EpollSockets;
import io.margay.transport.libc.DatagramCalls;
import io.margay.transport.libc.Libc;
import io.margay.transport.libc.SocketAddresses;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.Pollable;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// A descriptor of Linux, which moves many datagrams by a call, leaves from the address that was
/// asked, reads and writes marks of congestion, and never has datagrams fragmented.
final class NativeSocket implements UdpSocket {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Options and their values; a socket of IPv6 has those of IP for clients of IPv4.
    private static final int[] IP = {
        DatagramCalls.IP_RECVTOS, 1, DatagramCalls.IP_MTU_DISCOVER, DatagramCalls.PMTUDISC_PROBE
    };

    private static final int[] IPV6 = {
        DatagramCalls.IPV6_RECVTCLASS,
        1,
        DatagramCalls.IPV6_MTU_DISCOVER,
        DatagramCalls.PMTUDISC_PROBE
    };

    private final int fd;
    private final EventLoop loop;
    private final InetSocketAddress address;
    private final ReceivedMessages received;
    private final SentMessages sent;
    private @Nullable Pollable reported;
    private boolean full;

    private NativeSocket(
            Libc libc, int fd, InetSocketAddress address, boolean cuts, EventLoop loop) {
        this.fd = fd;
        this.loop = loop;
        this.address = address;
        boolean v6 = address.getAddress() instanceof Inet6Address;
        Names names = new Names(v6);
        received = new ReceivedMessages(libc, names, address.getAddress());
        sent = new SentMessages(libc, new DatagramCalls(libc)::send, names, v6, cuts);
    }

    static NativeSocket bind(InetSocketAddress at, TlsLayer tls) throws IOException {
        InetAddress ip = at.getAddress();
        InetSocketAddress where =
                ip.isAnyLocalAddress() && EpollSockets.hasIpv6()
                        ? new InetSocketAddress("::", at.getPort())
                        : at;
        Libc libc = new Libc();
        DatagramCalls calls = new DatagramCalls(libc);
        SocketAddresses addresses = new SocketAddresses(libc);
        int fd = calls.socket(SocketAddresses.family(where.getAddress()));
        try {
            if (where.getAddress() instanceof Inet6Address) {
                libc.disable(fd, Libc.IPPROTO_IPV6, Libc.IPV6_V6ONLY);
            }
            // For the other loops, and the listener after a reload.
            libc.enable(fd, Libc.SOL_SOCKET, DatagramCalls.SO_REUSEPORT);
            libc.set(fd, Libc.SOL_SOCKET, DatagramCalls.SO_RCVBUF, BUFFER_BYTES);
            libc.set(fd, Libc.SOL_SOCKET, DatagramCalls.SO_SNDBUF, BUFFER_BYTES);
            libc.bind(fd, addresses.address(), addresses.put(where));
            return of(libc, fd, tls);
        } catch (IOException | RuntimeException e) {
            libc.close(fd);
            BindException failure =
                    new BindException("cannot bind " + where + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /// One that is bound, perhaps by another process.
    static NativeSocket of(Libc libc, int fd, TlsLayer tls) throws IOException {
        SocketAddresses addresses = new SocketAddresses(libc);
        libc.getsockname(fd, addresses.address(), addresses.length());
        boolean v6 = addresses.family() == Libc.AF_INET6;
        InetSocketAddress bound = addresses.get();
        boolean cuts = wish(libc, fd, DatagramCalls.IPPROTO_UDP, DatagramCalls.UDP_SEGMENT, 0);
        boolean _ = wish(libc, fd, DatagramCalls.IPPROTO_UDP, DatagramCalls.UDP_GRO, 1);
        options(libc, fd, DatagramCalls.IPPROTO_IP, IP);
        if (v6) {
            options(libc, fd, Libc.IPPROTO_IPV6, IPV6);
        }
        if (bound.getAddress().isAnyLocalAddress()) {
            int level = v6 ? Libc.IPPROTO_IPV6 : DatagramCalls.IPPROTO_IP;
            int option = v6 ? DatagramCalls.IPV6_RECVPKTINFO : DatagramCalls.IP_PKTINFO;
            boolean _ = wish(libc, fd, level, option, 1);
        }
        return new NativeSocket(libc, fd, bound, cuts, EpollSockets.loop(tls));
    }

    private static void options(Libc libc, int fd, int level, int[] options) {
        for (int i = 0; i < options.length; i += 2) {
            boolean _ = wish(libc, fd, level, options[i], options[i + 1]);
        }
    }

    /// Sets an option without which it goes, too.
    private static boolean wish(Libc libc, int fd, int level, int option, int value) {
        try {
            libc.set(fd, level, option, value);
            return true;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "option " + option + " of UDP: " + e.getMessage());
            return false;
        }
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void report(Pollable target) throws IOException {
        EpollSockets.report(loop, fd, false, target);
        reported = target;
    }

    @Override
    public void pause() throws IOException {
        if (reported != null) {
            EpollSockets.forget(loop, fd);
            reported = null;
        }
        if (full) {
            full = false; // Nothing reports room from now on: what waits is lost.
            sent.drop();
        }
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public void receive(Receiver to) {
        received.receive(fd, to);
    }

    @Override
    public boolean hasRoom() {
        return !full;
    }

    @Override
    public void send(
            byte[] source, int length, InetSocketAddress peer, InetAddress local, boolean marked) {
        if (!sent.add(source, length, peer, local, marked)) {
            flush();
            boolean _ = sent.add(source, length, peer, local, marked);
        }
    }

    @Override
    public void flush() {
        if (!full && !sent.send(fd)) {
            await(true);
        }
    }

    @Override
    public void writable() {
        if (full) {
            await(false);
            flush();
        }
    }

    /// Whether the end of a lack of room is to be told.
    private void await(boolean forRoom) {
        Pollable target = reported;
        if (target == null) {
            sent.drop(); // Another process waits for this socket.
            return;
        }
        full = forRoom;
        try {
            EpollSockets.forget(loop, fd);
            EpollSockets.report(loop, fd, forRoom, target);
        } catch (IOException e) {
            throw new IllegalStateException("a socket of UDP cannot be waited for", e);
        }
    }

    @Override
    public void close() throws IOException {
        pause();
        new Libc().close(fd);
    }
}
