package io.margay.transport.nativeio;

import io.margay.transport.BufferPool;
import io.margay.transport.loop.LoopDialer;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/// Connects descriptors on one epoll loop. Confined to it.
final class EpollDialer extends LoopDialer {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final EpollLoop home;
    private final Libc libc;
    private final BufferPool<EpollConnection.Transfer> transfers;

    EpollDialer(
            EpollLoop loop,
            TlsLayer tls,
            Libc libc,
            BufferPool<EpollConnection.Transfer> transfers) {
        super(loop, tls);
        this.home = loop;
        this.libc = libc;
        this.transfers = transfers;
    }

    @Override
    protected Pending connect(SocketAddress address, Dialling dialling) throws IOException {
        SocketAddresses addresses = home.addresses;
        int length =
                address instanceof UnixDomainSocketAddress unix
                        ? addresses.put(unix)
                        : addresses.put((InetSocketAddress) address);
        int fd = libc.socket(addresses.family());
        try {
            if (address instanceof InetSocketAddress) {
                libc.enable(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY);
            }
            Connecting connecting = new Connecting(fd, address, dialling);
            if (libc.connect(fd, addresses.address(), length)) {
                home.execute(connecting::finish);
            } else {
                home.add(fd, Libc.EPOLLOUT | Libc.EPOLLET, connecting);
                connecting.watched = true;
            }
            return connecting;
        } catch (IOException | RuntimeException e) {
            close(fd);
            throw e;
        }
    }

    /// A descriptor that is being connected.
    private final class Connecting implements Pending, EpollLoop.Target {
        private final int fd;
        private final SocketAddress remote;
        private final Dialling dialling;
        private boolean watched;
        private boolean over;

        private Connecting(int fd, SocketAddress remote, Dialling dialling) {
            this.fd = fd;
            this.remote = remote;
            this.dialling = dialling;
        }

        @Override
        public void epoll(int events) {
            finish();
        }

        private void finish() {
            if (over) {
                return;
            }
            over = true;
            EpollConnection made;
            try {
                libc.checkConnected(fd);
                if (watched) {
                    home.remove(fd);
                    watched = false;
                }
                made = new EpollConnection(home, null, libc, fd, transfers, local(), remote);
            } catch (IOException e) {
                release();
                dialling.failed(e);
                return;
            }
            dialling.connected(made);
        }

        private SocketAddress local() throws IOException {
            return remote instanceof UnixDomainSocketAddress
                    ? UnixDomainSocketAddress.of("")
                    : EpollAcceptor.boundAddress(libc, home.addresses, fd);
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
                home.forget(fd);
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
