package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.memory.MemoryPeer;
import io.margay.transport.memory.MemoryTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The exact bytes of answers, however the bytes of requests and answers are cut.
class WireVectorTest {
    private static final String DATE = "Date: *\r\n";

    private static void handle(Exchange exchange) throws IOException {
        switch (exchange.request().target().rawPath()) {
            case "/plain" -> {
                exchange.fields().add("Content-Type", "text/plain");
                TestHandlers.end(exchange, "hello");
            }
            case "/empty" -> exchange.end();
            case "/204" -> {
                exchange.status(204);
                exchange.end();
            }
            case "/304" -> {
                exchange.status(304);
                exchange.fields().add("ETag", "\"a\"");
                exchange.end();
            }
            case "/chunked" -> {
                exchange.offer(TestHandlers.bytes("0123456789abcdef"), 0, 16);
                exchange.offer(TestHandlers.bytes("xyz"), 0, 3);
                exchange.end();
            }
            case "/trailers" -> {
                exchange.trailers(() -> new FieldList().add("Sum", "1"));
                TestHandlers.end(exchange, "abc");
            }
            case "/declared" -> {
                exchange.fields().add("Content-Length", "4");
                exchange.offer(TestHandlers.bytes("ab"), 0, 2);
                TestHandlers.end(exchange, "cd");
            }
            case "/close" -> {
                exchange.fields().add("Connection", "close");
                TestHandlers.end(exchange, "bye");
            }
            case "/hints" -> {
                exchange.interim(103, new FieldList().add("Link", "</a>"));
                exchange.end();
            }
            default -> new TestHandlers.PollingEcho(exchange).run();
        }
    }

    private static String exchange(int piece, HttpLimits limits, String request)
            throws IOException {
        AtomicLong clock = new AtomicLong();
        try (MemoryTransport transport = MemoryTransport.pumped(clock::get);
                HttpServer server =
                        new HttpServer(
                                WireVectorTest::handle,
                                new VirtualDispatcher(1),
                                HttpServerConfig.defaults().withLimits(limits),
                                null)) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(InetSocketAddress.createUnresolved("memory", 1)));
            MemoryTransport.Script script =
                    piece == 0
                            ? MemoryTransport.Script.defaults()
                            : MemoryTransport.Script.pieces(piece);
            MemoryPeer peer = transport.connect(listener.socket(), script);
            transport.run();
            peer.send(request);
            StringBuilder answer = new StringBuilder();
            String part = "-";
            for (int i = 0; i < 10_000 && (!part.isEmpty() || i < 4); i++) {
                transport.run();
                part = peer.receivedText();
                answer.append(part);
            }
            String text = answer.toString().replaceAll("Date: [^\r]*\r\n", DATE);
            return peer.ended() ? text + "<end>" : text;
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 7, 64})
    void answers_areTheseBytes(int piece) throws IOException {
        HttpLimits limits = HttpLimits.defaults();
        String ok = "HTTP/1.1 200 OK\r\n" + DATE;
        String[][] vectors = {
            {get("/plain"), ok + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"},
            {get("/empty"), ok + "Content-Length: 0\r\n\r\n"},
            {get("/204"), "HTTP/1.1 204 No Content\r\n" + DATE + "\r\n"},
            {get("/304"), "HTTP/1.1 304 Not Modified\r\n" + DATE + "ETag: \"a\"\r\n\r\n"},
            {
                get("/chunked"),
                ok
                        + "Transfer-Encoding: chunked\r\n\r\n10\r\n0123456789abcdef\r\n"
                        + "3\r\nxyz\r\n0\r\n\r\n"
            },
            {
                get("/trailers"),
                ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nSum: 1\r\n\r\n"
            },
            {get("/declared"), ok + "Content-Length: 4\r\n\r\nabcd"},
            {
                "HEAD /plain HTTP/1.1\r\nHost: x\r\n\r\n",
                ok + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\n"
            },
            {
                get("/hints"),
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n"
            },
        };
        StringBuilder all = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (String[] vector : vectors) {
            assertEquals(vector[1], exchange(piece, limits, vector[0]), vector[0]);
            all.append(vector[0]);
            expected.append(vector[1]);
        }
        assertEquals(expected.toString(), exchange(piece, limits, all.toString()), "pipelined");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 64})
    void closing_isTold(int piece) throws IOException {
        HttpLimits limits = HttpLimits.defaults();
        String ok = "HTTP/1.1 200 OK\r\n" + DATE;
        assertEquals(
                ok + "Content-Length: 3\r\nConnection: close\r\n\r\nbye<end>",
                exchange(piece, limits, get("/close")));
        assertEquals(
                ok + "Content-Length: 0\r\nConnection: close\r\n\r\n<end>",
                exchange(piece, limits.withRequestsMax(1), get("/empty")));
        String refused = exchange(piece, limits, "GET / HTTP/1.1\r\n\r\n");
        assertTrue(refused.startsWith("HTTP/1.1 400 Bad Request\r\n" + DATE), refused);
        assertTrue(refused.contains("Connection: close\r\n"), refused);
        assertTrue(refused.endsWith("<end>"), refused);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 64})
    void http10_isAnsweredInItsWay(int piece) throws IOException {
        HttpLimits limits = HttpLimits.defaults();
        String ok = "HTTP/1.1 200 OK\r\n" + DATE;
        assertEquals(
                ok + "Content-Length: 0\r\nConnection: close\r\n\r\n<end>",
                exchange(piece, limits, "GET /empty HTTP/1.0\r\n\r\n"));
        assertEquals(
                ok + "Connection: close\r\n\r\n0123456789abcdefxyz<end>",
                exchange(piece, limits, "GET /chunked HTTP/1.0\r\n\r\n"));
        assertEquals(
                ok + "Connection: keep-alive\r\nContent-Length: 0\r\n\r\n",
                exchange(piece, limits, "GET /empty HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void echo_ofChunks_isReassembled(int piece) throws IOException {
        String answer =
                exchange(
                        piece,
                        HttpLimits.defaults(),
                        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + "5;a=b\r\nhello\r\n3\r\n, x\r\n0\r\nT: 1\r\n\r\n"
                                + get("/empty"));
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        StringBuilder content = new StringBuilder();
        String rest = body;
        while (!rest.startsWith("0\r\n")) {
            int line = rest.indexOf("\r\n");
            int size = Integer.parseInt(rest.substring(0, line), 16);
            content.append(rest, line + 2, line + 2 + size);
            rest = rest.substring(line + 4 + size);
        }
        assertEquals("hello, x", content.toString());
        assertTrue(rest.startsWith("0\r\n\r\nHTTP/1.1 200 OK\r\n"), rest);
    }
}
