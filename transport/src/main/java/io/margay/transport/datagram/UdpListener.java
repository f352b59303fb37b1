package io.margay.transport.datagram;

import io.margay.transport.HandshakeCounts;
import io.margay.transport.TlsConfig;
import io.margay.transport.TransportConfig;
import io.margay.transport.epoll.EpollSockets;
import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.libc.DatagramCalls;
import io.margay.transport.libc.Libc;
import io.margay.transport.quic.DatagramListener;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A port of UDP with a socket for each of its loops, whatever the transport of the listener beside
/// it: on Linux native ones, of which the system gives a client always the same; elsewhere one
/// channel. Thread-safe.
public final class UdpListener implements DatagramListener {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final long LEAVE_SECONDS = 2;
    private static final long LINK_MILLIS = 5_000;

    private final TlsLayer tls;
    private final TlsLayer.Quic handshakes;
    private final List<LoopDatagrams> loops;

    /// The server before, or null.
    private final @Nullable DatagramLink before;

    private final byte @Nullable [] stateBefore;

    // Guarded by the object's monitor
    private @Nullable DatagramLink next;
    private @Nullable Thread returns;
    private boolean closed;

    /// @param kept what was taken over from the server before, or null
    UdpListener(
            TlsLayer tls,
            TlsLayer.Quic handshakes,
            List<LoopDatagrams> loops,
            @Nullable DatagramSockets kept) {
        this.tls = tls;
        this.handshakes = handshakes;
        this.loops = loops;
        before = kept == null ? null : new DatagramLink(kept.link());
        stateBefore = kept == null ? null : kept.state();
    }

    /// Makes one ready: its certificates are read.
    ///
    /// @param kept sockets of the server before, which become this one's, or null
    /// @param whenAlone runs what is to be done when that server receives no more
    /// @throws io.margay.transport.TlsSetupException when this machine has no OpenSSL that can, or
    ///   a file cannot be used
    public static Prepared prepare(
            TlsConfig config,
            TransportConfig transport,
            @Nullable DatagramSockets kept,
            Consumer<Runnable> whenAlone) {
        TlsLayer tls = new TlsLayer(transport, false);
        TlsLayer.Quic handshakes;
        try {
            handshakes = tls.quic(config);
        } catch (RuntimeException e) {
            tls.close();
            discard(kept);
            throw e;
        }
        return new Prepared() {
            @Override
            public DatagramListener open(InetSocketAddress at) throws IOException {
                List<UdpSocket> sockets;
                try {
                    sockets =
                            kept == null
                                    ? sockets(at, tls, transport.loops())
                                    : sockets(kept.descriptors(), tls);
                } catch (IOException | RuntimeException e) {
                    close();
                    throw e;
                }
                List<LoopDatagrams> loops = started(sockets, handshakes, kept == null, transport);
                return opened(new UdpListener(tls, handshakes, loops, kept), whenAlone);
            }

            @Override
            public void close() {
                handshakes.close().run();
                tls.close();
                discard(kept);
            }
        };
    }

    /// Has one receive when it may.
    static UdpListener opened(UdpListener made, Consumer<Runnable> whenAlone) {
        if (made.before != null) {
            whenAlone.accept(() -> made.loops.forEach(LoopDatagrams::resume));
        }
        return made;
    }

