package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.SeededServlet;
import io.margay.app.sample.SlowStart;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests that are slow for causes that are known are told to be so.
final class SlowCausesTest {
    private static final long NAP_MILLIS = 700;

    /// It answers asynchronously, too.
    private static final String SERVLETS =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <servlet>
                <servlet-name>seeded</servlet-name>
                <servlet-class>io.margay.app.sample.SeededServlet</servlet-class>
                <async-supported>true</async-supported>
              </servlet>
              <servlet-mapping>
                <servlet-name>seeded</servlet-name>
                <url-pattern>/do/*</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    @TempDir Path folder;
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

    /// Accepts, and answers after a while.
    private ServerSocket late;

    /// Lets nobody in: its queue is full.
    private ServerSocket full;

    private final List<String> answers = new ArrayList<>();
    private MargayServer server;
    private Http http;
    private Http admin;

    @BeforeEach
    void listen() throws IOException {
        late = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(late);
        Thread.ofVirtual().start(this::accept);
        full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open.add(full);
        for (int i = 0; i < 4; i++) {
            Socket waiting = new Socket();
            open.add(waiting);
            try {
                waiting.connect(full.getLocalSocketAddress(), 100);
            } catch (IOException e) {
                return; // It is full.
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = late.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> answer(socket));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    /// Answers each request after a nap: `…/parts` with its head at once.
    private static void answer(Socket socket) {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n";
        try (socket) {
            StringBuilder request = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (request.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    return;
                }
                request.append((char) next);
            }
            boolean parts = request.indexOf("/parts") > 0;
            OutputStream out = socket.getOutputStream();
            if (parts) {
                out.write(head.getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
            nap();
            out.write(((parts ? "" : head) + "x").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // Whoever asked has gone.
        }
    }

    /// What makes a request slow is time alone.
    private static void nap() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(NAP_MILLIS);
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /// A page that takes its time to be compiled.
    private static String largePage() {
        StringBuilder page = new StringBuilder("<%@ page session=\"false\" %>\n");
        for (int i = 0; i < 4_000; i++) {
            page.append("<%! int f").append(i).append("(int a) { return a + ").append(i);
            page.append("; } %>\n");
        }
        return page.append("large").toString();
    }

    private void start(String dispatch, String slow) throws Exception {
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:0
                workers: {dispatch: %s%s}
                slow: %s
                hosts:
                  - webapps: webapps
                    routes: {/late: {gateway: late}, /full: {gateway: full}}
                upstreams:
                  late: {members: [{url: "http://127.0.0.1:%d", name: one}]}
                  full:
                    members: [{url: "http://127.0.0.1:%d", name: one, connect-timeout: 700ms}]
                work: work
                """
                        .formatted(
                                dispatch,
                                dispatch.equals("pool") ? ", threads-max: 1" : "",
                                slow,
                                late.getLocalPort(),
                                full.getLocalPort()));
        Files.createDirectories(folder.resolve("webapps"));
        Wars.with(
                        "META-INF/context.xml",
                        """
                        <Context>
                          <Resource name="jdbc/seed" auth="Container" type="javax.sql.DataSource"
                              driverClassName="org.h2.Driver" url="jdbc:h2:mem:seed"
                              username="sa" password="" maxTotal="1"/>
                        </Context>
                        """)
                .and("WEB-INF/web.xml", SERVLETS)
                .and("large.jsp", largePage())
                .type(SeededServlet.class)
                .type(SlowStart.class)
                .library(org.h2.Driver.class)
                .war(folder.resolve("webapps/seed.war"));
        server =
                MargayServer.start(
                        ConfigFile.read(folder.resolve("margay.yaml"), Map.of()).get(),
                        DeployProgress.NONE);
        http = new Http(server.ports().getFirst());
        admin = new Http(server.adminPort());
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private String api() {
        try {
            return admin.get("/api/requests?most=500");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> slow() {
        try {
            return (List<Map<String, Object>>) JSON.std.mapFrom(api()).get("slow");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// What the last slow request for a path is said to have been slow for.
    private Map<String, Object> explained(String path) {
        boolean _ = Eventually.comes(Duration.ofSeconds(20), () -> !of(path).isEmpty());
        return of(path);
    }

    private Map<String, Object> of(String path) {
        return slow().stream()
                .filter(each -> each.get("path").equals(path))
                .findFirst()
                .orElse(Map.of());
    }

    private void asked(String path) throws Exception {
        try {
            HttpResponse<String> response = http.response(path);
            answers.add(path + " was answered " + response.statusCode() + " " + response.body());
        } catch (HttpTimeoutException e) {
            answers.add(path + " is slower than was meant"); // It goes on.
        }
    }

    /// A client that sends the last byte of its content, or begins to take the response, after a
    /// nap.
    private void slowClient(String head, String rest) throws Exception {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1 << 16);
            socket.connect(new InetSocketAddress("127.0.0.1", server.ports().getFirst()));
            OutputStream out = socket.getOutputStream();
            out.write(
                    (head + "\r\nHost: a\r\nConnection: close\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            out.write(
                    (rest.isEmpty() ? "\r\n" : "Content-Length: 1\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            nap();
            out.write(rest.getBytes(StandardCharsets.US_ASCII));
            long _ = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }

    private void assertNamed(Map<String, String> wanted, int wrongMax) {
        List<String> wrong = new ArrayList<>();
        wanted.forEach((path, cause) -> {
            Map<String, Object> found = explained(path);
            if (!cause.equals(found.get("cause"))) {
                wrong.add(path + " is not " + cause + ": " + found + ", for " + answers);
            }
        });
        assertTrue(wrong.size() <= wrongMax, () -> String.join("\n", wrong));
    }

    /// Asks for what is slow by itself.
    private void askThreads(Map<String, String> wanted) throws Exception {
        for (String each :
                List.of(
                        "sleep sleep",
                        "monitor lock",
                        "lock lock",
                        "readers lock",
                        "permit permit",
                        "latch thread",
                        "queue thread",
                        "future thread",
                        "notify thread",
                        "spin processor",
                        "numbers processor",
                        "collections collections",
                        "class classes",
                        "statement statement",
                        "pool pool",
                        "program program",
                        "async apart")) {
            String[] words = each.split(" ");
            asked("/seed/do/" + words[0]);
            wanted.put("/seed/do/" + words[0], words[1]);
        }
        asked("/seed/large.jsp");
        wanted.put("/seed/large.jsp", "page");
        for (String each : List.of("write", "read")) {
            asked("/seed/do/" + each + "?file=" + folder.resolve("written"));
            wanted.put("/seed/do/" + each, "file");
        }
    }

    /// Asks for what others make slow: servers, members, clients, requests.
    private void askOthers(Map<String, String> wanted) throws Exception {
        for (String each : List.of("socket", "handshake", "http", "old-http http")) {
            String[] words = each.split(" ");
            asked("/seed/do/" + words[0] + "?port=" + late.getLocalPort());
            wanted.put("/seed/do/" + words[0], words[words.length - 1]);
        }
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            asked("/seed/do/dns?port=" + silent.getLocalPort());
        }
        wanted.put("/seed/do/dns", "name");
        asked("/seed/do/dial?port=" + full.getLocalPort());
        wanted.put("/seed/do/dial", "dial");
        asked("/late/whole");
        wanted.put("/late/whole", "answer");
        asked("/late/parts");
        wanted.put("/late/parts", "passing");
        asked("/full/x");
        wanted.put("/full/x", "connect");
        slowClient("POST /seed/do/content HTTP/1.1", "x");
        wanted.put("/seed/do/content", "content");
        slowClient("GET /seed/do/client HTTP/1.1", "");
        wanted.put("/seed/do/client", "client");
        CompletableFuture<?> first = http.later("/seed/do/long");
        Eventually.holds("begun", () -> server.dispatcher().active() == 1);
        asked("/seed/do/quick");
        first.join();
        wanted.put("/seed/do/quick", "queued");
    }

    @Test
    void causes_ofRequestsOnThreads_areNamed() throws Exception {
        start("pool", "350ms");
        asked("/seed/do/warm");
        asked("/late/warm");
        Map<String, String> wanted = new LinkedHashMap<>();
        askThreads(wanted);
        askOthers(wanted);
        assertEquals(32, wanted.size());
        assertNamed(wanted, 2);
        Map<String, Object> monitor = explained("/seed/do/monitor");
        String why = String.valueOf(monitor.get("why"));
        assertTrue(why.contains("a lock of java.lang.Object, which the thread holder"), why);
        assertTrue(why.contains("SeededServlet.blocked(SeededServlet.java:"), why);
        Map<String, Object> statement = explained("/seed/do/statement");
        String executing = String.valueOf(statement.get("why"));
        assertTrue(executing.contains(", CALL nap by "), executing);
        String evidence = String.valueOf(statement.get("evidence"));
        assertTrue(evidence.contains("statement: call nap(?)"), evidence);
        List<String> lines = server.answer("explain " + monitor.get("id")).lines();
        assertTrue(lines.contains("why      " + why), lines::toString);
    }

    @Test
    void causes_ofRequestsOnVirtualThreads_areNamed() throws Exception {
        start("virtual", "350ms");
        asked("/seed/do/warm");
        asked("/late/warm");
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put("sleep", "sleep");
        wanted.put("monitor", "lock");
        wanted.put("lock", "lock");
        wanted.put("permit", "permit");
        wanted.put("future", "thread");
        wanted.put("numbers", "processor");
        wanted.put("pool", "pool");
        for (String each : wanted.keySet()) {
            asked("/seed/do/" + each);
        }
        asked("/seed/do/socket?port=" + late.getLocalPort());
        wanted.put("socket", "socket");
        Map<String, String> paths = new LinkedHashMap<>();
        wanted.forEach((seed, cause) -> paths.put("/seed/do/" + seed, cause));
        assertNamed(paths, 1);
    }

    @Test
    void requestsThatAreNotSlow_areNotAccused() throws Exception {
        start("pool", "2s");
        for (int i = 0; i < 1_000; i++) {
            assertEquals(200, http.status("/seed/do/quick"));
        }
        asked("/seed/do/long");
        assertEquals("sleep", explained("/seed/do/long").get("cause"));
        for (Map<String, Object> each : slow()) {
            assertTrue(((Number) each.get("seconds")).doubleValue() >= 2, each::toString);
        }
    }

    @Test
    void slowestThousandthOfARoute_isExplained_withoutATime() throws Exception {
        start("pool", "p99.9");
        for (int i = 0; i < 5_000; i++) {
            assertEquals(200, http.status("/seed/do/quick"));
        }
        // How long requests of the route take is asked every 15 s; five slow ones would be as
        // many as p99.9 leaves.
        for (int i = 0; i < 4 && of("/seed/do/sleep").isEmpty(); i++) {
            asked("/seed/do/sleep");
            boolean _ =
                    Eventually.comes(Duration.ofSeconds(8), () -> !of("/seed/do/sleep").isEmpty());
        }
        Map<String, Object> found = of("/seed/do/sleep");
        assertEquals("sleep", found.get("cause"), found::toString);
        String evidence = String.valueOf(found.get("evidence"));
        assertTrue(
                evidence.contains("999 of 1000 requests of its route took less than "), evidence);
        assertTrue(slow().size() <= 60, "at most 30 in a minute");
    }

    @Test
    void withoutTheKey_noThreadLooksAtRequests() throws Exception {
        start("pool", "0s");
        asked("/seed/do/sleep");
        assertEquals(List.of(), slow());
        Eventually.holds(
                "it is explained by what is known of each",
                () -> {
                    String all = api();
                    return all.contains("\"cause\":\"answerer\"")
                            && all.contains("\"evidence\":[]");
                });
    }
}
