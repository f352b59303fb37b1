package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.transport.tls.OpenSslConnections;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What connections of OpenSSL keep and owe between records: memory, session tickets.
@Tag("slow")
@Timeout(120)
final class OpenSslConnectionsTest {
    /// More than keep the memory for their records.
    private static final int MANY = 300;

    /// In a row; more than the tickets of one handshake serve.
    private static final int CONNECTIONS = 6;

    /// More than one record.
    private static final int LARGE_BYTES = 40_000;

    @TempDir Path directory = Path.of("");
    private ContractRig rig;

    @BeforeEach
    void makeRig() throws Exception {
        rig = new ContractRig(directory);
    }

    @AfterEach
    void closeAll() throws Exception {
        rig.closeAll();
        Until.holds("memory of OpenSSL given back", () -> OpenSslConnections.live() == 0);
    }

    static Stream<ContractRig.Mode> modes() {
        return ContractRig.modes().filter(m -> m.provider() == TlsConfig.Provider.OPENSSL);
    }

    @Test
    void connections_moreThanKeepTheirMemory_workInTurn() throws Exception {
        ContractRig.Mode mode = modes().toList().getLast();
        Listener listener = rig.listen(mode, c -> new Echo(c, new Echo.Record()));
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            sockets.add(rig.connect(mode, listener));
        }
        Random random = new Random(7);
        byte[] large = new byte[LARGE_BYTES];
        for (int round = 0; round < 2; round++) {
            for (Socket socket : sockets) {
                ContractRig.echo(socket, "round " + round);
            }
            for (Socket socket : sockets.subList(0, MANY / 10)) {
                random.nextBytes(large);
                socket.getOutputStream().write(large);
                assertArrayEquals(large, socket.getInputStream().readNBytes(LARGE_BYTES));
            }
        }
        assertEquals(MANY, OpenSslConnections.live());
    }

    /// The first request comes with the client's last words of the handshake, so that the server
    /// may answer before it has sent its tickets.
    @ParameterizedTest
    @MethodSource("modes")
    void tickets_whenARequestIsThereAlready_arriveAndResume(ContractRig.Mode mode)
            throws Exception {
        Listener listener = rig.listen(mode, c -> new Echo(c, new Echo.Record()));
        InetSocketAddress address = (InetSocketAddress) listener.address();
        SSLEngine engine = rig.clientTls().createSSLEngine("localhost", address.getPort());
        engine.setUseClientMode(true);
        long created;
        try (Socket socket = TestClient.plain(address)) {
            Client client = new Client(engine, socket);
            byte[] request = "hello".getBytes(StandardCharsets.US_ASCII);
            client.handshakeAndSend(request);
            assertArrayEquals(request, client.receive(request.length));
            assertEquals("TLSv1.3", engine.getSession().getProtocol());
            created = engine.getSession().getCreationTime();
        }
        long now = System.currentTimeMillis();
        Until.holds("the clock ticks", () -> System.currentTimeMillis() > now + 1);
        SSLSocket second = (SSLSocket) rig.connect(mode, listener);
        ContractRig.echo(second, "again");
        // A resumed session keeps the moment of its first handshake.
        assertEquals(created, second.getSession().getCreationTime());
    }

    /// A client under Nagle's algorithm keeps its request until its last words are acknowledged: by
    /// what the server sends, or after 40 ms.
    @ParameterizedTest
    @MethodSource("modes")
    void ticket_ofAFullHandshake_waitsForNoRequest(ContractRig.Mode mode) throws Exception {
        Listener listener = rig.listen(mode, c -> new Echo(c, new Echo.Record()));
        InetSocketAddress address = (InetSocketAddress) listener.address();
        SSLEngine engine = rig.clientTls().createSSLEngine("localhost", address.getPort());
        engine.setUseClientMode(true);
        try (Socket socket = TestClient.plain(address)) {
            Client client = new Client(engine, socket);
            client.handshake();
            client.fill();
            byte[] request = "hello".getBytes(StandardCharsets.US_ASCII);
            client.send(request);
            assertArrayEquals(request, client.receive(request.length));
        }
    }

    /// A ticket of TLS 1.3 serves once, so each resumption must bring another (RFC 8446 §C.4).
    @ParameterizedTest
    @MethodSource("modes")
    void session_inTls13_resumesAgainAndAgain(ContractRig.Mode mode) throws Exception {
        Listener listener = rig.listen(mode, c -> new Echo(c, new Echo.Record()));
        List<Long> created = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            SSLSocket socket = (SSLSocket) rig.connect(mode, listener);
            ContractRig.echo(socket, "hello");
            assertEquals("TLSv1.3", socket.getSession().getProtocol());
            created.add(socket.getSession().getCreationTime());
            socket.close();
            long now = System.currentTimeMillis();
            Until.holds("the clock ticks", () -> System.currentTimeMillis() > now + 1);
        }
        assertEquals(1, created.stream().distinct().count(), "sessions made at " + created);
    }

    /// A client that sends its last words of the handshake and a request in one write.
    private static final class Client {
        private final SSLEngine engine;
        private final Socket socket;
        private final ByteArrayOutputStream toSend = new ByteArrayOutputStream();
        private final ByteBuffer record = ByteBuffer.allocate(40_000);
        private final ByteBuffer in = ByteBuffer.allocate(40_000).limit(0);
        private final ByteBuffer text = ByteBuffer.allocate(40_000);

        Client(SSLEngine engine, Socket socket) {
            this.engine = engine;
            this.socket = socket;
        }

        void handshakeAndSend(byte[] request) throws IOException {
            negotiate();
            send(request);
        }

        void handshake() throws IOException {
            negotiate();
            send();
        }

        void send(byte[] request) throws IOException {
            wrap(request);
            send();
        }

        /// Leaves the last words unsent.
        private void negotiate() throws IOException {
            engine.beginHandshake();
            for (; ; ) {
                switch (engine.getHandshakeStatus()) {
                    case NEED_TASK -> engine.getDelegatedTask().run();
                    case NEED_WRAP -> wrap(new byte[0]);
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                        send();
                        unwrap();
                    }
                    case FINISHED, NOT_HANDSHAKING -> {
                        return;
                    }
                }
            }
        }

        byte[] receive(int length) throws IOException {
            while (text.position() < length) {
                unwrap();
            }
            return Arrays.copyOf(text.array(), text.position());
        }

        private void wrap(byte[] bytes) throws IOException {
            SSLEngineResult result = engine.wrap(ByteBuffer.wrap(bytes), record.clear());
            assertEquals(Status.OK, result.getStatus());
            toSend.write(record.array(), 0, record.position());
        }

        private void send() throws IOException {
            socket.getOutputStream().write(toSend.toByteArray());
            toSend.reset();
        }

        /// Waits for what the server sends.
        private void fill() throws IOException {
            in.compact();
            int n = socket.getInputStream().read(in.array(), in.position(), in.remaining());
            assertEquals(true, n > 0, "the server goes on");
            in.position(in.position() + n).flip();
        }

        private void unwrap() throws IOException {
            SSLEngineResult result = engine.unwrap(in, text);
            if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
                fill();
            } else {
                assertEquals(Status.OK, result.getStatus());
                if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                    engine.getDelegatedTask().run();
                }
            }
        }
    }
}
