package io.margay.server.http3;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http3.Http3Session;
import io.margay.protocol.http3.Http3Stream;
import io.margay.protocol.quic.connection.ConnectionIdSource;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.connection.QuicConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A client of HTTP/3 with a socket on loopback, whose handshakes are those of [PlainHandshake].
/// Confined to its thread, which waits.
final class LoopbackClient implements ConnectionIdSource, Http3Session.Events, AutoCloseable {
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    final QuicConnection quic;
    final DatagramChannel channel = DatagramChannel.open();

    /// The connection id by which the server wants to be spoken to.
    byte[] serverId = {};

    private final Selector selector = Selector.open();
    private final InetSocketAddress server;
    private final Random random = new Random();
    private final Http3Session session;
    private final byte[] scratch = new byte[65_536];
    private final ByteBuffer datagram = ByteBuffer.allocate(65_536);
    private boolean begun;
    private int status;

    LoopbackClient(InetSocketAddress server) throws IOException {
        this(server, ConnectionOptions.defaults(), new byte[0]);
    }

    LoopbackClient(InetSocketAddress server, ConnectionOptions options, byte[] token)
            throws IOException {
        this.server = server;
        channel.configureBlocking(false);
        channel.connect(server);
        channel.register(selector, SelectionKey.OP_READ);
        quic =
                QuicConnection.client(
                        options,
                        new PlainHandshake.Client(),
                        this,
                        random,
                        server,
                        scratch,
                        token,
                        System.nanoTime());
        session =
                new Http3Session(
                        false,
                        Http2Limits.defaults(),
                        quic.streams(),
                        this,
                        -1,
                        RequestTarget.Characters.STRICT);
    }

    /// Makes the handshake.
    LoopbackClient connect() throws IOException {
        await(quic::isEstablished);
        send();
        return this;
    }

    /// Asks, and waits for the answer.
    ///
    /// @return its status
    int get(String path) throws IOException {
        FieldList head = new FieldList();
        head.add(":method", "GET");
        head.add(":scheme", "https");
        head.add(":authority", "localhost");
        head.add(":path", path);
        status = 0;
        Http3Stream stream = session.request(head, -1, true);
        if (stream == null) {
            throw new IOException("the server takes no more requests");
        }
        await(() -> status != 0 && stream.isInputEnded());
        stream.release();
        return status;
    }

    private void await(BooleanSupplier until) throws IOException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        send();
        while (!until.getAsBoolean()) {
            long now = System.nanoTime();
            if (now > end || !quic.isOpen()) {
                throw new IOException(quic.isOpen() ? "no answer in 10 s" : "it is closed");
            }
            long wait = Math.min(quic.deadline(), end) - now;
            selector.select(Math.max(1, wait / 1_000_000));
            selector.selectedKeys().clear();
            while (receive()) {}
            quic.timeout(System.nanoTime());
            send();
        }
    }

    private boolean receive() throws IOException {
        datagram.clear();
        int size = channel.read(datagram);
        if (size <= 0) {
            return false;
        }
        byte[] bytes = datagram.array();
        if (bytes[0] < 0 && serverId.length == 0) {
            int at = 6 + bytes[5];
            serverId = java.util.Arrays.copyOfRange(bytes, at + 1, at + 1 + bytes[at]);
        }
        quic.receive(bytes, 0, size, server, 0, System.nanoTime());
        return true;
    }

    /// Sends what there is now.
    void send() throws IOException {
        if (!begun && quic.isEstablished()) {
            begun = true;
            session.begin(1);
        }
        if (begun) {
            session.process(new byte[4_096]);
        }
        byte[] bytes = new byte[2_048];
        long now = System.nanoTime();
        for (int n = quic.send(bytes, now); n > 0; n = quic.send(bytes, now)) {
            channel.write(ByteBuffer.wrap(bytes, 0, n));
        }
    }

    @Override
    public void close() throws IOException {
        quic.close(0x100, "", System.nanoTime());
        send();
        leave();
    }

    /// Goes without a word.
    void leave() throws IOException {
        selector.close();
        channel.close();
    }

    @Override
    public void head(Http3Stream stream, RequestHead head, @Nullable ProtocolError refusal) {}

    @Override
    public void response(Http3Stream stream, ResponseHead head) {
        status = head.status();
    }

    @Override
    public void data(Http3Stream stream, byte[] bytes, int from, int to) {
        boolean _ = stream.used(to - from);
    }

    @Override
    public void trailers(Http3Stream stream, Fields trailers) {}

    @Override
    public void reset(Http3Stream stream, @Nullable ProtocolError why) {
        status = -1;
    }

    @Override
    public void room(Http3Stream stream) {}

    @Override
    public void priority(Http3Stream stream, Priority priority) {}

    @Override
    public void goAway(long id) {}

    @Override
    public byte[] issue() {
        byte[] id = new byte[8];
        random.nextBytes(id);
        return id;
    }

    @Override
    public void accept(byte[] id) {}

    @Override
    public void retire(byte[] id) {}

    @Override
    public byte[] resetToken(byte[] id) {
        return new byte[16];
    }
}
