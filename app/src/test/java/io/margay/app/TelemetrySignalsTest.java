package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.FixedServlet;
import io.margay.app.sample.IdServlet;
import io.margay.app.sample.ListeningEndpoint;
import io.margay.app.sample.RowsServlet;
import io.margay.app.sample.SessionServlet;
import io.margay.testkit.Eventually;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a collector is told besides the spans of requests: metrics, lines of the log, and what was
/// done for a request; by HTTP and by gRPC.
@Timeout(180)
final class TelemetrySignalsTest {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Spans that batches of two servers may hold back for seconds: 511 each.
    static final int HELD_MAX = 1_022;

    /// Requests of which each trace is looked at.
    private static final int TRACED = Integer.getInteger("margay.traced", 2_000);

    /// A page of many parts, the last of which asks the database.
    private static final String PARTS =
            "<jsp:include page='page.jsp'/>".repeat(70) + "<jsp:include page='rows'/>";

    @TempDir Path folder;
    private OtlpReceiver collector;

    @AfterEach
    void stop() {
        collector.close();
    }

    private MargayServer server(String name, String text, String telemetry) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(
                file,
                text
                        + "telemetry: {service: %s, otlp: \"%s\", %s}\nwork: work-%s\n"
                                .formatted(name, collector.url(), telemetry, name));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private MargayServer container(String more, String telemetry) throws Exception {
        Wars.with("page.jsp", "<%@ page session=\"false\" %><%= 6 * 7 %>")
                .and("whole.jsp", "<jsp:forward page='parts.jsp?secret=x'/>")
                .and("parts.jsp", "a<jsp:include page='page.jsp'/>b")
                .and("to.jsp", "<jsp:forward page='<%= request.getParameter(\"to\") %>'/>")
                .and("many.jsp", PARTS)
                .and("fail.jsp", "<% if (true) throw new IllegalStateException(); %>")
                .servlet(IdServlet.class, "/id")
                .servlet(FixedServlet.class, "/ids/*")
                .servlet(RowsServlet.class, "/rows")
                .servlet(SessionServlet.class, "/session")
                .type(ListeningEndpoint.class)
                .war(folder.resolve("app.war"));
        return server(
                "back",
                """
                listeners: [{http: 127.0.0.1:0, forwarded: {from: [127.0.0.0/8]}}]
                admin: 127.0.0.1:0
                hosts: [{routes: {/: {app: app.war}}}]
                resources:
                  jdbc/rows: {url: "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1", user: sa}
                %s
                """
                        .formatted(folder.getFileName(), more),
                telemetry);
    }

