package io.margay.transport.epoll;

import io.margay.transport.BufferPool;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TransportConfig;
import io.margay.transport.libc.IoUringCalls;
import io.margay.transport.libc.Libc;
import io.margay.transport.libc.OpenDescriptors;
import io.margay.transport.libc.ProcessMemory;
import io.margay.transport.libc.SocketAddresses;
import io.margay.transport.loop.AcceptSource;
import io.margay.transport.loop.Connector;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopTransport;
import io.margay.transport.loop.Pollable;
import io.margay.transport.loop.Poller;
import io.margay.transport.loop.Sockets;
import io.margay.transport.tls.TlsLayer;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// Descriptors in Linux's epoll. Thread-safe.
public final class EpollSockets implements Sockets {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Bytes that one system call moves at most, but for large writes.
    static final int TRANSFER_BYTES = 64 * 1024;

    /// What the kernel takes of a connection's output beyond what the peer lets it send. Without a
    /// bound it takes megabytes, and a few hundred clients that read nothing fill the memory that
    /// all of the machine's TCP shares.
    private static final int UNSENT_BYTES_MAX = 64 * 1024;

    private static final int POOLED_TRANSFERS = 16;

    private final Libc libc = new Libc();
    private final SendRings rings;
    private final BufferPool<Transfer> transfers =
            new BufferPool<>(POOLED_TRANSFERS, () -> Transfer.allocate(TRANSFER_BYTES));

    private EpollSockets(SendRings rings) {
        this.rings = rings;
    }

    /// Epoll loops, one per processor: the transport `native`.
    ///
    /// @throws UnsupportedOperationException with the reason that [#probe] gives
    public static LoopTransport transport(TransportConfig config) throws IOException {
        probe().ifPresent(reason -> {
            throw new UnsupportedOperationException(reason);
        });
        return transport(config, new SendRings(new IoUringCalls(new Libc()), SendRings.allowed()));
    }

    /// A loop on epoll, beside those of a transport; not started. Only where [#probe] allows it.
    public static EventLoop loop(TlsLayer tls) throws IOException {
        SendRings rings = new SendRings(new IoUringCalls(new Libc()), SendRings.allowed());
        return LoopTransport.loop(new EpollSockets(rings), tls);
    }

    /// Has a loop of [#loop] report a descriptor as long as something can be read from it; on that
    /// loop.
    ///
    /// @param room whether it also reports that something can be written
    public static void report(EventLoop loop, int fd, boolean room, Pollable target)
            throws IOException {
        EpollPoller poller = (EpollPoller) loop.poller();
        poller.add(fd, Libc.EPOLLIN | (room ? Libc.EPOLLOUT : 0), target);
    }

    /// Has it reported no more, before it is closed or reported otherwise; on that loop.
    public static void forget(EventLoop loop, int fd) throws IOException {
        ((EpollPoller) loop.poller()).remove(fd);
    }

    static LoopTransport transport(TransportConfig config, SendRings rings) throws IOException {
        return new LoopTransport(config, new EpollSockets(rings));
    }

