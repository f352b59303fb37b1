package io.margay.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.RowsServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What metrics, health and API tell of upstreams, certificates, applications and the process.
final class OperatorViewTest {
    /// A line of the reference: names, type.
    private static final Pattern METRICS = Pattern.compile("^- `([^(]+)` \\((\\w+)");

    @TempDir Path folder;
    private AnsweringServer back;
    private MargayServer server;
    private Http http;
    private Http admin;

    @BeforeEach
    void start() throws Exception {
        back = new AnsweringServer("back");
        Pem pem = Pem.make(folder, "site");
        String yaml =
                """
                listeners:
                  - http: 127.0.0.1:0
                  - https: 127.0.0.1:0
                    certificates: [{cert: %s, key: %s}]
                admin: 127.0.0.1:0
                hosts:
                  - access-log: {file: access.log}
                    rate-limits: [{concurrent: 1000}]
                    shield: {challenge: all, log-only: true}
                    cache: {}
                    webapps: webapps
                    routes:
                      /app: {gateway: two}
                      /gone: {gateway: none}
                      /part:
                        gateway: two
                        cache: {memory: 0}
                        canary: {to: named, steps: [5%%]}
                      /copied: {gateway: two, mirror: {to: named, compare: {}}, hedge: 1s}
                upstreams:
                  two: {members: [{url: "http://127.0.0.1:%d", name: one}]}
                  none: {members: [{url: "http://127.0.0.1:%d", name: dead}]}
                  named: {members: {file: members.txt}}
                resources: {jdbc/rows: {url: "jdbc:h2:mem:view;DB_CLOSE_DELAY=-1"}}
                work: work
                """
                        .formatted(pem.cert(), pem.key(), back.httpPort(), FreePort.next());
        Files.writeString(
                folder.resolve("members.txt"), "http://127.0.0.1:" + back.httpPort() + " name=x");
        Files.createDirectories(folder.resolve("webapps"));
        Wars.with("a.txt", "one")
                .servlet(RowsServlet.class, "/rows")
                .war(folder.resolve("webapps/shop.war"));
        Path file = Files.writeString(folder.resolve("margay.yaml"), yaml);
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        server = MargayServer.start(config, DeployProgress.NONE);
        http = new Http(server.ports().getFirst());
        admin = new Http(server.adminPort());
    }

    @AfterEach
    void stop() {
        server.close();
        back.close();
    }

    @Test
    void metrics_ofMembers_haveStateAndHistogram() throws Exception {
        assertEquals(200, http.status("/app/x"));
        assertEquals(503, http.status("/gone/x"));
        String one = "{member=\"one\",upstream=\"two\"";
        String dead = "{member=\"dead\",upstream=\"none\"";
        String text = admin.get("/metrics");
        assertTrue(text.contains("margay_member_usable" + one + "} 1.0\n"), text);
        assertTrue(text.contains("margay_member_usable" + dead + "} 0.0\n"), text);
        assertTrue(text.contains("margay_member_requests_total" + one + "} 1.0\n"), text);
        assertTrue(text.contains("margay_member_errors_total" + dead + "} 1.0\n"), text);
        String answers = "margay_member_responses_total{member=\"one\",status=\"";
        assertTrue(text.contains(answers + "2xx\",upstream=\"two\"} 1.0\n"), text);
        assertTrue(text.contains(answers + "5xx\",upstream=\"two\"} 0.0\n"), text);
        String api = admin.get("/api/upstreams");
        assertTrue(api.contains("\"statuses\":[0,1,0,0,0]"), api);
        String inf =
                "margay_member_request_seconds_bucket{member=\"one\",status=\"2xx\","
                        + "upstream=\"two\",le=\"+Inf\"} 1\n";
        assertTrue(text.contains(inf), text);
        assertTrue(text.contains("margay_upstream_members_usable{upstream=\"none\"} 0.0\n"), text);
    }

    @Test
    void metrics_ofTheProcessAndOfTls_areThere() throws Exception {
        InetSocketAddress tls =
                server.addresses().stream()
                        .map(InetSocketAddress.class::cast)
                        .filter(one -> one.getPort() != server.ports().getFirst())
                        .findFirst()
                        .orElseThrow();
        try (Socket plain = new Socket(tls.getAddress(), tls.getPort())) {
            plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
            String answer = new String(plain.getInputStream().readAllBytes(), US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\r\n"), answer);
            assertTrue(answer.contains("use https://"), answer);
        }
        String labels = "{listener=\"https:" + tls.getPort() + "\"} ";
        Eventually.holds("counted", () -> metrics().contains("failed_total" + labels + "1.0\n"));
        assertTrue(metrics().contains("margay_tls_handshakes_total" + labels + "0.0\n"));
        String resident =
                metrics()
                        .lines()
                        .filter(line -> line.startsWith("process_resident_memory_bytes "))
                        .findFirst()
                        .orElseThrow();
        double bytes = Double.parseDouble(resident.substring(resident.indexOf(' ')));
        assertTrue(bytes > 20e6 && bytes < 20e9, resident);
    }

    /// A reload changes the host, and leaves what it has counted.
    @Test
    void answersOfHostsAndRoutes_areCountedByClass_overReloads() throws Exception {
        assertEquals(200, http.status("/app/x"));
        assertEquals(503, http.status("/gone/x"));
        assertEquals(404, http.status("/nobody"));
        String host = "margay_host_responses_total{host=\"*\",status=\"";
        String route = "margay_route_responses_total{host=\"*\",route=\"";
        Eventually.holds("counted", () -> metrics().contains(host + "4xx\"} 1.0\n"));
        Eventually.holds("counted", () -> metrics().contains(host + "5xx\"} 1.0\n"));
        String text = metrics();
        assertTrue(text.contains(host + "2xx\"} 1.0\n"), text);
        assertTrue(text.contains(route + "/app/*\",status=\"2xx\"} 1.0\n"), text);
        assertTrue(text.contains(route + "/gone/*\",status=\"5xx\"} 1.0\n"), text);
        String api = admin.get("/api/hosts");
        assertTrue(api.startsWith("[{\"name\":\"*\",\"statuses\":[0,1,0,1,1],"), api);
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file, Files.readString(file).replace("concurrent: 1000", "concurrent: 999"));
        server.reload(ConfigFile.read(file, Map.of()).get());
        assertEquals(200, http.status("/app/x"));
        Eventually.holds(
                "counted", () -> metrics().contains(route + "/app/*\",status=\"2xx\"} 2.0\n"));
    }

