package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.testkit.Meanwhile;
import io.margay.testkit.RawHttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/// `async`: answers that come later, bit by bit, or while the request is still on its way.
@Tag("slow")
final class AsyncExampleTest {
    private static final int ECHO_BYTES = 5 * 1024 * 1024;

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    @OnEveryTransport
    void timer_answersAfterItsTime(TransportChoice transport, ExampleServer server)
            throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            for (int i = 0; i < 3; i++) {
                long begin = System.nanoTime();
                RawHttpClient.Response answer = client.get("/async/timer?millis=150");
                Duration took = Duration.ofNanos(System.nanoTime() - begin);
                assertEquals("answered after 150 ms\n", answer.text());
                assertTrue(took.toMillis() >= 149, "after " + took);
            }
        }
    }

    @OnEveryTransport
    void timers_moreThanThereAreWorkers_waitTogether(
            TransportChoice transport, ExampleServer server) throws Exception {
        int count = 300;
        long begin = System.nanoTime();
        List<RawHttpClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                RawHttpClient client = server.connect(transport);
                clients.add(client);
                client.send("GET /async/timer?millis=1500 HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            for (RawHttpClient client : clients) {
                assertEquals("answered after 1500 ms\n", client.response().text());
            }
        } finally {
            for (RawHttpClient client : clients) {
                client.close();
            }
        }
        long millis = (System.nanoTime() - begin) / 1_000_000;
        // One after the other they would take 450 s.
        assertTrue(millis < 60_000, count + " timers took " + millis + " ms");
    }

    @OnEveryTransport
    void timer_withImpossibleTime_takesTheUsualOne(TransportChoice transport, ExampleServer server)
            throws Exception {
        assertEquals(
                "answered after 500 ms\n", server.get(transport, "/async/timer?millis=x").body());
    }

    @OnEveryTransport
    void echo_withASlowReader_sendsBackEveryByte(TransportChoice transport, ExampleServer server)
            throws Exception {
        byte[] content = random(ECHO_BYTES);
        try (RawHttpClient client = RawHttpClient.connect(server.address(transport), 16_384)) {
            CompletableFuture<Void> sender =
                    Meanwhile.run(() -> {
                        client.send(
                                "POST /async/echo HTTP/1.1\r\nHost: a\r\n"
                                        + "Content-Length: "
                                        + content.length
                                        + "\r\n\r\n");
                        client.send(content);
                    });
            assertTrue(client.line().startsWith("HTTP/1.1 200 "));
            boolean chunked = false;
            for (String line = client.line(); !line.isEmpty(); line = client.line()) {
                chunked |= line.equalsIgnoreCase("Transfer-Encoding: chunked");
            }
            assertTrue(chunked, "5 MiB do not fit into a buffer");
            assertArrayEquals(content, slowly(client, content.length));
            sender.get(10, TimeUnit.SECONDS);
            assertEquals(200, client.get("/async/").status(), "the connection goes on");
        }
    }

    /// Reads chunks, and rests after each 256 KiB.
    private static byte[] slowly(RawHttpClient client, int length) throws Exception {
        byte[] received = new byte[length];
        int at = 0;
        int rested = 0;
        for (int size = Integer.parseInt(client.line(), 16);
                size > 0;
                size = Integer.parseInt(client.line(), 16)) {
            for (int end = at + size; at < end; ) {
                int n = client.read(received, at, end - at);
                assertTrue(n > 0, "ended after " + at + " bytes");
                at += n;
                if (at - rested > 256 * 1024) {
                    rested = at;
                    LockSupport.parkNanos(20_000_000L);
                }
            }
            assertEquals("", client.line());
        }
        assertEquals("", client.line());
        assertEquals(length, at);
        return received;
    }

    /// The client reads while it sends: the echo stops reading from one that does not.
    @OnEveryTransport
    void echo_ofAChunkedBody_sendsBackEveryByte(TransportChoice transport, ExampleServer server)
            throws Exception {
        byte[] content = random(ECHO_BYTES);
        try (RawHttpClient client = server.connect(transport)) {
            CompletableFuture<Void> sender =
                    Meanwhile.run(() -> {
                        client.send(
                                "POST /async/echo HTTP/1.1\r\nHost: a\r\n"
                                        + "Transfer-Encoding: chunked\r\n\r\n");
                        int size = 10_000;
                        for (int at = 0; at < content.length; at += size) {
                            int length = Math.min(size, content.length - at);
                            client.send(Integer.toHexString(length) + "\r\n");
                            client.send(content, at, length);
                            client.send("\r\n");
                        }
                        client.send("0\r\n\r\n");
                    });
            assertArrayEquals(content, client.response().body());
            sender.get(10, TimeUnit.SECONDS);
        }
    }

    @OnEveryTransport
    void echo_beginsBeforeTheBodyHasEnded(TransportChoice transport, ExampleServer server)
            throws Exception {
        byte[] half = random(64 * 1024);
        try (RawHttpClient client = server.connect(transport)) {
            client.send(
                    "POST /async/echo HTTP/1.1\r\nHost: a\r\n"
                            + "Content-Length: "
                            + 2 * half.length
                            + "\r\n\r\n");
            client.send(half);
            assertTrue(client.line().startsWith("HTTP/1.1 200 "), "answered half-way");
            client.send(half);
            while (!client.line().isEmpty()) {
                // The fields are not the matter here.
            }
            byte[] received = slowly(client, 2 * half.length);
            assertArrayEquals(half, java.util.Arrays.copyOf(received, half.length));
        }
    }

    @OnEveryTransport
    void ticks_arriveOneByOne(TransportChoice transport, ExampleServer server) throws Exception {
        HttpResponse<Stream<String>> answer =
                server.client()
                        .send(
                                server.request(transport, "/async/ticks?count=4&millis=200")
                                        .build(),
                                BodyHandlers.ofLines());
        String type = answer.headers().firstValue("Content-Type").orElse("");
        assertTrue(type.startsWith("text/event-stream"), type);
        List<String> events = new ArrayList<>();
        long first = 0;
        try (Stream<String> lines = answer.body()) {
            for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
                events.add(each.next());
                first = events.size() == 1 ? System.nanoTime() : first;
            }
        }
        long millis = (System.nanoTime() - first) / 1_000_000;
        assertEquals("id: 1", events.getFirst());
        assertEquals(4, events.stream().filter(line -> line.startsWith("data: tick ")).count());
        assertEquals(
                List.of("event: end", "data: 4"),
                events.subList(events.size() - 3, events.size() - 1));
        assertTrue(millis >= 600, "all came within " + millis + " ms of the first");
    }

    @OnEveryTransport
    void ticks_forAClientThatLeaves_endWithoutHarm(TransportChoice transport, ExampleServer server)
            throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            client.send("GET /async/ticks?count=60&millis=10 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertTrue(client.line().startsWith("HTTP/1.1 200 "));
            client.reset();
        }
        assertEquals(200, server.get(transport, "/async/timer?millis=100").statusCode());
    }
}