    private MargayServer gateway(MargayServer back) throws IOException {
        return server(
                "front",
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {gateway: shop}}}]
                upstreams: {shop: {members: [{url: "http://127.0.0.1:%d", name: back}]}}
                """
                        .formatted(back.ports().getFirst()),
                "protocol: http");
    }

    private void awaitSpans(int count) {
        Eventually.holds("spans", PATIENCE, () -> collector.spanCount() >= count);
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(
                        Collectors.toMap(KeyValue::getKey, one -> one.getValue().getStringValue()));
    }

    @Test
    void metrics_areThoseOfTheAdminListener() throws Exception {
        collector = new OtlpReceiver();
        try (MargayServer back = container("", "metrics: 1s")) {
            Http http = new Http(back.ports().getFirst());
            for (int i = 0; i < 3; i++) {
                assertEquals(200, http.status("/rows"));
            }
            Eventually.holds("counted", PATIENCE, () -> requests(collector) >= 3);
            Set<String> shown = new TreeSet<>();
            new Http(back.adminPort())
                    .get("/metrics")
                    .lines()
                    .filter(line -> line.startsWith("# TYPE "))
                    .forEach(line -> shown.add(line.split(" ")[2].replaceFirst("_total$", "")));
            Eventually.holds(
                    "all are sent",
                    PATIENCE,
                    () -> collector.metrics().keySet().containsAll(shown));
            // What is counted of what is sent, and nothing of the SDK's own.
            assertTrue(shown.contains("margay_telemetry_metrics_sent"), shown.toString());
            Set<String> more = new TreeSet<>(collector.metrics().keySet());
            more.removeAll(shown);
            assertEquals(Set.of(), more);
        }
        Metric took = collector.metrics().get("margay_request_seconds");
        assertEquals("s", took.getUnit());
        HistogramDataPoint point = took.getHistogram().getDataPoints(0);
        assertEquals(14, point.getExplicitBoundsCount());
        assertEquals(15, point.getBucketCountsCount());
        long counted = point.getBucketCountsList().stream().mapToLong(Long::longValue).sum();
        assertEquals(counted, point.getCount());
        assertTrue(point.getStartTimeUnixNano() < point.getTimeUnixNano());
        Metric pools = collector.metrics().get("margay_datasource_acquired");
        assertTrue(pools.getSum().getIsMonotonic());
        assertEquals(
                Map.of("datasource", "jdbc/rows"),
                texts(pools.getSum().getDataPoints(0).getAttributesList()));
    }

    @Test
    void histogramsOfRoutes_haveExemplars_thatTheCollectorKnows() throws Exception {
        collector = new OtlpReceiver();
        Pattern exemplar = Pattern.compile("\n(margay_route_request_seconds_bucket.*) # (.*)\n");
        List<String> found = new ArrayList<>();
        try (MargayServer back = container("", "metrics: 1s")) {
            Http http = new Http(back.ports().getFirst());
            assertEquals(200, http.status("/id"));
            Eventually.holds(
                    "exemplar",
                    PATIENCE,
                    () -> {
                        Matcher at = exemplar.matcher(openMetrics(back.adminPort()));
                        found.clear();
                        while (at.find()) {
                            found.add(at.group(2));
                        }
                        return !found.isEmpty();
                    });
            assertFalse(new Http(back.adminPort()).get("/metrics").contains("trace_id"));
            Eventually.holds("sent", PATIENCE, () -> !examples(collector).isEmpty());
            awaitSpans(1);
        }
        OtlpReceiver.Received span = collector.spans().getFirst();
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.getFirst().contains("trace_id=\"" + span.trace() + "\""));
        assertTrue(found.getFirst().contains("span_id=\"" + span.id() + "\""));
        assertEquals(Set.of(span.trace()), examples(collector));
    }

    @Test
    void failedRequest_thatIsKept_isAnExemplarOfTheGateway() throws Exception {
        collector = new OtlpReceiver();
        try (MargayServer back = container("", "sample: 0");
                MargayServer front =
                        server(
                                "front",
                                """
                                listeners: [{http: 127.0.0.1:0}]
                                admin: 127.0.0.1:0
                                hosts: [{routes: {/: {gateway: shop}}}]
                                upstreams: {shop: {members: [{url: "http://127.0.0.1:%d"}]}}
                                """
                                        .formatted(back.ports().getFirst()),
                                "sample: 0, keep-failed: true")) {
            assertEquals(500, new Http(front.ports().getFirst()).status("/fail.jsp"));
            Eventually.holds(
                    "exemplar", PATIENCE, () -> openMetrics(front.adminPort()).contains(" # {"));
        }
    }

    private static Set<String> examples(OtlpReceiver collector) {
        Metric took = collector.metrics().get("margay_route_request_seconds");
        return took == null
                ? Set.of()
                : took.getHistogram().getDataPointsList().stream()
                        .flatMap(point -> point.getExemplarsList().stream())
                        .map(one -> HexFormat.of().formatHex(one.getTraceId().toByteArray()))
                        .collect(Collectors.toSet());
    }

    private static String openMetrics(int port) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
            HttpRequest request =
                    HttpRequest.newBuilder(metrics)
                            .header("Accept", "application/openmetrics-text; version=1.0.0")
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static double requests(OtlpReceiver collector) {
        Metric requests = collector.metrics().get("margay_requests");
        return requests == null
                ? 0
                : requests.getSum().getDataPointsList().stream()
                        .filter(one -> "2xx".equals(texts(one.getAttributesList()).get("status")))
                        .mapToDouble(one -> one.getAsDouble())
                        .sum();
    }

    @Test
    void linesOfTheLog_nameTheSpanOfTheirRequest_andCarryTheException() throws Exception {
        collector = new OtlpReceiver();
        try (MargayServer back = container("", "logs: true")) {
            Http http = new Http(back.ports().getFirst());
            assertEquals(500, http.status("/id?fail=1"));
            awaitSpans(1);
            Eventually.holds(
                    "its line",
                    PATIENCE,
                    () -> collector.lines().stream().anyMatch(one -> !one.getTraceId().isEmpty()));
        }
        List<OtlpReceiver.Received> spans = collector.spans();
        assertEquals(1, spans.size());
        LogRecord line =
                collector.lines().stream()
                        .filter(one -> !one.getTraceId().isEmpty())
                        .findFirst()
                        .orElseThrow();
        HexFormat hex = HexFormat.of();
        assertEquals(spans.getFirst().trace(), hex.formatHex(line.getTraceId().toByteArray()));
        assertEquals(spans.getFirst().id(), hex.formatHex(line.getSpanId().toByteArray()));
        assertTrue(line.getBody().getStringValue().contains("failed"), line.toString());
        Map<String, String> told = texts(line.getAttributesList());
        assertEquals("java.lang.IllegalStateException", told.get("exception.type"));
        assertEquals("as it was told to", told.get("exception.message"));
        assertTrue(told.get("exception.stacktrace").contains("IdServlet.doGet"));
    }

    @Test
    void everything_goesByGrpc_onOneConnection_andAgainAfterARefusal() throws Exception {
        collector = OtlpReceiver.byGrpc(1);
        String telemetry = "protocol: grpc, metrics: 1s, logs: true";
        try (MargayServer back = container("", telemetry)) {
            Http http = new Http(back.ports().getFirst());
            assertEquals(500, http.status("/id?fail=1"));
            awaitSpans(1);
            assertEquals(200, http.status("/id"));
            awaitSpans(2);
            Eventually.holds("lines", PATIENCE, () -> !collector.lines().isEmpty());
            Eventually.holds("metrics", PATIENCE, () -> requests(collector) >= 1);
            Eventually.holds("calls", PATIENCE, () -> collector.calls() > 6);
            // One for each of spans, metrics and lines.
            assertTrue(collector.connections() <= 3, () -> collector.connections() + " of them");
            String lost = "margay_telemetry_spans_lost_total 0.0\n";
            String shown = new Http(back.adminPort()).get("/metrics");
            assertTrue(shown.contains(lost), shown);
        }
    }

    @Test
    @Timeout(900)
    void requests_areOneTreeEach_fromTheGatewayToTheDatabase() throws Exception {
        collector = new OtlpReceiver();
        int perRequest = 6;
        Map<String, List<OtlpReceiver.Received>> traces = new HashMap<>();
        int whole = 0;
        try (MargayServer back = container("", "steps: true");
                MargayServer front = gateway(back)) {
            Http http = new Http(front.ports().getFirst());
            assertEquals(200, http.status("/rows")); // Makes the table.
            for (int done = 50; done <= TRACED; done += 50) {
                List<CompletableFuture<HttpResponse<String>>> round = new ArrayList<>();
                for (int j = 0; j < 50; j++) {
                    round.add(http.later("/rows"));
                }
                for (CompletableFuture<HttpResponse<String>> one : round) {
                    assertEquals(200, one.get().statusCode());
                }
                awaitSpans(done * perRequest - HELD_MAX);
                whole += trees(collector, traces, perRequest);
            }
        }
        whole += trees(collector, traces, perRequest);
        assertEquals(Map.of(), traces, "traces of which something is missing");
        assertEquals(TRACED + 1, whole);
        assertEquals(
                (TRACED + 1) * perRequest, collector.spanCount(), "spans of no trace, or twice");
    }

    /// Takes what the collector was told, and looks at traces that are whole.
    ///
    /// @param traces those that are not
    /// @return how many are
    static int trees(
            OtlpReceiver collector, Map<String, List<OtlpReceiver.Received>> traces, int spans) {
        int whole = 0;
        for (OtlpReceiver.Received one : collector.take()) {
            List<OtlpReceiver.Received> trace =
                    traces.computeIfAbsent(one.trace(), _ -> new ArrayList<>());
            trace.add(one);
            if (trace.size() == spans) {
                isTree(trace);
                traces.remove(one.trace());
                whole++;
            }
        }
        return whole;
    }

    private static OtlpReceiver.Received only(
            List<OtlpReceiver.Received> spans, String service, SpanKind kind) {
        List<OtlpReceiver.Received> found =
                spans.stream()
                        .filter(one -> one.service().equals(service))
                        .filter(one -> one.span().getKind() == kind)
                        .toList();
        assertEquals(1, found.size(), () -> service + " " + kind + " in " + spans);
        return found.getFirst();
    }

    static void isTree(List<OtlpReceiver.Received> spans) {
        OtlpReceiver.Received root = only(spans, "front", SpanKind.SPAN_KIND_SERVER);
        OtlpReceiver.Received attempt = only(spans, "front", SpanKind.SPAN_KIND_CLIENT);
        OtlpReceiver.Received servlet = only(spans, "back", SpanKind.SPAN_KIND_SERVER);
        assertEquals("", root.parent());
        assertEquals(root.id(), attempt.parent());
        assertEquals(attempt.id(), servlet.parent());
        Set<String> summaries = new TreeSet<>();
        for (OtlpReceiver.Received one : spans) {
            String statement = one.attributes().get("db.query.text");
            if (statement != null) {
                assertEquals("back", one.service());
                assertEquals(servlet.id(), one.parent());
                assertEquals("h2database", one.attributes().get("db.system.name"));
                assertEquals("jdbc/rows", one.attributes().get("margay.datasource"));
                assertFalse(statement.contains("1"), statement);
                summaries.add(one.span().getName());
            }
        }
        assertEquals(Set.of("CREATE t", "INSERT t", "SELECT t"), summaries);
        assertEquals(6, spans.size());
    }

    @Test
    void pageSessionsAndMessages_areBelowTheirRequest() throws Exception {
        collector = new OtlpReceiver();
        String store =
                "sessions: {store: jdbc, url: \"jdbc:h2:mem:%s-s;DB_CLOSE_DELAY=-1\", key: \"%s\"}"
                        .formatted(folder.getFileName(), "k".repeat(40));
        try (MargayServer back = container(store, "steps: true")) {
            Http http = new Http(back.ports().getFirst());
            assertEquals("42", http.get("/page.jsp").strip());
            assertEquals("grown to 1", http.get("/session?grow"));
            talk(back.ports().getFirst());
            Eventually.holds(
                    "the request of the WebSocket",
                    PATIENCE,
                    () ->
                            collector.spans().stream()
                                    .anyMatch(
                                            one -> "/ws".equals(one.attributes().get("url.path"))));
        }
        assertEquals("/page.jsp", below("GET /*", "/page.jsp", "render /page.jsp"));
        assertEquals(
                List.of("compile /page.jsp", "render /page.jsp", "GET /*"),
                above("compile /page.jsp"));
        below("GET /*", "/session", "session save");
        below("GET /*", "/ws", "websocket open");
        below("GET /*", "/ws", "websocket message");
    }

    @Test
    void pagesThatForwardAndInclude_areATreeOfWhatIsRendered() throws Exception {
        collector = new OtlpReceiver();
        try (MargayServer back = container("", "steps: true")) {
            Http http = new Http(back.ports().getFirst());
            assertEquals(200, http.status("/page.jsp"));
            assertEquals("a42b", http.get("/whole.jsp").replaceAll("\\s", ""));
            awaitSpans(11);
        }
        String last = "include /page.jsp";
        assertEquals(
                List.of(
                        last,
                        "render /parts.jsp",
                        "forward /parts.jsp",
                        "render /whole.jsp",
                        "GET /*"),
                above(last));
        List<String> names = collector.spans().stream().map(one -> one.span().getName()).toList();
        assertEquals(2, names.stream().filter("render /page.jsp"::equals).count(), names::toString);
        assertFalse(collector.spans().toString().contains("secret"));
    }

    @Test
    void pageOfManyParts_leavesRoomForItsStatements() throws Exception {
        collector = new OtlpReceiver();
        try (MargayServer back = container("", "steps: true")) {
            assertEquals(200, new Http(back.ports().getFirst()).status("/many.jsp"));
        }
        List<OtlpReceiver.Received> all = collector.spans();
        List<String> names = all.stream().map(one -> one.span().getName()).toList();
        assertTrue(names.containsAll(List.of("CREATE t", "INSERT t", "SELECT t")), names::toString);
        assertEquals(64, names.stream().filter(one -> one.matches("(render|include) .*")).count());
        OtlpReceiver.Received root =
                all.stream()
                        .filter(one -> one.span().getName().startsWith("GET "))
                        .findFirst()
                        .orElseThrow();
        // One rendered, and 71 included of which 70 are rendered.
        assertEquals("78", root.attributes().get("margay.steps.left_out"));
    }

    @Test
    void pathsThatClientsMakeUp_nameNoSpans() throws Exception {
        collector = new OtlpReceiver();
        try (MargayServer back = container("", "steps: true")) {
            Http http = new Http(back.ports().getFirst());
            for (int i = 0; i < 3; i++) {
                assertEquals(404, http.status("/made-up-" + i + ".jsp"));
                assertEquals(200, http.status("/to.jsp?to=/ids/made-up-" + i));
                assertEquals(404, http.status("/to.jsp?to=/made-up-" + i + ".css"));
            }
        }
        Set<String> names =
                collector.spans().stream()
                        .map(one -> one.span().getName())
                        .collect(Collectors.toCollection(TreeSet::new));
        assertFalse(names.toString().contains("made-up"), names::toString);
        assertTrue(names.contains("forward /ids/*"), names::toString);
        Set<String> asked =
                collector.spans().stream()
                        .map(one -> one.attributes().getOrDefault("margay.dispatch", ""))
                        .collect(Collectors.toSet());
        assertTrue(asked.contains("/ids/made-up-1"), asked::toString);
    }

    /// The names of a span and of those above it.
    private List<String> above(String name) {
        List<OtlpReceiver.Received> all = collector.spans();
        List<String> names = new ArrayList<>();
        OtlpReceiver.Received at =
                all.stream()
                        .filter(one -> one.span().getName().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(name + " in " + all));
        while (at != null) {
            names.add(at.span().getName());
            String parent = at.parent();
            at = all.stream().filter(one -> one.id().equals(parent)).findFirst().orElse(null);
        }
        return names;
    }

    /// The page of the span of a name, after a look at its parent.
    private String below(String name, String path, String step) {
        List<OtlpReceiver.Received> all = collector.spans();
        OtlpReceiver.Received found =
                all.stream()
                        .filter(one -> one.span().getName().equals(step))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(step + " in " + all));
        OtlpReceiver.Received parent =
                all.stream()
                        .filter(one -> one.id().equals(found.parent()))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("parent of " + step + " in " + all));
        assertEquals(name, parent.span().getName());
        assertEquals(path, parent.attributes().get("url.path"));
        assertEquals(parent.trace(), found.trace());
        return found.attributes().getOrDefault("margay.page", "");
    }

    private static void talk(int port) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        WebSocket.Listener listener =
                new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(
                            WebSocket from, CharSequence part, boolean last) {
                        answer.complete(part.toString());
                        from.request(1);
                        return null;
                    }
                };
        HttpClient client = HttpClient.newHttpClient();
        try {
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(URI.create("ws://127.0.0.1:" + port + "/ws"), listener)
                            .join();
            socket.sendText("abc", true).join();
            assertEquals("3 characters", answer.get());
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        } finally {
            client.shutdownNow();
        }
    }
}
