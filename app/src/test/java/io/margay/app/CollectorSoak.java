package io.margay.app;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spans, metrics and lines of a gateway and a container go by gRPC through the real collector,
/// which passes them on to one of ours: `make otel-collector`.
final class CollectorSoak {
    private static final String PROGRAM = System.getProperty("margay.collector", "");
    private static final int REQUESTS = Integer.getInteger("margay.collector.requests", 5_000);
    private static final int ROUND = 50;
    private static final int SPANS = 6;

    /// Spans that batches of two servers may hold back for seconds.
    private static final int HELD_MAX = 1_022;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

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

    @Test
    void requests_areOneTreeEach_andNothingIsLost() throws Exception {
        Wars.with("index.html", "x")
                .servlet(RowsServlet.class, "/rows")
                .servlet(IdServlet.class, "/id")
                .war(folder.resolve("app.war"));
        int port = FreePort.next();
        OtlpReceiver receiver = new OtlpReceiver();
        Process collector = collector(port, receiver.url());
        String container =
                """
                listeners: [{http: 127.0.0.1:0, forwarded: {from: [127.0.0.0/8]}}]
                admin: 127.0.0.1:0
                hosts: [{routes: {/: {app: app.war}}}]
                resources: {jdbc/rows: {url: "jdbc:h2:mem:collector;DB_CLOSE_DELAY=-1", user: sa}}
                """;
        String gateway =
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {gateway: shop}}}]
                upstreams: {shop: {members: [{url: "http://127.0.0.1:%d", name: back}]}}
                """;
        try (receiver;
                MargayServer back = server("back", container, port);
                MargayServer front =
                        server("front", gateway.formatted(back.ports().getFirst()), port)) {
            Http http = new Http(front.ports().getFirst());
            assertEquals(200, http.status("/rows")); // Makes the table.
            for (int done = ROUND; done <= REQUESTS; done += ROUND) {
                List<CompletableFuture<HttpResponse<String>>> round = new ArrayList<>();
                for (int i = 0; i < ROUND; i++) {
                    round.add(http.later("/rows"));
                }
                for (CompletableFuture<HttpResponse<String>> one : round) {
                    assertEquals(200, one.get().statusCode());
                }
                int least = done * SPANS - HELD_MAX;
                Eventually.holds("spans", PATIENCE, () -> receiver.spanCount() >= least);
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
            trees(receiver.spans());
        } finally {
            collector.destroy();
        }
    }

    private static void trees(List<OtlpReceiver.Received> spans) {
        Map<String, List<OtlpReceiver.Received>> traces = new HashMap<>();
        Set<String> ids = new HashSet<>();
        for (OtlpReceiver.Received one : spans) {
            assertTrue(ids.add(one.id()));
            traces.computeIfAbsent(one.trace(), _ -> new ArrayList<>()).add(one);
        }
        List<List<OtlpReceiver.Received>> rows =
                traces.values().stream().filter(all -> all.size() == SPANS).toList();
        assertEquals(REQUESTS / ROUND * ROUND + 1, rows.size());
        assertEquals(rows.size() + 1, traces.size());
        rows.forEach(TelemetrySignalsTest::isTree);
    }
}
