package io.margay.server.http3;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.crypto.CipherSuite;
import io.margay.protocol.quic.crypto.KeyPhases;
import io.margay.protocol.quic.frame.AckFrame;
import io.margay.protocol.quic.frame.FrameReader;
import io.margay.protocol.quic.frame.FrameSink;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.packet.LongHeader;
import io.margay.protocol.quic.packet.PacketNumbers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A client with a socket on loopback that has made the handshake of [PlainHandshake] and then
/// sends the frames that it likes. It acknowledges nothing by itself.
final class RogueHttp3 implements AutoCloseable {
    private static final int PACKET_BYTES = 1_400;
    private static final int ID_BYTES = 8;

    final KeyPhases keys =
            new KeyPhases(
                    QuicVersion.V1,
                    CipherSuite.AES_128_GCM_SHA256,
                    PlainHandshake.ofServer(PlainHandshake.ONE_RTT),
                    PlainHandshake.ofClient(PlainHandshake.ONE_RTT));

    /// The packet number that comes next.
    long number = 1_000;

    /// The largest packet number of the server.
    long largest = -1;

    /// Streams that may be begun, all in all.
    long streamsMax = 100;

    private final LoopbackClient client;
    private final ByteBuffer in = ByteBuffer.allocate(65_536);
    private final byte[] payload = new byte[65_536];
    private final FrameReader reader = new FrameReader(false);
    private final FrameSink sink;
    private boolean closed;

    RogueHttp3(InetSocketAddress server, ConnectionOptions options) throws IOException {
        client = new LoopbackClient(server, options, new byte[0]).connect();
        sink =
                (FrameSink)
                        Proxy.newProxyInstance(
                                RogueHttp3.class.getClassLoader(),
                                new Class<?>[] {FrameSink.class},
                                (_, method, arguments) -> got(method.getName(), arguments));
    }

    private @Nullable Object got(String frame, Object[] arguments) {
        switch (frame) {
            case "close" -> closed = true;
            case "ack" -> keys.acknowledged(((AckFrame) arguments[0]).largest());
            case "maxStreams" -> {
                if ((boolean) arguments[0]) {
                    streamsMax = Math.max(streamsMax, (long) arguments[1]);
                }
            }
            default -> {}
        }
        return null;
    }

    /// Whether the server has not said that it is over.
    boolean isOpen() {
        return !closed;
    }

    void send(Consumer<FrameWriter> frames) throws IOException {
        send(client.channel, frames);
    }

    /// Sends a packet and looks at what has come.
    void send(DatagramChannel from, Consumer<FrameWriter> frames) throws IOException {
        byte[] bytes = new byte[PACKET_BYTES];
        int at = LongHeader.putShort(bytes, 0, client.serverId, false, keys.phase());
        PacketNumbers.put(bytes, at, number, 4);
        FrameWriter out = new FrameWriter();
        out.begin(bytes, at + 4, PACKET_BYTES - 20);
        frames.accept(out);
        out.padding(Math.max(0, 20 - (out.at() - at)));
        int end = keys.seal(bytes, 0, at, 4, out.at(), number++);
        from.write(ByteBuffer.wrap(bytes, 0, end));
        while (receive()) {}
    }

    private boolean receive() throws IOException {
        in.clear();
        int size = client.channel.read(in);
        if (size <= 0) {
            return false;
        }
        byte[] bytes = in.array();
        if (bytes[0] >= 0) {
            int opened = keys.open(bytes, 0, 1 + ID_BYTES, size, largest, payload);
            if (opened > 0) {
                largest = Math.max(largest, keys.number());
                boolean _ = reader.read(Level.ONE_RTT, payload, 0, opened, sink) == null;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        client.leave();
    }
}
