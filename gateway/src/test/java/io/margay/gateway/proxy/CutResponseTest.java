package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.peer.PeerPools;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.forwarded.Networks;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.memory.MemoryPeer;
import io.margay.transport.memory.MemoryTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Answers that arrive in two parts, cut at every position, and byte by byte, in memory: the client
/// gets the same.
final class CutResponseTest {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 99);

    /// A gateway in memory that acts only when it is told to.
    private static final class Rig implements AutoCloseable {
        final MemoryTransport transport = MemoryTransport.pumped(System::nanoTime);
        final Deque<MemoryPeer> peers = new ArrayDeque<>();
        final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
        final HttpServer server;
        final Listener listener;

        Rig(PeerScheme scheme, MemoryTransport.Script script) throws IOException {
            PeerConfig peer =
                    PeerConfig.of("peer", PeerAddress.of(scheme, "127.0.0.1", ADDRESS.getPort()));
            Upstream upstream = new Upstream(UpstreamConfig.of("backend", List.of(peer)));
            server =
                    new HttpServer(
                            new ReverseProxy(
                                    exchange ->
                                            new ProxyTarget(upstream, "/a", ProxyRules.defaults()),
                                    new PeerPools(PeerLimits.defaults()),
                                    "margay",
                                    Networks.NONE),
                            workers);
            listener = server.listen(transport, ListenerConfig.of(ADDRESS)).socket();
            transport.accept(ADDRESS, script, peers::add);
        }

        /// The client's view of an answer that comes in these parts.
        String through(byte[]... parts) throws IOException {
            MemoryPeer client = transport.connect(listener);
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
            transport.run();
            MemoryPeer peer = peers.peekLast();
            assertNotNull(peer, "no connection was made");
            assertTrue(peer.received(Integer.MAX_VALUE).length > 0, "nothing was asked");
            for (byte[] part : parts) {
                peer.send(part);
                transport.run();
            }
            String text = client.receivedText().replaceFirst("Date: [^\r]*\r\n", "");
            client.end();
            transport.run();
            return text;
        }

        @Override
        public void close() {
            server.close();
            transport.close();
            workers.close();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(
                        PeerScheme.HTTP,
                        ascii("HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\nhello")),
                Arguments.of(
                        PeerScheme.HTTP,
                        ascii(
                                "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n"
                                        + "Transfer-Encoding: chunked\r\n\r\n"
                                        + "3\r\nhel\r\n2;x=y\r\nlo\r\n"
                                        + "0\r\nX-T: 1\r\n\r\n")),
                Arguments.of(PeerScheme.HTTP, ascii("HTTP/1.1 204 No Content\r\nX: y\r\n\r\n")),
                Arguments.of(
                        PeerScheme.AJP,
                        ascii(
                                "AB\0\u000e\u0004\0\u00c8\0\u0002OK\0\0\1\u00a0\3\0\u00015\0"
                                                .replace("AB\0\u000e", "AB\0\u0010")
                                        + "AB\0\7\3\0\3hel\0AB\0\4\3\0\0\0"
                                        + "AB\0\6\3\0\2lo\0AB\0\2\5\1")));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answer_cutAnywhere_isTheSame(PeerScheme scheme, byte[] answer) throws IOException {
        try (Rig rig = new Rig(scheme, MemoryTransport.Script.defaults())) {
            String whole = rig.through(answer);
            assertTrue(whole.contains("HTTP/1.1 20"), whole);
            for (int cut = 1; cut < answer.length; cut++) {
                String parts =
                        rig.through(
                                Arrays.copyOf(answer, cut),
                                Arrays.copyOfRange(answer, cut, answer.length));
                assertEquals(whole, parts, "cut at " + cut);
            }
            assertEquals(1, rig.peers.size(), "connections");
        }
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answer_byteByByte_isTheSame(PeerScheme scheme, byte[] answer) throws IOException {
        String whole;
        try (Rig rig = new Rig(scheme, MemoryTransport.Script.defaults())) {
            whole = rig.through(answer);
        }
        try (Rig rig = new Rig(scheme, MemoryTransport.Script.pieces(1))) {
            assertEquals(whole, rig.through(answer));
            assertEquals(whole, rig.through(answer));
        }
    }
}
