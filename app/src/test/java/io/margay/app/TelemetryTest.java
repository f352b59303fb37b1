package io.margay.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.IdServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a collector is told of requests, and what becomes of requests when it is away.
@Timeout(180)
final class TelemetryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    private static final String KEEP = ", keep-failed: true, parents: everybody";

    @TempDir Path folder;
    private OtlpReceiver collector;

    @BeforeEach
    void listen() throws IOException {
        collector = new OtlpReceiver();
    }

    @AfterEach
    void stop() {
        collector.close();
    }

    private MargayServer server(String name, String text) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(file, text + "work: work-" + name + "\n");
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private MargayServer container(String listener, String otlp, String telemetry)
            throws Exception {
        Wars.with("v.txt", "one").servlet(IdServlet.class, "/id").war(folder.resolve("id.war"));
        return server(
                "back",
                """
                listeners: [{http: 127.0.0.1:0%s}]
                admin: 127.0.0.1:0
                hosts: [{routes: {/shop: {app: id.war}}}]
                telemetry: {service: back, otlp: "%s"%s}
                """
                        .formatted(listener, otlp, telemetry));
    }

    private MargayServer gateway(MargayServer back) throws IOException {
        return server(
                "front",
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/shop: {gateway: shop}}}]
                upstreams:
                  shop:
                    members:
                      - {url: "http://127.0.0.1:%d", name: back}
                telemetry: {service: front, otlp: "%s"}
                """
                        .formatted(back.ports().getFirst(), collector.url()));
    }

    private List<OtlpReceiver.Received> spans(int count) {
        Eventually.holds("spans of all", PATIENCE, () -> collector.spans().size() >= count);
        return collector.spans();
    }

    /// The server's answer to a request with a field of its own.
    private static String sent(MargayServer to, String path, String... fields) throws Exception {
        InetSocketAddress address = (InetSocketAddress) to.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            String all = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
            client.send("GET " + path + " HTTP/1.1\r\nHost: shop.example\r\n" + all + "\r\n");
            RawHttpClient.Response response = client.response();
            assertEquals(200, response.status());
            return response.text();
        }
    }

    @Test
    void requests_areOneTreeEach_fromTheGatewayToTheServlet() throws Exception {
        Map<String, String> told = new HashMap<>();
        try (MargayServer back =
                        container(", forwarded: {from: [127.0.0.0/8]}", collector.url(), "");
                MargayServer front = gateway(back)) {
            Http http = new Http(front.ports().getFirst());
            for (int i = 0; i < 20; i++) {
                List<CompletableFuture<HttpResponse<String>>> round = new ArrayList<>();
                for (int j = 0; j < 50; j++) {
                    round.add(http.later("/shop/id?secret=x"));
                }
                for (CompletableFuture<HttpResponse<String>> one : round) {
                    assertEquals(200, one.get().statusCode());
                    String parent = one.get().body().split(" ")[2];
                    told.put(parent.split("-")[1], parent);
                }
            }
        }
        assertEquals(1_000, told.size());
        Map<String, List<OtlpReceiver.Received>> traces = new HashMap<>();
        for (OtlpReceiver.Received one : spans(3_000)) {
            traces.computeIfAbsent(one.trace(), _ -> new ArrayList<>()).add(one);
        }
        assertEquals(told.keySet(), traces.keySet());
        Set<String> ids = new HashSet<>();
        traces.forEach((trace, all) -> {
            all.forEach(one -> assertTrue(ids.add(one.id())));
            isTree(all, told.get(trace));
        });
    }

    private static OtlpReceiver.Received only(
            List<OtlpReceiver.Received> spans, String service, SpanKind kind, String status) {
        List<OtlpReceiver.Received> found =
                spans.stream()
                        .filter(one -> one.service().equals(service))
                        .filter(one -> one.span().getKind() == kind)
                        .filter(one ->
                                status.equals(
                                        one.attributes()
                                                .getOrDefault("http.response.status_code", "")))
                        .toList();
        assertEquals(1, found.size(), () -> service + " " + kind + " in " + spans);
        return found.getFirst();
    }

    private static void isTree(List<OtlpReceiver.Received> spans, String told) {
        OtlpReceiver.Received root = only(spans, "front", SpanKind.SPAN_KIND_SERVER, "200");
        OtlpReceiver.Received attempt = only(spans, "front", SpanKind.SPAN_KIND_CLIENT, "200");
        OtlpReceiver.Received servlet = only(spans, "back", SpanKind.SPAN_KIND_SERVER, "200");
        assertEquals("", root.parent());
        assertEquals(root.id(), attempt.parent());
        assertEquals(attempt.id(), servlet.parent());
        assertEquals("00-" + root.trace() + "-" + servlet.id(), told.substring(0, 52));
        assertEquals("GET /shop/*", root.span().getName());
        assertEquals("/shop/id", root.attributes().get("url.path"));
        assertEquals("back", attempt.attributes().get("margay.member"));
        assertEquals("127.0.0.1", attempt.attributes().get("server.address"));
        assertTrue(root.span().getStartTimeUnixNano() <= attempt.span().getStartTimeUnixNano());
        assertTrue(attempt.span().getEndTimeUnixNano() <= root.span().getEndTimeUnixNano());
        assertEquals(3, spans.size());
        spans.forEach(one -> assertFalse(one.span().toString().contains("secret")));
    }

    @Test
    void parentOfAStranger_isALink_andWhatMakesNoSenseIsNothing() throws Exception {
        String valid = "traceparent: 00-" + TRACE + "-" + PARENT + "-01";
        try (MargayServer back = container("", collector.url(), "")) {
            String seen = sent(back, "/shop/id", valid, "tracestate: a=b").split(" ")[2];
            assertNotEquals(TRACE, seen.split("-")[1]);
            List<String> senseless =
                    List.of(
                            "traceparent: 00-" + "0".repeat(32) + "-" + PARENT + "-01",
                            "traceparent: 00-" + TRACE + "-" + "0".repeat(16) + "-01",
                            "traceparent: ff-" + TRACE + "-" + PARENT + "-01",
                            "traceparent: 00-" + TRACE + "-" + PARENT + "-01-" + "a".repeat(4_000),
                            "traceparent: 00-"
                                    + TRACE.toUpperCase(Locale.ROOT)
                                    + "-"
                                    + PARENT
                                    + "-01",
                            "traceparent: ",
                            valid + "\r\n" + valid);
            for (String one : senseless) {
                seen = sent(back, "/shop/id", one).split(" ")[2];
                assertTrue(seen.matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]"), seen);
                assertNotEquals(TRACE, seen.split("-")[1]);
            }
        }
        List<OtlpReceiver.Received> spans = spans(8);
        assertEquals(8, spans.size());
        assertEquals(8, spans.stream().map(OtlpReceiver.Received::trace).distinct().count());
        spans.forEach(one -> assertEquals("", one.parent()));
        assertEquals(1, spans.stream().mapToInt(one -> one.span().getLinksCount()).sum());
    }

    @Test
    void parentThatIsBelieved_decidesWhatIsSent_andFailuresAreKept() throws Exception {
        try (MargayServer back = container("", collector.url(), KEEP)) {
            String unsampled = "traceparent: 00-" + TRACE + "-" + PARENT + "-00";
            String seen = sent(back, "/shop/id", unsampled).split(" ")[2];
            assertTrue(seen.startsWith("00-" + TRACE + "-"), seen);
            assertTrue(seen.matches(".*-0[02]"), seen);
            assertNotEquals(PARENT, seen.split("-")[2]);
            Http http = new Http(back.ports().getFirst());
            assertEquals(200, http.status("/shop/id"));
            try (RawHttpClient client =
                    RawHttpClient.connect((InetSocketAddress) back.addresses().getFirst())) {
                client.send("GET /shop/id?fail=1 HTTP/1.1\r\nHost: a\r\n" + unsampled + "\r\n\r\n");
                assertEquals(500, client.response().status());
            }
        }
        List<OtlpReceiver.Received> spans = spans(2);
        assertEquals(2, spans.size());
        OtlpReceiver.Received failed = only(spans, "back", SpanKind.SPAN_KIND_SERVER, "500");
        assertEquals(TRACE, failed.trace());
        assertEquals(PARENT, failed.parent());
        assertEquals("500", failed.attributes().get("error.type"));
    }

    @Test
    void collectorThatIsAway_costsNoRequest_andWhatIsLostIsCounted() throws Exception {
        isLostAlone("http://127.0.0.1:" + FreePort.next(), "http");
    }

    /// Responses with a head and no end keep nothing: more of them than the sender of any has
    /// threads, and the next spans arrive.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void collectorThatDoesNotEndItsResponses_isToldAgain_whenItDoes(boolean trickles)
            throws Exception {
        Map<String, String> soon =
                Map.of(
                        "otel.exporter.otlp.timeout", "300",
                        "otel.bsp.export.timeout", "1000",
                        "otel.bsp.schedule.delay", "50");
        soon.forEach(System::setProperty);
        collector.stall(2 * Runtime.getRuntime().availableProcessors() + 6, trickles);
        try (MargayServer back = container("", collector.url(), "")) {
            Http http = new Http(back.ports().getFirst());
            Eventually.holds(
                    "spans arrive",
                    PATIENCE,
                    () -> {
                        assertEquals(200, status(http));
                        return !collector.spans().isEmpty();
                    });
            assertEquals(0, collector.stalls());
        } finally {
            soon.keySet().forEach(System::clearProperty);
        }
    }

    private static int status(Http http) {
        try {
            return http.status("/shop/v.txt");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// It takes connections and says nothing; talks nonsense; or never comes to an end.
    @ParameterizedTest
    @CsvSource({"http,", "grpc,", "http,nonsense", "grpc,nonsense", "http,endless", "grpc,endless"})
    void collectorThatIsSlowOrHostile_costsNoRequest(String protocol, @Nullable String answer)
            throws Exception {
        List<Socket> taken = new CopyOnWriteArrayList<>();
        try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> accept(rude, taken, answer));
            isLostAlone("http://127.0.0.1:" + rude.getLocalPort(), protocol);
            assertFalse(taken.isEmpty());
        } finally {
            for (Socket each : taken) {
                each.close();
            }
        }
    }

    private static void accept(ServerSocket rude, List<Socket> taken, @Nullable String answer) {
        try {
            while (true) {
                Socket socket = rude.accept();
                taken.add(socket);
                Thread.ofVirtual().start(() -> answer(socket, answer));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static void answer(Socket socket, @Nullable String answer) {
        if (answer == null) {
            return;
        }
        boolean ends = answer.equals("nonsense");
        String head = ends ? "what?" : "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        byte[] part = ("1000\r\n" + "x".repeat(0x1000) + "\r\n").getBytes(US_ASCII);
        try (OutputStream out = socket.getOutputStream()) {
            out.write(head.getBytes(US_ASCII));
            while (!ends) {
                out.write(part);
            }
        } catch (IOException e) {
            // The server has had enough.
        }
    }

    /// Spans are lost, and nothing else: requests are answered as ever.
    private void isLostAlone(String otlp, String protocol) throws Exception {
        try (MargayServer back = container("", otlp, ", protocol: " + protocol)) {
            Http http = new Http(back.ports().getFirst());
            Http admin = new Http(back.adminPort());
            for (int i = 0; i < 60; i++) {
                List<CompletableFuture<HttpResponse<String>>> round = new ArrayList<>();
                for (int j = 0; j < 50; j++) {
                    round.add(http.later("/shop/v.txt"));
                }
                for (CompletableFuture<HttpResponse<String>> one : round) {
                    assertEquals(200, one.get().statusCode());
                }
                assertTrue(count(admin, "margay_telemetry_spans_waiting ") <= 2_048);
            }
            // Not one of them has waited for an export, which may take 10 s.
            String took = "margay_request_seconds_bucket{";
            List<String> buckets =
                    admin.get("/metrics").lines().filter(one -> one.startsWith(took)).toList();
            assertEquals(
                    value(buckets.getLast()), value(buckets.get(buckets.size() - 2)), "over 10 s");
            Eventually.holds(
                    "spans are lost",
                    PATIENCE,
                    () -> count(admin, "margay_telemetry_spans_lost_total ") > 0);
            assertEquals(0, count(admin, "margay_telemetry_spans_sent_total "));
        }
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ')));
    }

    private static double count(Http admin, String name) {
        try {
            return admin.get("/metrics")
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                    .sum();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
