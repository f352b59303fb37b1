package io.margay.transport.datagram;

import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import io.margay.transport.HandshakeCounts;
import io.margay.transport.LeaderTask;
import io.margay.transport.TlsConfig;
import io.margay.transport.TransportConfig;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.Pollable;
import io.margay.transport.nio.NioSockets;
import io.margay.transport.quic.DatagramListener;
import io.margay.transport.quic.QuicHandshake;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/// A UDP channel on a selector of its own, whatever the transport of the listener beside it.
public final class LoopDatagrams implements DatagramListener, Pollable {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Octets that the largest datagram has.
    private static final int DATAGRAM_BYTES_MAX = 65_536;

    /// Datagrams that are looked at before anything else has its turn.
    private static final int ROUND_MAX = 64;

    /// What the system keeps of datagrams that nobody has looked at: a burst of some clients.
    private static final int SOCKET_BUFFER_BYTES = 2 * 1024 * 1024;

    private static final long JOIN_MILLIS = 5_000;

    private final EventLoop loop;
    private final TlsLayer tls;
    private final TlsLayer.Quic handshakes;
    private final DatagramChannel channel;
    private final InetSocketAddress address;
    private final ByteBuffer in = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    private final byte[] bytes = new byte[DATAGRAM_BYTES_MAX];
    private final ByteBuffer out = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    private @Nullable Handler handler;
    private volatile boolean closed;

    private LoopDatagrams(
            EventLoop loop,
            TlsLayer tls,
            TlsLayer.Quic handshakes,
            DatagramChannel channel,
            InetSocketAddress address) {
        this.loop = loop;
        this.tls = tls;
        this.handshakes = handshakes;
        this.channel = channel;
        this.address = address;
    }

    /// Makes one ready: its certificates are read.
    ///
    /// @throws io.margay.transport.TlsSetupException when this machine has no OpenSSL that can, or
    ///   a file cannot be used
    public static Prepared prepare(TlsConfig config, TransportConfig transport) {
        TlsLayer tls = new TlsLayer(transport, false);
        TlsLayer.Quic handshakes;
        try {
            handshakes = tls.quic(config);
        } catch (RuntimeException e) {
            tls.close();
            throw e;
        }
        return new Prepared() {
            @Override
            public DatagramListener open(InetSocketAddress at) throws IOException {
                try {
                    return bound(at, tls, handshakes, transport);
                } catch (IOException | RuntimeException e) {
                    close();
                    throw e;
                }
            }

            @Override
            public void close() {
                handshakes.close().run();
                tls.close();
            }
        };
    }

    private static LoopDatagrams bound(
            InetSocketAddress at, TlsLayer tls, TlsLayer.Quic handshakes, TransportConfig config)
            throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
                // For the process that takes over, and the listener after a reload.
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.bind(at);
            InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
            EventLoop loop = NioSockets.loop(tls);
            loop.start("margay-udp-" + bound.getPort(), config.onFatal()::fatal);
            return new LoopDatagrams(loop, tls, handshakes, channel, bound);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void start(Handler to) {
        loop.execute(() -> {
            handler = to;
            try {
                if (!closed) {
                    NioSockets.report(loop, channel, this);
                }
            } catch (IOException e) {
                throw new IllegalStateException("datagrams cannot be received", e);
            }
        });
    }

    @Override
    public void ready(int operations) {
        Handler to = handler;
        if (to == null || (operations & Connection.READ) == 0) {
            return;
        }
        for (int i = 0; i < ROUND_MAX && receive(to); i++) {}
        to.roundEnded();
    }

    private boolean receive(Handler to) {
        in.clear();
        InetSocketAddress peer;
        try {
            peer = (InetSocketAddress) channel.receive(in);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "a datagram cannot be received: " + e);
            return false;
        }
        if (peer == null) {
            return false;
        }
        int length = in.flip().remaining();
        in.get(bytes, 0, length);
        to.received(bytes, 0, length, peer);
        return true;
    }

    @Override
    public boolean send(byte[] source, int length, InetSocketAddress peer) {
        out.clear().put(source, 0, length).flip();
        try {
            return channel.send(out, peer) > 0;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "a datagram cannot be sent to " + peer + ": " + e);
            return true;
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public QuicHandshake handshake() {
        return handshakes.next().get();
    }

    @Override
    public Dialer dialer() {
        return loop.dialer();
    }

    @Override
    public boolean inLoop() {
        return loop.inLoop();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public boolean runAsLeader(LeaderTask task) {
        return loop.inLoop() && loop.runAsLeader(task);
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return loop.inLoop() && loop.atRoundEnd(step);
    }

    @Override
    public void alarm(long nanoTime, Runnable step) {
        loop.alarm(nanoTime, step);
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
        if (closed) {
            return;
        }
        closed = true;
        loop.execute(() -> {
            Handler to = handler;
            if (to != null) {
                to.closing();
            }
            try {
                channel.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "closing a UDP socket failed", e);
            }
        });
        loop.stop();
        try {
            loop.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        handshakes.close().run();
        tls.close();
    }
}
