package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.SlowServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a server tells of the requests of the last hour, and of single ones.
final class SightTest {
    @TempDir Path folder;
    private AnsweringServer back;
    private ServerSocket mute;
    private MargayServer server;
    private Http http;
    private Http admin;

    @BeforeEach
    void start() throws Exception {
        back = new AnsweringServer("back");
        mute = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:0
                hosts:
                  - webapps: webapps
                    server-timing: true
                    access-log:
                      file: access.log
                      format: "%%U %%{UPSTREAM_CONNECT_TIME}x %%{UPSTREAM_HEADER_TIME}x
                        %%{UPSTREAM_RESPONSE_TIME}x"
                    rate-limits: [{prefix: /shop/slow, concurrent: 1, by: all, queue: 60s}]
                    routes: {/app: {gateway: two}, /gone: {gateway: none}, /mute: {gateway: mute}}
                upstreams:
                  two: {members: [{url: "http://127.0.0.1:%d", name: one}]}
                  none: {members: [{url: "http://127.0.0.1:%d", name: dead}]}
                  mute: {members: [{url: "http://127.0.0.1:%d", name: mute}]}
                work: work
                """
                        .formatted(back.httpPort(), FreePort.next(), mute.getLocalPort()));
        Files.createDirectories(folder.resolve("webapps"));
        Wars.with("a.txt", "one")
                .servlet(SlowServlet.class, "/slow")
                .war(folder.resolve("webapps/shop.war"));
        open();
    }

    private void open() throws Exception {
        server =
                MargayServer.start(
                        ConfigFile.read(folder.resolve("margay.yaml"), Map.of()).get(),
                        DeployProgress.NONE);
        http = new Http(server.ports().getFirst());
        admin = new Http(server.adminPort());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        mute.close();
        back.close();
    }

    private String api(String path) {
        try {
            return admin.get(path);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void has(String path, String part) {
        boolean _ = Eventually.comes(Duration.ofSeconds(10), () -> api(path).contains(part));
        assertTrue(api(path).contains(part), () -> part + " in " + api(path));
    }

    @Test
    void hour_isToldByHostRouteApplicationMemberAndListener() throws Exception {
        assertEquals(200, http.status("/app/x"));
        assertEquals(503, http.status("/gone/x"));
        assertEquals(200, http.status("/shop/a.txt"));
        assertEquals(404, http.status("/shop/none"));
        assertEquals(404, http.status("/nobody"));
        has("/api/hour", "{\"host\":\"*\",\"requests\":5,");
        has("/api/hour?by=route", "{\"host\":\"*\",\"route\":\"/shop/*\",\"requests\":2,");
        has("/api/hour?by=route", "\"route\":\"\",\"requests\":1,");
        has(
                "/api/hour?by=application",
                "{\"version\":1,\"by\":\"application\",\"minutes\":60,\"unwatched\":0,\"rows\":"
                        + "[{\"host\":\"*\",\"application\":\"/shop\",\"requests\":2,");
        has("/api/hour?by=member", "{\"upstream\":\"two\",\"member\":\"one\",\"requests\":1,");
        has("/api/hour?by=upstream", "{\"upstream\":\"none\",\"requests\":1,");
        has("/api/hour?by=listener&minutes=1", ",\"requests\":5,");
        assertTrue(api("/api/hour?by=listener").contains("\"statuses\":[0,2,0,2,1]"));
        assertEquals(400, admin.status("/api/hour?by=nothing"));
        assertEquals(400, admin.status("/api/hour?minutes=0"));
    }

    @Test
    void metrics_haveHistogramsByRouteApplicationAndStatus_andByPhase() throws Exception {
        assertEquals(200, http.status("/app/x"));
        assertEquals(404, http.status("/shop/none"));
        has(
                "/metrics",
                "margay_route_request_seconds_count{application=\"/shop\",host=\"*\","
                        + "route=\"/shop/*\",status=\"4xx\"} 1\n");
        has(
                "/metrics",
                "margay_route_request_seconds_count{application=\"\",host=\"*\","
                        + "route=\"/app/*\",status=\"2xx\"} 1\n");
        has(
                "/metrics",
                "margay_member_phase_seconds_count{member=\"one\",phase=\"answer\","
                        + "upstream=\"two\"} 1\n");
    }

    @Test
    void responses_sayWhereTheTimeWent_whereThatIsWanted() throws Exception {
        String time = ";dur=[0-9]+\\.[0-9]{3}";
        List<String> told = http.response("/app/x").headers().allValues("Server-Timing");
        assertEquals(1, told.size());
        assertTrue(
                told.getFirst().matches("total" + time + "(, [a-z]+" + time + ")+"),
                told::toString);
        assertTrue(told.getFirst().contains(", answer;dur="), told::toString);
        told = http.response("/shop/a.txt").headers().allValues("Server-Timing");
        assertTrue(told.getFirst().startsWith("total;dur="), told::toString);
        assertEquals(List.of(), admin.response("/health").headers().allValues("Server-Timing"));
    }

    @Test
    void accessLog_hasTheTimesOfMembers_asThatOfNginx() throws Exception {
        assertEquals(200, http.status("/app/x"));
        assertEquals(200, http.status("/shop/a.txt"));
        server.close();
        String lines = Files.readString(folder.resolve("access.log"));
        String time = " [0-9]+\\.[0-9]{3}";
        assertTrue(lines.matches("(?s).*/app/x" + time.repeat(3) + "\n.*"), lines);
        assertTrue(lines.contains("/shop/a.txt - - -\n"), lines);
    }

    @Test
    void requestUnderWay_isListed_andAmongTheSlowestAfterwards() throws Exception {
        Path until = folder.resolve("go");
        CompletableFuture<HttpResponse<String>> slow = http.later("/shop/slow?until=" + until);
        String path = "\"path\":\"/shop/slow\"";
        has("/api/requests", path);
        String running = api("/api/requests");
        assertTrue(running.indexOf(path) < running.indexOf("\"slowest\""), running);
        assertFalse(running.contains("until"), "queries may have secrets: " + running);
        assertTrue(running.contains("\"host\":\"*\",\"route\":\"/shop/*\""), running);
        CompletableFuture<HttpResponse<String>> held = http.later("/shop/slow?until=" + until);
        has("/api/requests", path + ",\"host\":\"*\",\"route\":\"\"");
        has("/api/requests", "\"cause\":\"held\"");
        String id = running.replaceAll("(?s).*?\"id\":\"([^\"]+)\".*", "$1");
        has("/api/requests?id=" + id, "SlowServlet.doGet(SlowServlet.java:");
        List<String> explained = server.answer("explain " + id).lines();
        assertTrue(explained.stream().anyMatch(one -> one.contains("SlowServlet.doGet(")));
        has("/api/hour", "{\"host\":\"*\",\"requests\":0,\"perSecond\":0.0,\"active\":1,");
        Files.writeString(until, "");
        assertEquals(200, slow.get(30, TimeUnit.SECONDS).statusCode());
        assertEquals(200, held.get(30, TimeUnit.SECONDS).statusCode());
        has("/api/requests", "{\"version\":1,\"running\":[],\"slowest\":[{\"id\":\"");
        assertTrue(api("/api/requests").contains("\"route\":\"/shop/*\""));
    }

    @Test
    void requestUnderWay_tellsWhatItWaitsFor() throws Exception {
        CompletableFuture<HttpResponse<String>> asked = http.later("/mute/x");
        has("/api/requests", "\"cause\":\"answer\"");
        List<String> lines = server.answer("requests 120").lines();
        assertTrue(lines.get(1).matches("GET /mute/x .* answer .*"), lines::toString);
        mute.accept().close();
        assertEquals(502, asked.get(30, TimeUnit.SECONDS).statusCode());
    }

    @Test
    void flightRecorder_isToldOfRequestsAndAttempts() throws Exception {
        Path file = folder.resolve("margay.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            assertEquals(200, http.status("/app/x?secret=1"));
            assertEquals(503, http.status("/gone/x"));
            has("/api/hour", "\"requests\":2,");
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> all = RecordingFile.readAllEvents(file);
        RecordedEvent attempt = event(all, "io.margay.Attempt", "member", "one");
        RecordedEvent request = event(all, "io.margay.Request", "path", "/app/x");
        assertEquals(request.getString("id"), attempt.getString("request"));
        assertEquals("OK", attempt.getString("outcome"));
        assertEquals(200, request.getInt("status"));
        assertEquals("/app/*", request.getString("route"));
        assertTrue(request.getLong("took") >= request.getLong("answer"));
        assertEquals(
                "CONNECT_FAILED",
                event(all, "io.margay.Attempt", "member", "dead").getString("outcome"));
    }

    private static RecordedEvent event(
            List<RecordedEvent> all, String type, String field, String value) {
        return all.stream()
                .filter(each -> each.getEventType().getName().equals(type))
                .filter(each -> each.getString(field).equals(value))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failedRequest_isFoundByItsName_alsoByTheNextServer() throws Exception {
        assertEquals(503, http.status("/gone/x"));
        has("/api/requests", "\"failing\":[{\"id\":\"");
        String all = api("/api/requests");
        String id = all.replaceAll("(?s).*\"failing\":\\[\\{\"id\":\"([^\"]+)\".*", "$1");
        String one = api("/api/requests?id=" + id);
        assertTrue(one.contains("\"path\":\"/gone/x\""), one);
        assertTrue(one.contains("\"status\":503"), one);
        assertTrue(one.contains("\"member\":\"none/dead\""), one);
        assertFalse(api("/api/requests?id=other").contains("/gone/x"));
        has("/api/hour", "\"requests\":1,");
        server.close();
        open();
        has("/api/hour", "\"requests\":1,");
        assertTrue(api("/api/requests?id=" + id).contains("\"path\":\"/gone/x\""));
    }
}
