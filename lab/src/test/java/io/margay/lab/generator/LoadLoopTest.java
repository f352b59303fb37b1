package io.margay.lab.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.Latency;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.wire.BodyTemplate;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The generator's loop against a server that does as it is told.
@Tag("slow")
@Timeout(60)
final class LoadLoopTest {
    private static final long TIMEOUT_NANOS = 300_000_000L;
    private static final BodyTemplate HELLO =
            BodyTemplate.of(List.of("hello".getBytes(StandardCharsets.US_ASCII)));

    private static LoadResult run(LoadJob job) throws IOException {
        try (LoadLoop loop = new LoadLoop(job, null, Map.of("/", HELLO), TIMEOUT_NANOS)) {
            return loop.run(() -> {}, _ -> {});
        }
    }

    private static LoadJob closed(ScriptedServer server, int connections, long requests) {
        return LoadJob.closed(connections, false, true)
                .to(server.port(), List.of("/"), "")
                .lasting(requests, 0, 20_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello\u0000close",
                "HTTP/1.1 200 OK\r\n\r\nhello\u0000close"
            })
    void rightAnswers_areCounted(String answer) throws IOException {
        try (ScriptedServer server = new ScriptedServer(_ -> answer)) {
            LoadResult result = run(closed(server, 4, 200));
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 200, "requests " + result.requests());
            assertTrue(result.perSecond() > 0);
            assertTrue(Latency.of(List.of(result.latency())).percentileMillis(50) > 0);
        }
    }

    @Test
    void connections_thatAreNotKept_areOpenedAnew() throws IOException {
        String answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";
        try (ScriptedServer server = new ScriptedServer(_ -> answer + ScriptedServer.CLOSE)) {
            LoadJob job =
                    LoadJob.closed(2, false, false)
                            .to(server.port(), List.of("/"), "")
                            .lasting(50, 0, 20_000);
            LoadResult result = run(job);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.opened() >= result.requests(), result.toString());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhallo | wrong content",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nhell | wrong content",
                "HTTP/1.1 500 Oops\\r\\nContent-Length: 5\\r\\n\\r\\nhello | status 500",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhelloo"
                        + " | content that was not asked for",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhel# | closed within an answer",
                "HTTP/1.1 200 OK# | closed within an answer",
                "# | closed without an answer",
                "HTTP/1.1 200 OK\\nContent-Length: 5\\n\\nhello | malformed answer",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhel | time-out"
            })
    void wrongAnswers_areCountedByKind(String script, String kind) throws IOException {
        String answer =
                script.strip()
                        .replace("\\r", "\r")
                        .replace("\\n", "\n")
                        .replace("#", ScriptedServer.CLOSE);
        try (ScriptedServer server = new ScriptedServer(_ -> answer)) {
            LoadResult result = run(closed(server, 2, 4));
            assertEquals(0, result.requests());
            assertEquals(Set.of(kind), result.errors().keySet());
            assertTrue(result.failed() >= 4, result.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"304, ''", "200, status 200"})
    void unchanged_isAnsweredRightly_onlyBy304(int status, String kind) throws IOException {
        String answer = "HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(_ -> answer)) {
            LoadJob job =
                    LoadJob.closed(1, false, true)
                            .to(server.port(), List.of("UNCHANGED /"), "")
                            .lasting(4, 0, 20_000);
            LoadResult result = run(job);
            assertEquals(kind, String.join("", result.errors().keySet()));
            assertEquals(kind.isEmpty(), result.requests() >= 4, result.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsAtAFixedRate_useAllConnectionsInTurn_orAsFewAsNeeded(boolean inTurn)
            throws IOException {
        Set<ScriptedPeer.Talk> used = ConcurrentHashMap.newKeySet();
        ScriptedPeer.Script script =
                talk -> {
                    while (true) {
                        String _ = talk.head();
                        used.add(talk);
                        talk.send(ScriptedServer.ok("hello"));
                    }
                };
        try (ScriptedPeer server = new ScriptedPeer(script)) {
            LoadJob rate = LoadJob.rate(50, 8, false, true);
            LoadJob job = inTurn ? rate.overAllInTurn() : rate;
            LoadResult result = run(job.to(server.port(), List.of("/"), "").lasting(32, 0, 20_000));
            assertEquals(Map.of(), result.errors());
            // One of them, but a machine that stands still for 20 ms needs a second.
            assertEquals(inTurn, used.size() == 8, used.size() + " used");
            // A second of requests before those that count: 32 of them take 640 ms.
            assertEquals(inTurn, server.heads().size() >= 32 + 40, server.heads().size() + " sent");
        }
    }

    @Test
    void session_thatTheServerBegins_isSentFromThenOn_onEachConnectionItsOwn() throws IOException {
        AtomicInteger begun = new AtomicInteger();
        Set<String> sent = ConcurrentHashMap.newKeySet();
        ScriptedPeer.Script script =
                talk -> {
                    while (true) {
                        String head = talk.head();
                        int at = head.indexOf("Cookie: ");
                        if (at >= 0) {
                            sent.add(head.substring(at, head.indexOf("\r\n", at)));
                            talk.send(ScriptedServer.ok("ok"));
                        } else {
                            talk.send(
                                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: S="
                                            + begun.incrementAndGet()
                                            + "; Path=/\r\n\r\nok");
                        }
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(script)) {
            LoadJob job =
                    LoadJob.closed(2, false, true)
                            .to(peer.port(), List.of("SESSION /"), "")
                            .lasting(20, 0, 20_000);
            LoadResult result = run(job);
            assertEquals(Map.of(), result.errors());
            assertEquals(2, begun.get());
            assertEquals(Set.of("Cookie: S=1", "Cookie: S=2"), sent);
        }
    }

    /// Each connection gets one answer as if it were kept, and is then closed.
    @Test
    void keptConnection_thatTheServerCloses_isOpenedAnew_andTheRequestRepeated()
            throws IOException {
        String answer = ScriptedServer.ok("hello") + ScriptedServer.CLOSE;
        try (ScriptedServer server = new ScriptedServer(_ -> answer)) {
            LoadResult result = run(closed(server, 2, 100));
            assertEquals(Map.of(), result.errors());
            assertTrue(result.opened() > 90, result.toString());
        }
    }

    /// A server with a thread per connection takes no more than it has threads: the rest must wait
    /// until a connection is closed, which needs requests.
    @Test
    void serverThatTakesFewConnectionsAtATime_isMeasured() throws IOException {
        String answer =
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
                        + ScriptedServer.CLOSE;
        try (ScriptedServer server = ScriptedServer.narrow(_ -> answer)) {
            LoadResult result = run(closed(server, 8, 20));
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 20, result.toString());
        }
    }

    @Test
    void serverThatIsNotThere_isAnError() throws IOException {
        // Bound, so that nobody else gets the port, but not listening.
        try (SocketChannel bound = SocketChannel.open()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = bound.socket().getLocalPort();
            LoadJob job =
                    LoadJob.closed(3, false, true).to(port, List.of("/"), "").lasting(1, 0, 1000);
            IOException e = assertThrows(IOException.class, () -> run(job));
            assertTrue(
                    String.valueOf(e.getMessage()).contains("connection refused"), e.getMessage());
        }
    }

    @Test
    void fixedRate_keepsItsRate() throws IOException {
        try (ScriptedServer server = new ScriptedServer(_ -> ScriptedServer.ok("hello"))) {
            LoadJob job =
                    LoadJob.rate(500, 20, false, true)
                            .to(server.port(), List.of("/"), "")
                            .lasting(0, 1000, 5000);
            LoadResult result = run(job);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 480 && result.requests() <= 501, result.toString());
        }
    }

    /// Coordinated omission: a server that stops answering for a while must show in the latency of
    /// all requests that were due meanwhile, not only of the one that it held.
    @Test
    void fixedRate_withAStall_countsLatencyFromWhenRequestsWereDue() throws IOException {
        try (ScriptedServer server =
                new ScriptedServer(number -> {
                    if (number == 100) {
                        LockSupport.parkNanos(200_000_000L);
                    }
                    return ScriptedServer.ok("hello");
                })) {
            LoadJob job =
                    LoadJob.rate(500, 1, false, true)
                            .to(server.port(), List.of("/"), "")
                            .lasting(0, 1000, 5000);
            LoadResult result = run(job);
            Latency latency = Latency.of(List.of(result.latency()));
            // A fifth of the requests was due within the stall, evenly spread over it.
            assertTrue(latency.percentileMillis(90) > 60, "p90 " + latency.percentileMillis(90));
        }
    }

    @Test
    void pages_areLoadedWithAllTheirParts() throws IOException {
        try (ScriptedServer server = new ScriptedServer(_ -> ScriptedServer.ok("hello"))) {
            LoadJob job =
                    LoadJob.pages(3, 2)
                            .to(server.port(), List.of("/", "/a", "/b", "/c"), "")
                            .lasting(400, 0, 20_000);
            LoadResult result = run(job);
            assertEquals(Map.of(), result.errors());
            assertTrue(
                    Math.abs(result.requests() - 4 * result.pages()) <= 3 * 4, result.toString());
        }
    }
}
