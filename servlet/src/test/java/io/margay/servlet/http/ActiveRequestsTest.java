package io.margay.servlet.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.HttpServer;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The gauge of active requests is back at zero after whatever has happened to a request: a
/// graceful shutdown waits for it.
@Tag("slow")
@Timeout(60)
final class ActiveRequestsTest {
    private static final List<String> TRANSPORTS = List.of("nio", "native", "blocking");

    /// How a client ends.
    private enum End {
        /// Reads to the end of the connection.
        READS,
        /// Closes in the midst of it.
        CLOSES,
        /// Resets in the midst of it.
        RESETS
    }

    private static final List<String> PATHS =
            List.of(
                    "/throws",
                    "/throws-late",
                    "/short",
                    "/stream-fails",
                    "/stream-completes",
                    "/stream-goes-on",
                    "/times-out",
                    "/times-out-dispatching",
                    "/times-out-committed",
                    "/dispatches-after-error",
                    "/error-in-dispatch",
                    "/sends-error-late",
                    "/completes-in-servlet",
                    "/throws-after-dispatch",
                    "/start-throws",
                    "/listener-throws",
                    "/write-listener",
                    "/read-listener",
                    "/upgrade",
                    "/upgrade-fails");

    private static TestApp app() {
        return timingOut(failing(TestApp.root()))
                .servlet("/stream-fails", (q, r) -> stream(q, r, 3, true))
                .servlet("/stream-completes", (q, r) -> stream(q, r, 3, false))
                .servlet("/stream-goes-on", (q, r) -> stream(q, r, 500, false))
                .servlet("/completes-in-servlet", (q, _) -> q.startAsync().complete())
                .servlet("/write-listener", (q, r) -> write(q, r))
                .servlet("/read-listener", (q, _) -> read(q))
                .servlet("/upgrade", (q, _) -> q.upgrade(Quiet.class))
                .servlet("/upgrade-fails", (q, _) -> q.upgrade(Failing.class));
    }

    private static TestApp failing(TestApp app) {
        return app.servlet(
                        "/throws",
                        (_, _) -> {
                            throw new IllegalStateException("as the test asked");
                        })
                .servlet(
                        "/throws-late",
                        (_, r) -> {
                            begin(r);
                            throw new IllegalStateException("as the test asked");
                        })
                .servlet("/short", (_, r) -> r.setContentLength(10))
                .servlet("/dispatches-after-error", (q, r) -> again(q, r, true))
                .servlet(
                        "/error-in-dispatch",
                        (q, _) -> {
                            if (q.getDispatcherType() == DispatcherType.ASYNC) {
                                throw new IllegalStateException("as the test asked");
                            }
                            q.startAsync().dispatch();
                        })
                .servlet(
                        "/sends-error-late",
                        (q, r) -> {
                            AsyncContext async = q.startAsync();
                            later(() -> {
                                r.sendError(503);
                                async.complete();
                            });
                        })
                .servlet(
                        "/throws-after-dispatch",
                        (q, _) -> {
                            if (q.getDispatcherType() != DispatcherType.ASYNC) {
                                q.startAsync().dispatch();
                                throw new IllegalStateException("as the test asked");
                            }
                        })
                .servlet(
                        "/start-throws",
                        (q, _) ->
                                q.startAsync()
                                        .start(() -> {
                                            throw new IllegalStateException("as the test asked");
                                        }));
    }

    private static TestApp timingOut(TestApp app) {
        return app.servlet("/times-out", (q, _) -> q.startAsync().setTimeout(50))
                .servlet("/times-out-dispatching", (q, r) -> again(q, r, false))
                .servlet(
                        "/times-out-committed",
                        (q, r) -> {
                            q.startAsync().setTimeout(50);
                            begin(r);
                        })
                .servlet(
                        "/listener-throws",
                        (q, _) -> {
                            AsyncContext async = q.startAsync();
                            async.setTimeout(50);
                            async.addListener(new Listener(false, true));
                        });
    }

    // What servlets do

    /// What may fail because the client has gone.
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private static void later(Work work) {
        Thread.startVirtualThread(() -> {
            try {
                work.run();
            } catch (IOException | IllegalStateException e) {
                // The client has gone, or the request has ended.
            }
        });
    }

    private static void begin(HttpServletResponse response) throws IOException {
        response.getOutputStream().write('x');
        response.flushBuffer();
    }

    /// Events from another thread, as an emitter sends them.
    private static void stream(
            HttpServletRequest q, HttpServletResponse r, int events, boolean fails) {
        r.setContentType("text/event-stream");
        AsyncContext async = q.startAsync();
        async.setTimeout(10_000);
        later(() -> {
            try {
                for (int i = 0; i < events; i++) {
                    r.getOutputStream().print("data: " + "x".repeat(8_000) + "\n\n");
                    r.flushBuffer();
                }
                if (fails) {
                    throw new IOException("as the test asked");
                }
                async.complete();
            } catch (IOException e) {
                // As Spring does with an emitter that has failed.
                async.dispatch("/throws");
            }
        });
    }

    private static void again(HttpServletRequest q, HttpServletResponse r, boolean begins)
            throws IOException {
        if (q.getDispatcherType() == DispatcherType.ASYNC) {
            r.getOutputStream().print("again");
            return;
        }
        AsyncContext async = q.startAsync();
        async.setTimeout(50);
        async.addListener(new Listener(true, false));
        if (begins) {
            async.start(() -> {
                throw new IllegalStateException("as the test asked");
            });
        }
    }

