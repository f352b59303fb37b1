package io.margay.transport.datagram;

import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.Pollable;
import io.margay.transport.nio.NioSockets;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/// A channel: a system call for each datagram, which leaves from the address that the system
/// chooses, without marks. Works everywhere.
final class ChannelSocket implements UdpSocket {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Datagrams that are looked at before anything else has its turn.
    private static final int ROUND_MAX = 64;

    private final DatagramChannel channel;
    private final EventLoop loop;
    private final InetSocketAddress address;
    private final ByteBuffer in = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    private final byte[] bytes = new byte[DATAGRAM_BYTES_MAX];
    private final ByteBuffer out = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    private @Nullable Pollable reported;
    private boolean full;

    private ChannelSocket(DatagramChannel channel, EventLoop loop) throws IOException {
        this.channel = channel;
        this.loop = loop;
        address = (InetSocketAddress) channel.getLocalAddress();
    }

    static ChannelSocket bind(InetSocketAddress at, TlsLayer tls) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
                // For the listener after a reload.
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.bind(at);
            return new ChannelSocket(channel, NioSockets.loop(tls));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
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
        NioSockets.report(loop, channel, false, target);
        reported = target;
    }

    @Override
    public void pause() {
        throw new UnsupportedOperationException("channels are not handed over");
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public void receive(Receiver to) {
        for (int i = 0; i < ROUND_MAX && receiveOne(to); i++) {}
    }

    private boolean receiveOne(Receiver to) {
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
        to.received(bytes, 0, length, peer, address.getAddress(), 0);
        return true;
    }

    @Override
    public boolean hasRoom() {
        return !full;
    }

    @Override
    public void send(
            byte[] source, int length, InetSocketAddress peer, InetAddress local, boolean marked) {
        out.clear().put(source, 0, length).flip();
        try {
            if (channel.send(out, peer) == 0) {
                await(true);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "a datagram cannot be sent to " + peer + ": " + e);
        }
    }

    /// Whether the end of a lack of room is to be told.
    private void await(boolean forRoom) throws IOException {
        Pollable target = reported;
        if (full != forRoom && target != null) {
            full = forRoom;
            NioSockets.report(loop, channel, forRoom, target);
        }
    }

    @Override
    public void writable() {
        try {
            await(false);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "a channel cannot be waited for: " + e);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
