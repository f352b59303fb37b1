package io.margay.transport.epoll;

import io.margay.transport.BufferPool;
import io.margay.transport.libc.Libc;
import io.margay.transport.libc.SocketAddresses;
import io.margay.transport.loop.Connector;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopConnection;
import io.margay.transport.loop.Pollable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/// Connects descriptors on one epoll loop. Confined to it.
record EpollConnector(EpollPoller poller, Libc libc, BufferPool<Transfer> transfers)
        implements Connector {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    @Override
    public Pending connect(SocketAddress address, EventLoop loop, Result result)
            throws IOException {
        SocketAddresses addresses = poller.addresses;
        int length =
                address instanceof UnixDomainSocketAddress unix
                        ? addresses.put(unix)
                        : addresses.put((InetSocketAddress) address);
        int fd = libc.socket(addresses.family());
        try {
            if (address instanceof InetSocketAddress) {
                libc.enable(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY);
            }
            Connecting connecting = new Connecting(loop, fd, address, result);
            if (libc.connect(fd, addresses.address(), length)) {
                loop.execute(connecting::finish);
            } else {
                poller.add(fd, Libc.EPOLLOUT | Libc.EPOLLET, connecting);
                connecting.watched = true;
            }
            return connecting;
        } catch (IOException | RuntimeException e) {
            close(fd);
            throw e;
        }
    }

    /// A descriptor that is being connected.
    private final class Connecting implements Pending, Pollable {
        private final EventLoop loop;
        private final int fd;
        private final SocketAddress remote;
        private final Result result;
        private boolean watched;
        private boolean over;

        private Connecting(EventLoop loop, int fd, SocketAddress remote, Result result) {
            this.loop = loop;
            this.fd = fd;
            this.remote = remote;
            this.result = result;
        }

        @Override
        public void ready(int operations) {
            finish();
        }

        private void finish() {
            if (over) {
                return;
            }
            over = true;
            EpollSocket socket;
            try {
                libc.checkConnected(fd);
                if (watched) {
                    poller.remove(fd);
                    watched = false;
                }
                socket = new EpollSocket(loop, libc, fd, transfers, local(), remote);
            } catch (IOException e) {
                release();
                result.failed(e);
                return;
            }
            result.connected(new LoopConnection(loop, null, socket));
        }

        private SocketAddress local() throws IOException {
            return remote instanceof UnixDomainSocketAddress
                    ? UnixDomainSocketAddress.of("")
                    : EpollAcceptSource.boundAddress(libc, poller.addresses, fd);
        }

        @Override
        public void cancel() {
            if (!over) {
                over = true;
                release();
            }
        }

        private void release() {
            if (watched) {
                poller.forget(fd);
            }
            close(fd);
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