    private static void discard(@Nullable DatagramSockets kept) {
        try {
            if (kept != null) {
                kept.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing sockets of UDP", e);
        }
    }

    static List<LoopDatagrams> started(
            List<UdpSocket> sockets,
            TlsLayer.Quic handshakes,
            boolean receives,
            TransportConfig config) {
        List<LoopDatagrams> loops = new ArrayList<>();
        for (UdpSocket socket : sockets) {
            String name = "margay-udp-" + socket.address().getPort() + "-" + loops.size();
            loops.add(
                    new LoopDatagrams(socket, handshakes.next(), receives, name, config.onFatal()));
        }
        return List.copyOf(loops);
    }

    /// Sockets at one port, each with a loop that is not started.
    static List<UdpSocket> sockets(InetSocketAddress at, TlsLayer tls, int count)
            throws IOException {
        if (EpollSockets.probe().isPresent()) {
            return List.of(ChannelSocket.bind(at, tls));
        }
        List<UdpSocket> made = new ArrayList<>();
        try {
            InetSocketAddress next = at;
            for (int i = 0; i < count; i++) {
                made.add(NativeSocket.bind(next, tls));
                next = made.getFirst().address();
            }
            return List.copyOf(made);
        } catch (IOException | RuntimeException e) {
            for (UdpSocket each : made) {
                each.close();
                each.loop().discard();
            }
            throw e;
        }
    }

    /// The same of sockets that are open; all of them, for each gets its part of the clients.
    static List<UdpSocket> sockets(List<Integer> descriptors, TlsLayer tls) throws IOException {
        List<UdpSocket> made = new ArrayList<>();
        for (int fd : descriptors) {
            Libc libc = new Libc();
            libc.closeOnExec(fd);
            made.add(NativeSocket.of(libc, fd, tls));
        }
        return List.copyOf(made);
    }

    @Override
    public List<LoopDatagrams> loops() {
        return loops;
    }

    @Override
    public byte @Nullable [] before() {
        return stateBefore;
    }

    @Override
    public boolean giveBack(
            int place,
            byte[] bytes,
            int from,
            int to,
            InetSocketAddress peer,
            InetAddress local,
            int ecn) {
        DatagramLink link = before;
        return link != null && link.send(place, bytes, from, to, peer, local, ecn);
    }

    @Override
    public synchronized boolean relays() {
        return !closed && returns != null && before != null && !before.hasEnded();
    }

    @Override
    public synchronized @Nullable DatagramSockets handOver(byte[] state) throws IOException {
        List<Integer> descriptors = loops.stream().map(LoopDatagrams::descriptor).toList();
        if (closed || descriptors.contains(-1) || returns != null) {
            return null;
        }
        if (next != null) {
            next.close(); // Of an attempt that came to nothing.
        }
        int[] pair = new DatagramCalls(new Libc()).pair();
        next = new DatagramLink(pair[0]);
        return new DatagramSockets(descriptors, pair[1], state);
    }

    @Override
    public void leave(Returned returned) {
        Thread returning;
        synchronized (this) {
            DatagramLink link = next;
            if (closed || returns != null) {
                return;
            }
            returning = link == null || link.hasEnded() ? null : returning(link, returned);
            returns = returning;
        }
        if (returning == null) {
            close();
            return;
        }
        CountDownLatch paused = new CountDownLatch(loops.size());
        loops.forEach(each -> each.pause(paused::countDown));
        try {
            boolean _ = paused.await(LEAVE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        returning.start();
    }

    private Thread returning(DatagramLink link, Returned returned) {
        return Thread.ofPlatform()
                .name("margay-udp-returned")
                .daemon()
                .unstarted(() -> receiveReturned(link, returned));
    }

    /// Where the other server ends, or has no use for the sockets, they are this one's again.
    private void receiveReturned(DatagramLink link, Returned returned) {
        link.run(returned::received);
        loops.forEach(LoopDatagrams::resume);
    }

    @Override
    public void reloadCertificates() {
        handshakes.reload().run();
    }

    @Override
    public HandshakeCounts handshakes() {
        return handshakes.handshakes().get();
    }

    @Override
    public void close() {
        DatagramLink link;
        Thread thread;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            link = next;
            thread = returns;
        }
        loops.forEach(LoopDatagrams::close);
        if (link != null) {
            link.end();
        }
        try {
            for (LoopDatagrams loop : loops) {
                loop.join();
            }
            if (thread != null) {
                thread.join(LINK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (link != null && (thread == null || !thread.isAlive())) {
            link.close();
        }
        if (before != null) {
            before.close();
        }
        handshakes.close().run();
        tls.close();
    }
}