    private String metrics() {
        try {
            return admin.get("/metrics");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void metrics_areThoseOfTheReference() throws Exception {
        Path page =
                Path.of(System.getProperty("margay.root", ".."))
                        .resolve("docs/reference/metrics.md");
        Set<String> written = new TreeSet<>();
        for (String row : Files.readAllLines(page)) {
            Matcher line = METRICS.matcher(row);
            for (String name : line.find() ? line.group(1).split(", ") : new String[0]) {
                written.add(name.replace("`", "") + " " + line.group(2));
            }
        }
        // Those of shared sessions are there where sessions are shared: SharedSessionsTest.
        written.removeIf(name -> name.startsWith("margay_session_store_"));
        // And those of registrations where a server registers: RegistrationTest.
        written.removeIf(name -> name.startsWith("margay_registration_"));
        // And that of requests that are stuck where an application looks for them: AdminTest.
        written.removeIf(name -> name.startsWith("margay_application_requests_stuck"));
        // And those of what servers share where they do: SharedChangesTest.
        written.removeIf(name -> name.startsWith("margay_shared_"));
        // And those of certificates that the server gets by itself: AcmeTest.
        written.removeIf(name -> name.startsWith("margay_acme_"));
        // And those of stapled OCSP responses: StaplingTest.
        written.removeIf(name -> name.startsWith("margay_ocsp_"));
        // And those of logins at OpenID providers: LoginMetricsTest.
        written.removeIf(name -> name.startsWith("margay_openid_"));
        // And those of spans: TelemetryTest.
        written.removeIf(name -> name.startsWith("margay_telemetry_"));
        assertEquals(200, http.status("/shop/rows")); // Makes the pool.
        assertEquals(200, http.status("/app/x")); // Has a member answer.
        String route = "margay_route_responses_total{host=\"*\",route=\"/shop/*\",status=\"2xx\"}";
        Eventually.holds("counted", () -> metrics().contains(route));
        String member = "margay_member_request_seconds_count{member=\"one\"";
        Eventually.holds("counted", () -> metrics().contains(member));
        Set<String> there = new TreeSet<>();
        admin.get("/metrics")
                .lines()
                .filter(line -> line.startsWith("# TYPE "))
                .forEach(line -> there.add(line.substring("# TYPE ".length())));
        assertEquals(written, there);
        String api = admin.get("/api/meters");
        for (String type : there) {
            String name = type.substring(0, type.indexOf(' ')).replaceFirst("_total$", "");
            assertTrue(api.contains("{\"name\":\"" + name + "\",\"kind\":\""), name);
        }
        assertTrue(
                api.contains(
                        "{\"name\":\"margay_route_responses\",\"kind\":\"counter\",\"labels\":"
                                + "{\"status\":\"2xx\",\"route\":\"/shop/*\",\"host\":\"*\"},"
                                + "\"value\":1.0}"),
                api);
    }

    @Test
    void health_withAnUpstreamOrAnApplicationDown_isDegraded() throws Exception {
        assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
        assertEquals(200, admin.status("/health/full"));
        assertEquals(503, http.status("/gone/x"));
        assertEquals(200, admin.status("/health"));
        assertTrue(admin.get("/health").contains("\"upstreamsDown\":1"), admin.get("/health"));
        assertEquals(503, admin.status("/health/full"));
        Files.writeString(folder.resolve("webapps/broken.war"), "no archive");
        server.reload(server.config());
        assertTrue(admin.get("/health").contains("\"applicationsFailed\":1"));
        String ill = admin.get("/health").replaceAll(".*\"ill\":", "");
        assertTrue(ill.contains("\"upstream none: no member can be used\""), ill);
        assertTrue(ill.contains("\"application /broken: "), ill);
        assertEquals(200, admin.status("/health/live"));
    }

    @Test
    void api_tellsOfMembersCertificatesAndTheLastReload() throws Exception {
        http.get("/app/x");
        server.reload(server.config());
        String upstreams = admin.get("/api/upstreams");
        assertTrue(upstreams.contains("\"name\":\"one\""), upstreams);
        String system = admin.get("/api/system");
        assertTrue(system.contains("\"subject\":\"CN="), system);
        assertTrue(system.contains("\"reloadFailure\":\"\""), system);
        String text = admin.get("/metrics");
        assertTrue(text.contains("margay_config_last_reload_successful 1.0\n"), text);
        String expiry =
                text.lines()
                        .filter(line -> line.startsWith("margay_certificate_expiry"))
                        .findFirst()
                        .orElseThrow();
        double seconds = Double.parseDouble(expiry.substring(expiry.lastIndexOf(' ') + 1));
        assertTrue(seconds > Instant.now().getEpochSecond(), expiry);
    }
}
