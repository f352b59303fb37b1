package io.margay.transport.nativeio;

import io.margay.transport.BufferPool;
import io.margay.transport.loop.Acceptor;
import io.margay.transport.loop.LoopListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Accepts on each loop from the one listening socket; EPOLLEXCLUSIVE wakes one loop for a
/// connection. Confined to its loop.
final class EpollAcceptor extends Acceptor implements EpollLoop.Target {
    private final EpollLoop home;
    private final Libc libc;
    private final int server;
    private final BufferPool<EpollConnection.Transfer> transfers;

    /// The address of all connections, or null when each has its own (wildcard).
    private final @Nullable InetSocketAddress local;

    private boolean reporting;

    EpollAcceptor(
            EpollLoop loop,
            LoopListener listener,
            Libc libc,
            int server,
            BufferPool<EpollConnection.Transfer> transfers) {
        super(loop, listener);
        this.home = loop;
        this.libc = libc;
        this.server = server;
        this.transfers = transfers;
        InetSocketAddress bound = (InetSocketAddress) listener.address();
        this.local = bound.getAddress().isAnyLocalAddress() ? null : bound;
    }

    @Override
    public void epoll(int events) {
        acceptable();
    }

    @Override
    protected void report(boolean on) throws IOException {
        if (on == reporting) {
            return;
        }
        reporting = on;
        if (on) {
            home.add(server, Libc.EPOLLIN | Libc.EPOLLEXCLUSIVE, this);
        } else {
            home.remove(server);
        }
    }

    @Override
    protected @Nullable Accepted accept() throws IOException {
        SocketAddresses addresses = home.addresses;
        int fd = libc.accept(server, addresses.address(), addresses.length());
        if (fd < 0) {
            return null;
        }
        try {
            InetSocketAddress remote = addresses.get();
            InetSocketAddress own = local == null ? boundAddress(libc, addresses, fd) : local;
            return target ->
                    new EpollConnection(
                            (EpollLoop) target, listener, libc, fd, transfers, own, remote);
        } catch (IOException e) {
            libc.close(fd);
            throw e;
        }
    }

    static InetSocketAddress boundAddress(Libc libc, SocketAddresses addresses, int fd)
            throws IOException {
        libc.getsockname(fd, addresses.address(), addresses.length());
        return addresses.get();
    }

    @Override
    protected void turnAwayOne() throws IOException {
        int fd = libc.accept(server, home.addresses.address(), home.addresses.length());
        if (fd >= 0) {
            libc.lingerZero(fd);
            libc.close(fd);
        }
    }

    @Override
    protected void release() {}

    @Override
    protected boolean shared() {
        return true;
    }
}
