package io.margay.transport.epoll;

import io.margay.transport.BufferPool;
import io.margay.transport.libc.Libc;
import io.margay.transport.libc.SocketAddresses;
import io.margay.transport.loop.AcceptSource;
import io.margay.transport.loop.Pollable;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The one listening socket as a loop sees it; EPOLLEXCLUSIVE wakes one loop for a connection.
/// Confined to its loop.
final class EpollAcceptSource implements AcceptSource {
    private final EpollPoller poller;
    private final Libc libc;
    private final int server;
    private final BufferPool<Transfer> transfers;

    /// The address of all connections, or null when each has its own (wildcard).
    private final @Nullable SocketAddress local;

    /// The address of all clients, or null when each has its own.
    private final @Nullable SocketAddress remote;

    private boolean reporting;

    /// @param bound the address that `server` listens on
    EpollAcceptSource(
            EpollPoller poller,
            Libc libc,
            int server,
            SocketAddress bound,
            BufferPool<Transfer> transfers) {
        this.poller = poller;
        this.libc = libc;
        this.server = server;
        this.transfers = transfers;
        this.remote = SocketFile.isUnix(bound) ? SocketFile.LOCAL : null;
        boolean everywhere =
                bound instanceof InetSocketAddress inet && inet.getAddress().isAnyLocalAddress();
        this.local = remote != null ? remote : everywhere ? null : bound;
    }

    @Override
    public void report(Pollable target, boolean on) throws IOException {
        if (on == reporting) {
            return;
        }
        reporting = on;
        if (on) {
            poller.add(server, Libc.EPOLLIN | Libc.EPOLLEXCLUSIVE, target);
        } else {
            poller.remove(server);
        }
    }

    @Override
    public @Nullable Accepted accept() throws IOException {
        SocketAddresses addresses = poller.addresses;
        int fd = libc.accept(server, addresses.address(), addresses.length());
        if (fd < 0) {
            return null;
        }
        try {
            SocketAddress client = remote == null ? addresses.get() : remote;
            SocketAddress own = local == null ? boundAddress(libc, addresses, fd) : local;
            return target -> new EpollSocket(target, libc, fd, transfers, own, client);
        } catch (IOException e) {
            libc.close(fd);
            throw e;
        }
    }

    static SocketAddress boundAddress(Libc libc, SocketAddresses addresses, int fd)
            throws IOException {
        libc.getsockname(fd, addresses.address(), addresses.length());
        return addresses.bound();
    }

    @Override
    public void turnAwayOne() throws IOException {
        int fd = libc.accept(server, poller.addresses.address(), poller.addresses.length());
        if (fd >= 0) {
            libc.lingerZero(fd);
            libc.close(fd);
        }
    }

    @Override
    public void close() {}

    @Override
    public boolean shared() {
        return true;
    }
}