    /// Why this machine or process cannot use the native transport; empty when it can.
    public static Optional<String> probe() {
        Optional<String> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return obstacle;
        }
        try {
            Libc libc = new Libc();
            libc.close(libc.epollCreate());
            Libc.linkTransfers();
            return Optional.empty();
        } catch (IOException | RuntimeException | LinkageError e) {
            return Optional.of("epoll cannot be used here: " + e.getMessage());
        }
    }

    /// Why no function of the C library can be called.
    private static Optional<String> obstacle() {
        String os = System.getProperty("os.name", "");
        if (!os.equals("Linux")) {
            return Optional.of("the native transport needs Linux, this is " + os);
        }
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!arch.equals("amd64") && !arch.equals("x86_64") && !arch.equals("aarch64")) {
            return Optional.of("the native transport knows x86-64 and aarch64, this is " + arch);
        }
        if (!EpollSockets.class.getModule().isNativeAccessEnabled()) {
            return Optional.of(
                    "native access is not enabled; start Java with"
                            + " --enable-native-access=ALL-UNNAMED");
        }
        return Optional.empty();
    }

    /// Gives the system back what is free in the C library's allocator.
    ///
    /// @return false where there are no native calls, or none for this
    public static boolean trimHeap() {
        try {
            return obstacle().isEmpty() && ProcessMemory.trimHeap();
        } catch (LinkageError e) {
            return false; // A C library that lacks what is linked together with it.
        }
    }

    /// Takes pages out of the process's memory, which are those of a file, unchanged. Only where
    /// [#trimHeap] can be done.
    public static void dropPages(long address, long bytes) {
        ProcessMemory.dropPages(address, bytes);
    }

    @Override
    public String name() {
        return "native";
    }

    @Override
    public Poller poller() throws IOException {
        return new EpollPoller(libc, rings);
    }

    @Override
    public Connector connector(Poller poller) {
        return new EpollConnector((EpollPoller) poller, libc, transfers);
    }

    @Override
    public Bound bind(ListenerConfig config) throws IOException {
        SocketAddresses addresses = new SocketAddresses(libc);
        int server = bind(config, addresses);
        return new BoundDescriptor(server, EpollAcceptSource.boundAddress(libc, addresses, server));
    }

    private final class BoundDescriptor implements Bound {
        private final int server;
        private final SocketAddress address;

        private BoundDescriptor(int server, SocketAddress address) {
            this.server = server;
            this.address = address;
        }

        @Override
        public SocketAddress address() {
            return address;
        }

        @Override
        public boolean shared() {
            return true;
        }

        @Override
        public AcceptSource on(Poller poller) {
            return new EpollAcceptSource((EpollPoller) poller, libc, server, address, transfers);
        }

        @Override
        public void close() {
            EpollSockets.this.close(server);
            SocketFile.closed(address);
        }
    }

    private int bind(ListenerConfig config, SocketAddresses addresses) throws IOException {
        if (config.descriptor() != ListenerConfig.NO_DESCRIPTOR) {
            return adopt(config);
        }
        if (config.address() instanceof UnixDomainSocketAddress file) {
            return bindUnix(config, addresses, file);
        }
        InetSocketAddress address = (InetSocketAddress) config.address();
        if (address.isUnresolved()) {
            throw new UnknownHostException(address.getHostString());
        }
        if (address.getAddress().isAnyLocalAddress() && hasIpv6()) {
            return bind(config, addresses, new InetSocketAddress("::", address.getPort()));
        }
        return bind(config, addresses, address);
    }

    private int bind(ListenerConfig config, SocketAddresses addresses, InetSocketAddress address)
            throws IOException {
        int family = SocketAddresses.family(address.getAddress());
        int fd = libc.socket(family);
        try {
            if (family == Libc.AF_INET6) {
                // The wildcard takes IPv4 too, as the JDK's own channels do.
                libc.disable(fd, Libc.IPPROTO_IPV6, Libc.IPV6_V6ONLY);
            }
            libc.enable(fd, Libc.SOL_SOCKET, Libc.SO_REUSEADDR);
            // Accepted sockets inherit both.
            libc.enable(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY);
            boundUnsent(fd);
            libc.bind(fd, addresses.address(), addresses.put(address));
            libc.listen(fd, config.backlog());
            return fd;
        } catch (IOException e) {
            close(fd);
            throw bindFailure(address, e);
        }
    }

    private static BindException bindFailure(SocketAddress address, IOException e) {
        BindException failure =
                new BindException("cannot listen on " + address + ": " + e.getMessage());
        failure.initCause(e);
        return failure;
    }

    private int bindUnix(
            ListenerConfig config, SocketAddresses addresses, UnixDomainSocketAddress file)
            throws IOException {
        SocketFile.claim(file.getPath());
        int fd = libc.socket(Libc.AF_UNIX);
        try {
            libc.bind(fd, addresses.address(), addresses.put(file));
            SocketFile.protect(file.getPath(), config.access()); // Before anybody can connect.
            libc.listen(fd, config.backlog());
            return fd;
        } catch (IOException e) {
            close(fd);
            SocketFile.closed(file);
            throw bindFailure(file, e);
        }
    }

    /// Takes over a socket that another program, or another transport, has opened.
    private int adopt(ListenerConfig config) throws IOException {
        int fd = config.descriptor();
        libc.closeOnExec(fd);
        libc.nonBlocking(fd);
        if (!SocketFile.isUnix(OpenDescriptors.address(fd))) {
            libc.enable(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY);
            boundUnsent(fd);
        }
        libc.listen(fd, config.backlog());
        return fd;
    }

    private void boundUnsent(int fd) {
        try {
            libc.set(fd, Libc.IPPROTO_TCP, Libc.TCP_NOTSENT_LOWAT, UNSENT_BYTES_MAX);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "output that waits in the kernel has no bound", e);
        }
    }

    /// Whether an interface of this machine has an IPv6 address.
    public static boolean hasIpv6() {
        try {
            return !Boolean.getBoolean("java.net.preferIPv4Stack")
                    && !Files.readString(Path.of("/proc/net/if_inet6")).isBlank();
        } catch (IOException e) {
            return false;
        }
    }

    private void close(int fd) {
        try {
            libc.close(fd);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing failed", e);
        }
    }
}
