package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.app.sample.CountServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.LoggedLines;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The admin listener, asked as deployment scripts, browsers and monitors ask it.
@Tag("slow")
final class AdminTest {
    private static final String TOKEN = "a token for this test";
    private static final String AS_USER = "Basic " + base64("anybody:" + TOKEN);

    @TempDir Path folder;
    private MargayServer server;
    private Http http;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(folder.resolve("webapps"));
        Path users = folder.resolve("users.xml");
        Files.writeString(
                users,
                """
                <tomcat-users>
                  <user username="ci" password="secret" roles="manager-script"/>
                  <user username="bob" password="secret" roles="user"/>
                </tomcat-users>
                """);
        server =
                Margay.builder()
                        .http(0)
                        .work(folder.resolve("work"))
                        .users(users)
                        .accessLog(Path.of("/dev/full"), "common")
                        .webapps(folder.resolve("webapps"))
                        .admin("127.0.0.1:0", TOKEN)
                        .drain(Duration.ofSeconds(10))
                        .start();
        http = new Http(server.ports().getFirst());
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private byte[] war(String build) throws Exception {
        return Files.readAllBytes(
                Wars.with("v.txt", build)
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("built.war")));
    }

    private HttpResponse<String> send(
            String method, String path, BodyPublisher body, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path))
                        .timeout(Duration.ofSeconds(30))
                        .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private String text(String path) throws Exception {
        return send(
                        "GET",
                        "/manager/text" + path,
                        BodyPublishers.noBody(),
                        "Authorization",
                        AS_USER)
                .body();
    }

    private String put(String query, byte[] war) throws Exception {
        return send(
                        "PUT",
                        "/manager/text/deploy?" + query,
                        BodyPublishers.ofByteArray(war),
                        "Authorization",
                        AS_USER)
                .body();
    }

    private String metrics() {
        try {
            return send("GET", "/metrics", BodyPublishers.noBody()).body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String cookie(String path) throws Exception {
        return http.response(path).headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    @Test
    void manager_deployUpdateUndeploy_answersAsTomcats() throws Exception {
        assertEquals("OK - Listed applications for virtual host [localhost]\n", text("/list"));
        assertEquals(
                "OK - Deployed application at context path [/shop]\n",
                put("path=/shop", war("one")));
        assertEquals("one", http.get("/shop/v.txt"));
        String cookie = cookie("/shop/count");
        assertEquals(
                "FAIL - Application already exists at path [/shop]\n",
                put("path=/shop", war("two")));
        assertEquals("one", http.get("/shop/v.txt"));
        assertEquals(
                "OK - Deployed application at context path [/shop]\n",
                put("path=/shop&update=true", war("two")));
        assertEquals("two", http.get("/shop/v.txt"));
        assertEquals("count 2", http.withCookie("/shop/count", cookie).body());
        assertEquals(
                "OK - Listed applications for virtual host [localhost]\n/shop:running:1:shop\n",
                text("/list"));
        assertEquals(
                """
                OK - Session information for application at context path [/shop]
                Default maximum session inactive interval is [30] minutes
                Inactive for [<1] minutes: [1] sessions
                """,
                text("/sessions?path=/shop"));
        assertTrue(
                text("/expire?path=/shop&idle=5")
                        .endsWith("[>5] minutes: [0] sessions were expired\n"));
        assertTrue(text("/expire?path=/shop&idle=-1").startsWith("FAIL - Invalid parameters"));
        assertEquals("OK - No memory leaks found\n", text("/findleaks?statusLine=true"));
        assertEquals(
                "OK - Reloaded application at context path [/shop]\n", text("/reload?path=/shop"));
        assertEquals("count 3", http.withCookie("/shop/count", cookie).body());
        assertEquals(
                "OK - Undeployed application at context path [/shop]\n",
                text("/undeploy?path=/shop"));
        assertEquals(404, http.status("/shop/v.txt"));
        assertFalse(Files.exists(folder.resolve("webapps/shop.war")));
        assertEquals("FAIL - No context exists named [/shop]\n", text("/undeploy?path=/shop"));
    }

    @Test
    void changes_areLogged_withWhoAndWhereFrom() throws Exception {
        try (LoggedLines log = LoggedLines.of("io.margay.app.Deployment")) {
            put("path=/shop", war("one"));
            String asUser = "Basic " + base64("ci:secret");
            send("GET", "/manager/text/reload?path=/shop", "Authorization", asUser);
            String bearer = "Bearer " + TOKEN;
            send("POST", "/api/applications/stop?path=/shop", "Authorization", bearer);
            send("DELETE", "/api/applications?path=/shop", "Authorization", bearer);
            server.reload(server.config());
            String by = "by the token at 127.0.0.1";
            assertEquals(1, log.count("INFO deployed " + folder), log::toString);
            assertEquals(1, log.count(" ms, " + by + " (manager)"), log::toString);
            assertEquals(1, log.count("INFO redeployed "), log::toString);
            assertEquals(1, log.count(" ms, by user ci at 127.0.0.1 (manager)"), log::toString);
            assertEquals(1, log.count("/shop.war at /shop, " + by + " (API)"), log::toString);
            assertEquals(1, log.count("INFO stopped "), log::toString);
        }
    }

    @Test
    void logLevel_isChangedWhileTheServerRuns() throws Exception {
        String name = "margay.test.levels";
        String bearer = "Bearer " + TOKEN;
        System.Logger logger = System.getLogger(name);
        assertFalse(logger.isLoggable(System.Logger.Level.TRACE));
        String path = "/api/log?logger=" + name + "&level=";
        assertEquals(401, send("PUT", path + "trace").statusCode());
        String set = send("PUT", path + "trace", "Authorization", bearer).body();
        assertTrue(set.contains("\"" + name + "\":\"trace\""), set);
        assertTrue(logger.isLoggable(System.Logger.Level.TRACE));
        assertEquals(400, send("PUT", path + "loud", "Authorization", bearer).statusCode());
        send("PUT", path + "default", "Authorization", bearer);
        assertFalse(logger.isLoggable(System.Logger.Level.TRACE));
        assertTrue(send("GET", "/api/log").body().contains("\"loggers\":{}"));
    }

    private HttpResponse<String> send(String method, String path, String... headers)
            throws Exception {
        return send(method, path, BodyPublishers.noBody(), headers);
    }

    @Test
    void sessions_areListedWithoutTheirIds_andEndedByTheTokenAlone() throws Exception {
        put("path=/shop", war("one"));
        String cookie = cookie("/shop/count");
        String id = cookie.substring(cookie.indexOf('=') + 1);
        String path = "/api/applications/sessions?path=/shop";
        String listed = send("GET", path).body();
        List<Object> all = JSON.std.listFrom(listed);
        assertEquals(1, all.size(), listed);
        assertFalse(listed.contains(id), listed);
        Map<?, ?> one = (Map<?, ?>) all.getFirst();
        assertTrue(id.startsWith((String) one.get("id")), listed);
        assertTrue(((String) one.get("id")).length() <= 6, listed);
        assertTrue(Instant.parse((String) one.get("created")).isBefore(Instant.now()), listed);
        String end = path + "&key=" + one.get("key");
        String bearer = "Bearer " + TOKEN;
        assertEquals(401, send("DELETE", end).statusCode());
        HttpResponse<String> foreign =
                send(
                        "DELETE",
                        end,
                        "Authorization",
                        bearer,
                        "Sec-Fetch-Site",
                        "cross-site",
                        "Origin",
                        "http://evil.example");
        assertEquals(403, foreign.statusCode());
        assertEquals("count 2", http.withCookie("/shop/count", cookie).body());
        assertEquals(
                404, send("DELETE", path + "&key=" + id, "Authorization", bearer).statusCode());
        try (LoggedLines log = LoggedLines.of("io.margay.app.AppControl")) {
            assertEquals(200, send("DELETE", end, "Authorization", bearer).statusCode());
            String line = log.toString();
            assertTrue(line.contains("session " + one.get("id") + " of /shop was ended"), line);
            assertFalse(line.contains(id), line);
        }
        assertEquals("count 1", http.withCookie("/shop/count", cookie).body());
    }

    @Test
    void manager_badWar_leavesTheOldOneInServiceAndInPlace() throws Exception {
        put("path=/shop", war("one"));
        byte[] whole = war("two");
        String answer = put("path=/shop&update=true", java.util.Arrays.copyOf(whole, 200));
        assertTrue(answer.startsWith("FAIL - Failed to deploy application at "), answer);
        assertTrue(answer.contains("not a ZIP file, or was cut off"), answer);
        assertEquals("one", http.get("/shop/v.txt"));
        assertEquals("OK", text("/reload?path=/shop").substring(0, 2));
        assertEquals("one", http.get("/shop/v.txt"));
        String fresh = put("path=/fresh", java.util.Arrays.copyOf(whole, 200));
        assertTrue(fresh.startsWith("FAIL"), fresh);
        try (var files = Files.list(folder.resolve("webapps"))) {
            assertEquals(1, files.count());
        }
        assertTrue(server.failures().isEmpty(), server.failures()::toString);
    }

    @Test
    void manager_stopAndStart_keepsSessions() throws Exception {
        put("path=/shop", war("one"));
        String cookie = cookie("/shop/count");
        assertEquals(
                "OK - Stopped application at context path [/shop]\n", text("/stop?path=/shop"));
        assertEquals(404, http.status("/shop/v.txt"));
        assertTrue(text("/list").contains("/shop:stopped:0:shop\n"));
        assertEquals(
                "OK - Started application at context path [/shop]\n", text("/start?path=/shop"));
        assertEquals("count 2", http.withCookie("/shop/count", cookie).body());
    }

    @Test
    void manager_versions_runSideBySide() throws Exception {
        put("path=/shop&version=1", war("one"));
        String cookie = cookie("/shop/count");
        put("path=/shop&version=2", war("two"));
        assertEquals("two", http.get("/shop/v.txt"));
        assertEquals("one", http.withCookie("/shop/v.txt", cookie).body());
        assertEquals(
                "OK - Listed applications for virtual host [localhost]\n"
                        + "/shop:running:1:shop##1\n/shop:running:0:shop##2\n",
                text("/list"));
        assertEquals(
                "OK - Undeployed application at context path [/shop##2]\n",
                text("/undeploy?path=/shop&version=2"));
        assertEquals("one", http.get("/shop/v.txt"));
    }

    @Test
    void manager_warOfTheServersDisk_isCopied() throws Exception {
        war("disk");
        Path built = folder.resolve("built.war");
        assertEquals(
                "OK - Deployed application at context path [/]\n",
                text("/deploy?path=/&war=file:" + built));
        assertEquals("disk", http.get("/v.txt"));
        assertTrue(Files.exists(built));
        assertTrue(text("/list").contains("/:running:0:ROOT"));
        assertEquals(
                "OK - Deployed application at context path [/built]\n",
                text("/deploy?war=" + built));
        assertEquals("disk", http.get("/built/v.txt"));
        assertTrue(text("/deploy?path=/x&war=built.war").startsWith("FAIL - [built.war] is not"));
    }

    @Test
    void manager_tag_leadsBackToWhatWasDeployedUnderIt() throws Exception {
        put("path=/shop&tag=first", war("one"));
        put("path=/shop&update=true&tag=second", war("two"));
        assertEquals("two", http.get("/shop/v.txt"));
        assertEquals(
                "OK - Deployed application at context path [/shop]\n",
                text("/deploy?path=/shop&tag=first"));
        assertEquals("one", http.get("/shop/v.txt"));
        text("/undeploy?path=/shop");
        text("/deploy?path=/shop&tag=second");
        assertEquals("two", http.get("/shop/v.txt"));
        assertTrue(text("/deploy?path=/shop&tag=third").startsWith("FAIL - ["));
        assertTrue(text("/deploy?path=/other&tag=first").startsWith("FAIL - ["));
        assertTrue(text("/deploy?path=/shop&tag=../x").startsWith("FAIL - The tag [../x] is not"));
    }

    @Test
    void manager_questionsAboutTheServer_areAnswered() throws Exception {
        assertEquals("OK - Listed global resources of all types\n", text("/resources"));
        assertTrue(text("/resources?type=java.lang.Integer").startsWith("OK - Listed global"));
        String info = text("/vminfo");
        assertTrue(info.startsWith("OK - VM info\nRuntime information:\n"), info);
        assertFalse(info.contains(TOKEN));
        String dump = text("/threaddump");
        assertTrue(dump.startsWith("OK - JVM thread dump\n"), dump);
        assertTrue(dump.contains("\"margay-"), dump);
        for (String command : List.of("/save", "/sslReload", "/sslConnectorCerts")) {
            assertTrue(text(command).startsWith("FAIL - This server has no such command: "));
        }
        assertTrue(
                text("/deploy?path=/x&config=file:/x.xml").contains("META-INF/context.xml"),
                "where it goes instead");
    }

    @Test
    void manager_unknownOrMissing_fails() throws Exception {
        assertEquals("FAIL - Unknown command [/dance]\n", text("/dance"));
        assertEquals("FAIL - No command was specified\n", text("/"));
        assertEquals("FAIL - Invalid context path [null] was specified\n", text("/reload"));
        assertEquals(
                "FAIL - Invalid context path [/../x] was specified\n", text("/reload?path=/../x"));
        assertTrue(put("path=/x&version=../../y", war("x")).startsWith("FAIL - Invalid version"));
        assertTrue(text("/serverinfo").startsWith("OK - Server info\nTomcat Version: [Margay/"));
    }

    @Test
    void changes_withoutToken_areRefused() throws Exception {
        BodyPublisher none = BodyPublishers.noBody();
        assertEquals(401, send("GET", "/manager/text/list", none).statusCode());
        assertEquals(
                401,
                send("GET", "/manager/text/list", none, "Authorization", "Bearer wrong")
                        .statusCode());
        String user = "Basic " + base64("bob:secret");
        assertEquals(
                401, send("GET", "/manager/text/list", none, "Authorization", user).statusCode());
        String ci = "Basic " + base64("ci:secret");
        assertEquals(
                200, send("GET", "/manager/text/list", none, "Authorization", ci).statusCode());
        HttpResponse<String> refused = send("DELETE", "/api/applications?path=/x", none);
        assertEquals(401, refused.statusCode());
        assertEquals("{\"error\":\"this needs the token\"}", refused.body().strip());
        assertEquals(200, send("GET", "/api/applications", none).statusCode());
    }

    @Test
    void changes_fromAnotherSite_areRefused() throws Exception {
        BodyPublisher none = BodyPublishers.noBody();
        for (String[] header :
                new String[][] {
                    {"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}
                }) {
            HttpResponse<String> answer =
                    send(
                            "GET",
                            "/manager/text/list",
                            none,
                            "Authorization",
                            AS_USER,
                            header[0],
                            header[1]);
            assertEquals(403, answer.statusCode(), header[0]);
        }
    }

    @Test
    void api_deployAndList_tellsWhatRuns() throws Exception {
        HttpResponse<String> answer =
                send(
                        "PUT",
                        "/api/applications?path=/shop",
                        BodyPublishers.ofByteArray(war("one")),
                        "Authorization",
                        "Bearer " + TOKEN);
        assertEquals("{\"done\":true}\n", answer.body());
        http.get("/shop/v.txt");
        String list = send("GET", "/api/applications", BodyPublishers.noBody()).body();
        assertTrue(
                list.contains("\"path\":\"/shop\",\"version\":\"\",\"state\":\"running\""), list);
        assertTrue(list.contains("\"requests\":1,"), list);
        HttpResponse<String> unknown =
                send(
                        "POST",
                        "/api/applications/reload?path=/none",
                        BodyPublishers.noBody(),
                        "Authorization",
                        "Bearer " + TOKEN);
        assertEquals(404, unknown.statusCode());
        assertEquals("{\"error\":\"No context exists named [/none]\"}\n", unknown.body());
    }

    @Test
    void requestsThatAreStuck_areCounted_whereAValveWatchesThem() throws Exception {
        put("path=/plain", war("one"));
        Path watched =
                Wars.with("index.html", "watched")
                        .and(
                                "META-INF/context.xml",
                                "<Context><Valve className=\"org.apache.catalina.valves"
                                        + ".StuckThreadDetectionValve\"/></Context>")
                        .war(folder.resolve("watched.war"));
        put("path=/watched", Files.readAllBytes(watched));
        String name = "margay_application_requests_stuck{host=\"\",path=";
        String metrics = metrics();
        assertTrue(metrics.contains(name + "\"/watched\",version=\"\"} 0.0\n"), metrics);
        assertFalse(metrics.contains(name + "\"/plain\""), metrics);
    }

    @Test
    void pages_forMonitors_tellTheTruth() throws Exception {
        put("path=/shop", war("one"));
        http.get("/shop/v.txt");
        http.get("/none");
        BodyPublisher none = BodyPublishers.noBody();
        assertEquals("{\"status\":\"up\"}\n", send("GET", "/health", none).body());
        String listener = "{listener=\"http:" + server.ports().getFirst() + "\"";
        for (String line :
                List.of(
                        "margay_requests_total" + listener + ",status=\"2xx\"} 1.0\n",
                        "margay_requests_total" + listener + ",status=\"4xx\"} 1.0\n",
                        "margay_application_requests_total"
                                + "{host=\"\",path=\"/shop\",version=\"\"} 1.0\n",
                        "margay_access_log_dropped_lines_total{file=\"/dev/full\"} 2.0\n")) {
            Eventually.holds(line, () -> metrics().contains(line));
        }
        String bucket = "margay_request_seconds_bucket" + listener + ",le=\"+Inf\"} 2\n";
        assertTrue(metrics().contains(bucket), metrics());
        HttpResponse<String> open =
                send("GET", "/metrics", none, "Accept", "application/openmetrics-text");
        assertEquals(
                "application/openmetrics-text; version=1.0.0; charset=utf-8",
                open.headers().firstValue("Content-Type").orElseThrow());
        assertTrue(open.body().contains("# TYPE margay_request_seconds histogram\n"));
        assertTrue(open.body().endsWith("# EOF\n"), open.body());
        assertTrue(send("GET", "/", none).body().contains("<title>Margay</title>"));
        assertTrue(send("GET", "/api/openapi.json", none).body().contains("/api/applications"));
    }

    @Test
    void configuration_withoutTheToken_isNotShown() throws Exception {
        BodyPublisher none = BodyPublishers.noBody();
        assertEquals(401, send("GET", "/api/configuration", none).statusCode());
        assertEquals(
                409,
                send("GET", "/api/configuration", none, "Authorization", "Bearer " + TOKEN)
                        .statusCode());
    }

    @Test
    void api_asItsDescriptionSays_hasEveryOperation() throws Exception {
        String text = send("GET", "/api/openapi.json", BodyPublishers.noBody()).body();
        Object description = new Load(LoadSettings.builder().build()).loadFromString(text);
        Map<?, ?> paths = (Map<?, ?>) ((Map<?, ?>) description).get("paths");
        Set<Object> names = new HashSet<>(); // Clients that are generated call methods by them.
        int operations = 0;
        for (Map.Entry<?, ?> path : paths.entrySet()) {
            for (Object method : ((Map<?, ?>) path.getValue()).keySet()) {
                Map<?, ?> operation = (Map<?, ?>) ((Map<?, ?>) path.getValue()).get(method);
                assertTrue(names.add(operation.get("operationId")), method + " " + path.getKey());
                HttpResponse<String> answer =
                        send(
                                method.toString().toUpperCase(Locale.ROOT),
                                path.getKey().toString().replaceAll("[{}]", ""),
                                BodyPublishers.noBody(),
                                "Authorization",
                                "Bearer " + TOKEN);
                assertFalse(
                        answer.body().contains("no such operation"), method + " " + path.getKey());
                operations++;
            }
        }
        assertEquals(34, operations);
    }

    @Test
    void run_withAdminAndRoute_saysWhereAndKeepsTheToken() throws Exception {
        Path shop = folder.resolve("shop.war");
        Files.write(shop, war("one"));
        Path work = folder.resolve("other-work");
        String[] words = {
            "run",
            shop.toString(),
            "--http",
            "0",
            "--admin",
            "0",
            "--route",
            "tc1",
            "--work",
            work.toString()
        };
        try (MargayProcess process = MargayProcess.start(folder, words)) {
            Http shopper = new Http(process.awaitReady());
            Path token = work.resolve("admin-token");
            assertTrue(
                    process.err().stream()
                            .anyMatch(line -> line.endsWith("token in " + token + ")")),
                    process.toString());
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(token)));
            String cookie =
                    shopper.response("/count").headers().firstValue("Set-Cookie").orElseThrow();
            assertTrue(cookie.matches("JSESSIONID=[0-9A-F]{32}\\.tc1;.*"), cookie);
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:"
                                                    + process.ports().getLast()
                                                    + "/manager/text/reload?path=/"))
                            .header(
                                    "Authorization",
                                    "Basic " + base64("ci:" + Files.readString(token).strip()))
                            .build();
            assertEquals(
                    "OK - Reloaded application at context path [/]\n",
                    client.send(request, BodyHandlers.ofString()).body());
            assertEquals("count 2", shopper.withCookie("/count", cookie.split(";")[0]).body());
        }
    }
}
