package io.margay.app;

import static io.margay.app.TelemetrySignalsTest.HELD_MAX;
import static io.margay.app.TelemetrySignalsTest.PATIENCE;
import static io.margay.app.TelemetrySignalsTest.trees;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.IdServlet;
import io.margay.app.sample.RowsServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spans, metrics and lines of a gateway and a container go by gRPC through the real collector,
/// which passes them on to one of ours: `make otel-collector`.
final class CollectorSoak {
    private static final String PROGRAM = System.getProperty("margay.collector", "");
    private static final int REQUESTS = Integer.getInteger("margay.collector.requests", 5_000);
    private static final int ROUND = 50;
    private static final int SPANS = 6;

    private static final String CONTAINER =
            """
            listeners: [{http: 127.0.0.1:0, forwarded: {from: [127.0.0.0/8]}}]
            admin: 127.0.0.1:0
            hosts: [{routes: {/: {app: app.war}}}]
            resources: {jdbc/rows: {url: "jdbc:h2:mem:collector;DB_CLOSE_DELAY=-1", user: sa}}
            """;

    @TempDir Path folder;

    private Process collector(int port, String to) throws IOException {
        Path config =
                Files.writeString(
                        folder.resolve("collector.yaml"),
                        """
                        receivers: {otlp: {protocols: {grpc: {endpoint: "127.0.0.1:%d"}}}}
                        exporters: {otlphttp: {endpoint: "%s", compression: none}}
                        service:
                          telemetry: {metrics: {level: none}}
                          pipelines:
                            traces: {receivers: [otlp], exporters: [otlphttp]}
                            metrics: {receivers: [otlp], exporters: [otlphttp]}
                            logs: {receivers: [otlp], exporters: [otlphttp]}
                        """
                                .formatted(port, to));
        Process made =
                new ProcessBuilder(PROGRAM, "--config", config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("collector.log").toFile())
                        .start();
        Eventually.holds("the collector listens", PATIENCE, () -> listens(port));
        return made;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private MargayServer server(String name, String text, int port) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        String telemetry =
                """
                work: work-%s
                telemetry:
                  service: %s
                  otlp: "http://127.0.0.1:%d"
                  protocol: grpc
                  steps: true
                  metrics: 1s
                  logs: true
                """;
        Files.writeString(file, text + telemetry.formatted(name, name, port));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private void application() throws Exception {
        Wars.with("index.html", "x")
                .servlet(RowsServlet.class, "/rows")
                .servlet(IdServlet.class, "/id")
                .war(folder.resolve("app.war"));
    }

    @Test
    void collectorThatIsGoneForAWhile_costsNoRequest_andIsToldAgain() throws Exception {
        application();
        int port = FreePort.next();
        OtlpReceiver receiver = new OtlpReceiver();
        Process collector = collector(port, receiver.url());
        try (receiver;
                MargayServer back = server("back", CONTAINER, port)) {
            Http http = new Http(back.ports().getFirst());
            Http admin = new Http(back.adminPort());
            round(http, "/id");
            Eventually.holds("spans", PATIENCE, () -> receiver.spanCount() >= ROUND);
            collector.destroy();
            assertTrue(collector.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            for (int i = 0; i < 60; i++) {
                round(http, "/id");
            }
            String none = "margay_telemetry_spans_lost_total 0.0\n";
            Eventually.holds("losses", PATIENCE, () -> !read(admin, "/metrics").contains(none));
            collector = collector(port, receiver.url());
            int before = receiver.spanCount();
            Eventually.holds(
                    "spans again",
                    PATIENCE,
                    () -> {
                        String _ = read(http, "/id");
                        return receiver.spanCount() > before;
                    });
        } finally {
            collector.destroy();
        }
    }

    private static String read(Http http, String path) {
        try {
            return http.get(path);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// So many requests at a time.
    private static void round(Http http, String path) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> round = new ArrayList<>();
        for (int i = 0; i < ROUND; i++) {
            round.add(http.later(path));
        }
        for (CompletableFuture<HttpResponse<String>> one : round) {
            assertEquals(200, one.get().statusCode());
        }
    }

    @Test
    void requests_areOneTreeEach_andNothingIsLost() throws Exception {
        application();
        int port = FreePort.next();
        OtlpReceiver receiver = new OtlpReceiver();
        Process collector = collector(port, receiver.url());
        String gateway =
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {gateway: shop}}}]
                upstreams: {shop: {members: [{url: "http://127.0.0.1:%d", name: back}]}}
                """;
        try (receiver;
                MargayServer back = server("back", CONTAINER, port);
                MargayServer front =
                        server("front", gateway.formatted(back.ports().getFirst()), port)) {
            Http http = new Http(front.ports().getFirst());
            Map<String, List<OtlpReceiver.Received>> traces = new HashMap<>();
            int whole = 0;
            assertEquals(200, http.status("/rows")); // Makes the table.
            for (int done = ROUND; done <= REQUESTS; done += ROUND) {
                round(http, "/rows");
                int least = done * SPANS - HELD_MAX;
                Eventually.holds("spans", PATIENCE, () -> receiver.spanCount() >= least);
                whole += trees(receiver, traces, SPANS);
            }
            assertEquals(500, http.status("/id?fail=1"));
            int all = (REQUESTS / ROUND * ROUND + 1) * SPANS + 3;
            Eventually.holds("all spans", PATIENCE, () -> receiver.spanCount() >= all);
            Eventually.holds(
                    "a line of a request",
                    PATIENCE,
                    () -> receiver.lines().stream().anyMatch(one -> !one.getTraceId().isEmpty()));
            Eventually.holds(
                    "metrics",
                    PATIENCE,
                    () -> receiver.metrics().containsKey("margay_request_seconds"));
            assertEquals(all, receiver.spanCount());
            String shown = new Http(back.adminPort()).get("/metrics");
            assertTrue(shown.contains("margay_telemetry_spans_lost_total 0.0\n"), shown);
            assertTrue(shown.contains("margay_telemetry_metrics_lost_total 0.0\n"), shown);
            whole += trees(receiver, traces, SPANS);
            assertEquals(REQUESTS / ROUND * ROUND + 1, whole);
            assertEquals(1, traces.size(), "traces of which something is missing");
        } finally {
            collector.destroy();
        }
    }
}
