package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.timing.RequestPhase;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An exchange knows where its time went: at least as long as the test has seen it wait, and
/// nothing where it has not waited.
@Timeout(60)
class RequestPhasesTest {
    private static final int LARGE = 16_000_000;
    private static final long SEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final AtomicReference<Exchange> seen = new AtomicReference<>();

    /// Lets time pass, while something is waited for.
    ///
    /// @return microseconds, at least
    private static long pass() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < SEEN_NANOS) {
            LockSupport.parkNanos(SEEN_NANOS);
        }
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
    }

    private Exchange ended(TestServer server) {
        Eventually.holds("ended", () -> !server.ends.isEmpty());
        return seen.get();
    }

    private static void assertTook(long micros, Exchange exchange, RequestPhase phase) {
        assertTrue(
                exchange.micros(phase) >= micros,
                phase + ": " + exchange.micros(phase) + ", seen " + micros);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<Wire> wires() {
        return Wire.all();
    }

    @ParameterizedTest
    @MethodSource("wires")
    void requestThatWaitsForNothing_hasNoPhases(Wire wire) throws Exception {
        Handler handler =
                exchange -> {
                    seen.set(exchange);
                    exchange.end(new byte[5], 0, 5);
                };
        try (TestServer server = new TestServer(wire, handler);
                RawHttpClient client = server.client()) {
            assertEquals(200, client.get("/").status());
            Exchange first = ended(server);
            assertTrue(first.headMicros() >= 0);
            server.ends.clear();
            assertEquals(200, client.get("/").status());
            Exchange second = ended(server);
            for (RequestPhase phase : RequestPhase.values()) {
                assertEquals(0, second.micros(phase), phase.label());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("wires")
    void clientThatIsSlowToAsk_isToldFromTheServer(Wire wire) throws Exception {
        Handler handler =
                exchange -> {
                    seen.set(exchange);
                    exchange.end();
                };
        try (TestServer server = new TestServer(wire, handler);
                RawHttpClient client = server.client()) {
            Eventually.holds("accepted", () -> server.stats().connectionsOpen() == 1);
            long micros = pass();
            assertEquals(200, client.get("/").status());
            assertTook(micros, ended(server), RequestPhase.HEAD);
            assertTrue(seen.get().headMicros() < 30_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void requestThatFindsAllThreadsBusy_isQueued(String transport) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Handler handler =
                exchange -> {
                    seen.set(exchange);
                    exchange.dispatch(() -> {
                        if (exchange.request().target().rawPath().equals("/slow")) {
                            awaitQuietly(release);
                        }
                        end(exchange);
                    });
                };
        WorkerPool one = new WorkerPool(new WorkerLimits(1, 1, 100, Duration.ofSeconds(5)));
        try (TestServer server =
                        new TestServer(
                                new Wire(transport, false), handler, HttpLimits.defaults(), one);
                RawHttpClient busy = server.client();
                RawHttpClient client = server.client()) {
            busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.holds("busy", () -> one.active() == 1);
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.holds("queued", () -> one.queued() == 1);
            long micros = pass();
            release.countDown();
            assertEquals(200, client.response().status());
            Eventually.holds("both", () -> server.ends.size() == 2);
            assertTook(micros, seen.get(), RequestPhase.QUEUED);
            assertTrue(seen.get().headMicros() >= micros);
        }
    }

    private static void end(Exchange exchange) {
        try {
            exchange.end();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Answers when the content has come, for which it waits as `waits` says.
    private Handler reading(boolean waits, CountDownLatch asked) {
        return exchange -> {
            seen.set(exchange);
            if (waits) {
                exchange.dispatch(() -> {
                    try {
                        assertEquals(1, exchange.read(new byte[9], 0, 1));
                        asked.countDown();
                        while (exchange.read(new byte[9], 0, 9) >= 0) {}
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                    end(exchange);
                });
            } else {
                poll(exchange, asked);
            }
        };
    }

    private static void poll(Exchange exchange, CountDownLatch asked) {
        try {
            int count = exchange.poll(new byte[9], 0, 9);
            while (count > 0) {
                count = exchange.poll(new byte[9], 0, 9);
            }
            if (count < 0) {
                exchange.end();
                return;
            }
            exchange.onReadable(() -> poll(exchange, asked));
            asked.countDown();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("wires")
    void contentThatIsWaitedFor_isTheClients(Wire wire) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (TestServer server = new TestServer(wire, reading(false, asked));
                RawHttpClient client = server.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf");
            awaitQuietly(asked);
            long micros = pass();
            client.send("full");
            assertEquals(200, client.response().status());
            assertTook(micros, ended(server), RequestPhase.CONTENT);
        }
    }

    /// The thread is about to read when it says so: half of what is seen is what it waits at least.
    @ParameterizedTest
    @MethodSource("wires")
    void contentThatAThreadWaitsFor_isTheClients(Wire wire) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (TestServer server = new TestServer(wire, reading(true, asked));
                RawHttpClient client = server.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nh");
            awaitQuietly(asked);
            long micros = pass();
            client.send("alffull");
            assertEquals(200, client.response().status());
            assertTook(micros / 2, ended(server), RequestPhase.CONTENT);
        }
    }

    @ParameterizedTest
    @MethodSource("wires")
    void contentOfAStreamThatIsWaitedFor_isTheClients(Wire wire) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (TestServer server = new TestServer(wire, reading(!wire.tls(), asked));
                Http2Wire client = server.http2()) {
            client.headers(1, false, Http2Wire.request("POST", "/"));
            client.data(1, false, "half");
            awaitQuietly(asked);
            long micros = pass();
            client.data(1, true, "full");
            assertEquals(200, client.message(1).status());
            assertTook(micros / 2, ended(server), RequestPhase.CONTENT);
        }
    }

    private Handler large(CountDownLatch waits) {
        return exchange -> {
            seen.set(exchange);
            exchange.dispatch(() -> {
                try {
                    waits.countDown();
                    exchange.end(new byte[LARGE], 0, LARGE);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void responseThatIsNotTaken_waitsForTheClient(String transport) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        try (TestServer server = new TestServer(new Wire(transport, false), large(waits));
                RawHttpClient client = RawHttpClient.connect(server.address(), 4096)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitQuietly(waits);
            long micros = pass();
            assertEquals(LARGE, client.response().body().length);
            assertTook(micros / 2, ended(server), RequestPhase.CLIENT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void responseOfAStreamThatIsNotTaken_waitsForTheClient(String transport) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        try (TestServer server = new TestServer(new Wire(transport, false), large(waits));
                Http2Wire client = server.http2()) {
            client.get(1, "/");
            awaitQuietly(waits);
            long micros = pass();
            assertEquals(LARGE, client.message(1).size());
            assertTook(micros / 2, ended(server), RequestPhase.CLIENT);
        }
    }
}
