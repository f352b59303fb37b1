package io.margay.servlet.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.HttpServer;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Content that cannot be read, before servlets that let the exception pass and others: the client
/// learns why, unless the response has begun.
@Tag("slow")
@Timeout(60)
final class BrokenContentTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static TestApp app() {
        return TestApp.root()
                .servlet("/reads", BrokenContentTest::read)
                .servlet(
                        "/wraps",
                        (q, r) -> {
                            try {
                                read(q, r);
                            } catch (IOException e) {
                                throw new ServletException("wrapped", e);
                            }
                        })
                .servlet(
                        "/unchecked",
                        (q, r) -> {
                            try {
                                read(q, r);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        })
                .servlet(
                        "/replaces",
                        (q, r) -> {
                            try {
                                read(q, r);
                            } catch (IOException e) {
                                throw new IllegalStateException("no cause");
                            }
                        })
                .servlet(
                        "/catches",
                        (q, r) -> {
                            try {
                                read(q, r);
                            } catch (IOException e) {
                                r.setStatus(422);
                                r.getWriter().print("caught");
                            }
                        })
                .servlet(
                        "/commits",
                        (q, r) -> {
                            r.getWriter().print("begun");
                            r.flushBuffer();
                            read(q, r);
                        })
                .servlet("/async", BrokenContentTest::readLater);
    }

    private static void read(HttpServletRequest q, HttpServletResponse r) throws IOException {
        r.getWriter().print(q.getInputStream().readAllBytes().length);
    }

    private static void readLater(HttpServletRequest q, HttpServletResponse r) throws IOException {
        q.startAsync();
        ServletInputStream in = q.getInputStream();
        in.setReadListener(
                new ReadListener() {
                    @Override
                    public void onDataAvailable() throws IOException {
                        while (in.isReady() && in.read() >= 0) {}
                    }

                    @Override
                    public void onAllDataRead() {
                        q.getAsyncContext().complete();
                    }

                    @Override
                    public void onError(Throwable cause) {}
                });
    }

    /// What a test does with a connected client.
    @FunctionalInterface
    private interface Talk {
        void with(RawHttpClient client) throws IOException;
    }

    private static void serve(String transportName, Duration bodyTimeout, Talk talk)
            throws Exception {
        TestApp app = app();
        WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
        HttpServerConfig config =
                HttpServerConfig.defaults()
                        .withLimits(
                                HttpLimits.defaults().withTimeouts(LONG, LONG, bodyTimeout, LONG));
        try (Transport transport = Transports.open(transportName, TransportConfig.defaults());
                HttpServer server = new HttpServer(app.handler(), pool, config, null)) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            try (RawHttpClient client =
                    RawHttpClient.connect((InetSocketAddress) listener.socket().address())) {
                talk.with(client);
            }
        } finally {
            pool.close();
            app.start().stop();
        }
    }

    private static String chunked(String path, String content) {
        return "POST "
                + path
                + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
                + content;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void malformedContent_isAnswered400_andTheConnectionEnds(String transport) throws Exception {
        for (String content :
                List.of(
                        "ZZ\r\n",
                        "5;\r\n",
                        "3;a\n",
                        "3\nabc\n",
                        "0x3\r\n",
                        "-3\r\n",
                        "3 \r\n",
                        "FFFFFFFFFFFFFFFFF\r\n",
                        "3\r\nabcd\r\n",
                        "0\r\nbad\r\n\r\n",
                        "5;x=" + "y".repeat(2_000) + "\r\n",
                        "0\r\nA: " + "y".repeat(9_000) + "\r\n\r\n")) {
            for (String path : List.of("/reads", "/wraps", "/unchecked", "/replaces", "/async")) {
                serve(
                        transport,
                        LONG,
                        client -> {
                            RawHttpClient.Response response =
                                    client.send(chunked(path, content)).response();
                            assertEquals(400, response.status(), path + " " + content);
                            assertTrue(response.closes());
                        });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void contentThatDoesNotCome_isAnswered408(String transport) throws Exception {
        for (String path : List.of("/reads", "/wraps", "/async")) {
            serve(
                    transport,
                    Duration.ofMillis(200),
                    client -> {
                        RawHttpClient.Response response = client.send(chunked(path, "")).response();
                        assertEquals(408, response.status(), path);
                        assertTrue(response.closes());
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void answerOfAnApplicationThatCatches_isSent(String transport) throws Exception {
        serve(
                transport,
                LONG,
                client -> {
                    RawHttpClient.Response response =
                            client.send(chunked("/catches", "ZZ\r\n")).response();
                    assertEquals(422, response.status());
                    assertEquals("caught", response.text());
                    assertTrue(response.closes());
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void responseThatHasBegun_isBrokenOff(String transport) throws Exception {
        serve(
                transport,
                LONG,
                client -> {
                    client.send(chunked("/commits", "ZZ\r\n"));
                    assertThrows(IOException.class, client::response);
                });
    }
}
