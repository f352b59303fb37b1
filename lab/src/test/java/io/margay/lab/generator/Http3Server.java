package io.margay.lab.generator;

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
import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.connection.AddressTokens;
import io.margay.protocol.quic.connection.ConnectionIdSource;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.protocol.quic.connection.ServerDoor;
import io.margay.protocol.quic.stream.StreamSettings;
import io.margay.protocol.quic.tls.QuicTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Answers every request over HTTP/3 alike, with handshakes without cryptography ([Plain]). A
/// client is known by its address. A thread of its own.
final class Http3Server implements AutoCloseable {
    /// Both sides derive the same secrets, which nobody hides; a message comes in one piece.
    static final class Plain implements QuicTls {
        private final boolean server;
        private byte[] parameters = {};
        private @Nullable Events events;

        Plain(boolean server) {
            this.server = server;
        }

        private static byte[] secret(String name) {
            try {
                return MessageDigest.getInstance("SHA-256").digest(name.getBytes());
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }

        private void secrets(Events to, Level level) {
            byte[] ofClient = secret("client " + level);
            byte[] ofServer = secret("server " + level);
            to.secrets(level, 0x1301, server ? ofClient : ofServer, server ? ofServer : ofClient);
        }

        @Override
        public void start(byte[] ours, Events to) {
            parameters = ours;
            events = to;
            if (!server) {
                to.send(Level.INITIAL, ours);
            }
        }

        @Override
        public void receive(Level level, byte[] octets, int from, int to) {
            Events told = events;
            if (told == null) {
                throw new AssertionError("not started");
            }
            byte[] message = Arrays.copyOfRange(octets, from, to);
            if (server && level == Level.INITIAL) {
                told.peerParameters(message);
                told.send(Level.INITIAL, new byte[90]);
                secrets(told, Level.HANDSHAKE);
                told.send(Level.HANDSHAKE, parameters);
            } else if (level == Level.INITIAL) {
                secrets(told, Level.HANDSHAKE);
            } else {
                if (!server) {
                    told.peerParameters(message);
                    told.send(Level.HANDSHAKE, new byte[36]);
                }
                secrets(told, Level.ONE_RTT);
                told.complete("h3");
            }
        }

        @Override
        public void close() {}
    }

    private static final int CLOSED_AFTER = 40;

    private final DatagramChannel channel = DatagramChannel.open();
    private final Selector selector = Selector.open();
    private final Map<InetSocketAddress, Talk> talks = new HashMap<>();
    private final Random random = new Random();
    private final ServerDoor door =
            new ServerDoor(new AddressTokens(new byte[16], random), random, 8);
    private final byte[] scratch = new byte[65_536];
    private final byte[] piece = new byte[65_536];
    private final ByteBuffer datagram = ByteBuffer.allocate(2_048);
    private final Thread thread = new Thread(this::serve, "http3-server");
    final AtomicInteger connections = new AtomicInteger();
    private final int status;
    private final byte[] content;
    private final int streamsMax;
    private final boolean closes;

    /// @param closes whether each connection is ended after some requests
    Http3Server(int status, String content, int streamsMax, boolean closes) throws IOException {
        this.status = status;
        this.content = content.getBytes();
        this.streamsMax = streamsMax;
        this.closes = closes;
        channel.configureBlocking(false);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel.register(selector, SelectionKey.OP_READ);
        thread.start();
    }

    int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private void serve() {
        try {
            while (channel.isOpen()) {
                selector.select(10);
                selector.selectedKeys().clear();
                receive();
                for (Talk talk : talks.values()) {
                    talk.quic.timeout(System.nanoTime());
                    talk.step();
                }
                talks.values().removeIf(talk -> talk.quic.isClosed());
            }
        } catch (IOException | ClosedSelectorException e) {
            // It is closed.
        }
    }

    private void receive() throws IOException {
        while (channel.receive(datagram.clear()) instanceof InetSocketAddress from) {
            byte[] bytes = datagram.array();
            int size = datagram.position();
            Talk talk = talks.get(from);
            if (talk == null
                    && door.look(bytes, 0, size, from, false, 0)
                            instanceof ServerDoor.Accepted accepted) {
                talk = new Talk(accepted);
                talks.put(from, talk);
                connections.incrementAndGet();
            }
            if (talk != null) {
                talk.quic.receive(bytes, 0, size, from, 0, System.nanoTime());
            }
        }
    }

    /// One connection.
    private final class Talk implements ConnectionIdSource, Http3Session.Events {
        final QuicConnection quic;
        private final Http3Session session;
        private final ArrayDeque<Http3Stream> complete = new ArrayDeque<>();
        private boolean begun;
        private int answers;

        Talk(ServerDoor.Accepted accepted) {
            ConnectionOptions usual = ConnectionOptions.defaults();
            StreamSettings streams = usual.streams();
            StreamSettings few =
                    new StreamSettings(
                            streams.streamWindow(),
                            streams.connectionWindow(),
                            streamsMax,
                            streams.unidirectionalMax(),
                            streams.sendBuffer());
            ConnectionOptions options =
                    new ConnectionOptions(
                            usual.version(), few, usual.algorithm(), 30_000, 1_452, true);
            long now = System.nanoTime();
            quic =
                    QuicConnection.server(
                            options, new Plain(true), this, random, accepted, scratch, now);
            session =
                    new Http3Session(
                            true,
                            Http2Limits.defaults(),
                            quic.streams(),
                            this,
                            -1,
                            RequestTarget.Characters.STRICT);
        }

        void step() throws IOException {
            if (quic.isEstablished()) {
                if (!begun) {
                    begun = true;
                    session.begin(5);
                }
                session.process(piece);
                for (Http3Stream one = complete.poll(); one != null; one = complete.poll()) {
                    one.respond(status, new FieldList(), content.length, null, false);
                    one.send(content, 0, content.length, true);
                    one.release();
                    answers++;
                }
                if (closes && answers > CLOSED_AFTER) {
                    quic.close(0x100, "enough", System.nanoTime());
                }
            }
            byte[] bytes = datagram.array();
            for (int size = quic.send(bytes, System.nanoTime());
                    size > 0;
                    size = quic.send(bytes, System.nanoTime())) {
                channel.send(ByteBuffer.wrap(bytes, 0, size), quic.target());
            }
        }

        private void look(Http3Stream stream) {
            if (stream.isInputEnded()) {
                complete.add(stream);
            }
        }

        @Override
        public void head(Http3Stream stream, RequestHead head, @Nullable ProtocolError refusal) {
            look(stream);
        }

        @Override
        public void data(Http3Stream stream, byte[] bytes, int from, int to) {
            boolean _ = stream.used(to - from);
            look(stream);
        }

        @Override
        public void response(Http3Stream stream, ResponseHead head) {}

        @Override
        public void trailers(Http3Stream stream, Fields trailers) {}

        @Override
        public void reset(Http3Stream stream, @Nullable ProtocolError why) {}

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

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