    /// Dispatches after a failure, or fails itself.
    private record Listener(boolean dispatches, boolean fails) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            fail();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            onError(event);
        }

        @Override
        public void onError(AsyncEvent event) {
            fail();
            if (dispatches) {
                event.getAsyncContext().dispatch();
            }
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}

        private void fail() {
            if (fails) {
                throw new IllegalStateException("as the test asked");
            }
        }
    }

    private static void write(HttpServletRequest q, HttpServletResponse r) throws IOException {
        AsyncContext async = q.startAsync();
        ServletOutputStream out = r.getOutputStream();
        out.setWriteListener(
                new WriteListener() {
                    private int left = 1_000;

                    @Override
                    public void onWritePossible() throws IOException {
                        while (out.isReady()) {
                            if (left-- == 0) {
                                async.complete();
                                return;
                            }
                            out.write(new byte[10_000]);
                        }
                    }

                    @Override
                    public void onError(Throwable cause) {
                        async.complete();
                    }
                });
    }

    private static void read(HttpServletRequest q) throws IOException {
        AsyncContext async = q.startAsync();
        ServletInputStream in = q.getInputStream();
        in.setReadListener(
                new ReadListener() {
                    @Override
                    public void onDataAvailable() throws IOException {
                        while (in.isReady() && in.read() >= 0) {}
                    }

                    @Override
                    public void onAllDataRead() {
                        async.complete();
                    }

                    @Override
                    public void onError(Throwable cause) {}
                });
    }

    /// Waits for the other end to go.
    public static final class Quiet implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            try {
                ServletInputStream in = connection.getInputStream();
                in.setReadListener(
                        new ReadListener() {
                            @Override
                            public void onDataAvailable() throws IOException {
                                while (in.isReady() && in.read() >= 0) {}
                            }

                            @Override
                            public void onAllDataRead() throws IOException {
                                close();
                            }

                            @Override
                            public void onError(Throwable cause) {
                                close();
                            }

                            private void close() {
                                try {
                                    connection.close();
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            }
                        });
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {}
    }

    /// Fails at once.
    public static final class Failing implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            throw new IllegalStateException("as the test asked");
        }

        @Override
        public void destroy() {
            throw new IllegalStateException("as the test asked");
        }
    }

    // What clients do

    /// What a test does with a server.
    @FunctionalInterface
    private interface Talk {
        void with(HttpServer server, InetSocketAddress address) throws Exception;
    }

    private static void serve(String transportName, Talk talk) throws Exception {
        TestApp app = app();
        WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
        Duration some = Duration.ofSeconds(2);
        HttpServerConfig config =
                HttpServerConfig.defaults()
                        .withLimits(HttpLimits.defaults().withTimeouts(some, some, some, some));
        try (Transport transport = Transports.open(transportName, TransportConfig.defaults());
                HttpServer server = new HttpServer(app.handler(), pool, config, null)) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            talk.with(server, (InetSocketAddress) listener.socket().address());
        } finally {
            pool.close();
            app.start().stop();
        }
    }

    static Stream<Arguments> cases() {
        List<Arguments> cases = new ArrayList<>();
        for (String transport : TRANSPORTS) {
            for (String path : PATHS) {
                cases.add(Arguments.of(transport, path));
            }
        }
        return cases.stream();
    }

    private static String request(String path) {
        if (path.startsWith("/upgrade")) {
            return "GET "
                    + path
                    + " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
        }
        return path.equals("/read-listener")
                ? "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"
                : "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    }

    private static void ask(InetSocketAddress address, String path, End end) throws IOException {
        try (RawHttpClient client = RawHttpClient.connect(address, 4096)) {
            client.send(request(path));
            switch (end) {
                case READS -> {
                    if (path.startsWith("/upgrade")) {
                        client.shutdownOutput();
                    }
                    try {
                        String _ = client.readToEnd();
                    } catch (IOException e) {
                        // It was reset.
                    }
                }
                case CLOSES -> {}
                case RESETS -> client.reset();
            }
        }
    }

    private static long active(HttpServer server) {
        return server.listeners().stream()
                .mapToLong(listener -> listener.stats().read().requestsActive())
                .sum();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gauge_isZeroAfterwards(String transport, String path) throws Exception {
        serve(
                transport,
                (server, address) -> {
                    for (End end : End.values()) {
                        for (int i = 0; i < 3; i++) {
                            ask(address, path, end);
                        }
                        Eventually.holds(
                                path + " " + end + " leaves no request", () -> active(server) == 0);
                    }
                    Eventually.holds(
                            "the clients' connections are gone",
                            () -> server.connectionCount() == 0);
                    assertEquals(true, server.drain(Duration.ofSeconds(10)));
                });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gauge_isZeroAfterwards_overHttp2(String transport, String path) throws Exception {
        serve(
                transport,
                (server, address) -> {
                    for (End end : End.values()) {
                        try (Http2Wire client = Http2Wire.connect(address, null)) {
                            for (int i = 0; i < 3; i++) {
                                int id = 2 * i + 1;
                                client.headers(id, true, Http2Wire.request("GET", path));
                                if (end == End.RESETS) {
                                    client.reset(id, 8);
                                } else if (end == End.READS && !path.startsWith("/upgrade")) {
                                    boolean _ = client.message(id).ended();
                                }
                            }
                        }
                        Eventually.holds(
                                path + " " + end + " leaves no request", () -> active(server) == 0);
                    }
                });
    }
}
