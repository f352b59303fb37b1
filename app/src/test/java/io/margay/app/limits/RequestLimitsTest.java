package io.margay.app.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.MeterValues;
import io.margay.app.Wars;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.deploy.RunningApp;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts and routes that limit how many requests they take.
@Tag("slow")
@Timeout(60)
final class RequestLimitsTest {
    /// Answers when the whole request has come.
    private static final String PAGE =
            "<% request.getInputStream().readAllBytes(); %><%= request.getMethod() %>";

    @TempDir Path folder;

    private ConfigFile.Result read(String host) throws IOException {
        Wars.with("index.jsp", PAGE).folder(folder.resolve("any"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(folder.resolve("users"), "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        Files.writeString(file, host + "\nwork: work\n");
        return ConfigFile.read(file, Map.of());
    }

    private MargayServer server(String transport, String limits) throws IOException {
        return start(
                """
                listeners: [{http: 127.0.0.1:0, transport: %s}]
                hosts:
                  - rate-limits: [%s]
                    routes: {/: {app: any}}
                """
                        .formatted(transport, limits));
    }

    private MargayServer start(String file) throws IOException {
        ConfigFile.Result read = read(file);
        assertEquals(List.of(), read.problems());
        MargayConfig config = read.get();
        return MargayServer.start(config, DeployProgress.NONE);
    }

    private static Socket connect(MargayServer server, String from) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.ports().getFirst()));
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static String get(MargayServer server, String from, String... fields)
            throws IOException {
        try (Socket socket = connect(server, from)) {
            send(socket, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n", fields);
            return answer(socket);
        }
    }

    private static void send(Socket socket, String head, String... fields) throws IOException {
        StringBuilder request = new StringBuilder(head);
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        socket.getOutputStream().write(request.append("\r\n").toString().getBytes());
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static long count(MargayServer server, String what) {
        return MeterValues.first(server, "margay_limit_" + what);
    }

    private static boolean isServed(String answer) {
        return answer.startsWith("HTTP/1.1 200 ");
    }

    private static boolean isRefused(String answer) {
        return answer.startsWith("HTTP/1.1 429 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void requests_overTheRate_areRefused_andThoseOfOthersAreNot(String transport) throws Exception {
        try (MargayServer server =
                server(transport, "{rate: 60/h, burst: 2, except: [127.0.0.9], name: few}")) {
            assertTrue(isServed(get(server, "127.0.0.1")));
            assertTrue(isServed(get(server, "127.0.0.1")));
            String refused = get(server, "127.0.0.1");
            assertTrue(isRefused(refused), refused);
            assertTrue(refused.contains("\r\nRetry-After: 60\r\n"), refused);
            assertTrue(refused.contains("\r\nRateLimit-Policy: \"few\";q=2;w=120\r\n"), refused);
            assertTrue(refused.contains("\r\nRateLimit: \"few\";r=0;t=120\r\n"), refused);
            assertTrue(isServed(get(server, "127.0.0.2")));
            for (int i = 0; i < 4; i++) {
                assertTrue(isServed(get(server, "127.0.0.9")));
            }
            assertEquals(3, count(server, "admitted"));
            assertEquals(1, count(server, "refused"));
        }
    }

    @Test
    void requests_areCountedByWhatTheLimitSays() throws Exception {
        try (MargayServer server =
                start(
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - name: field
                            rate-limits: [{rate: 1/h, by: "header:X-Key"}]
                            routes: {/: {app: any}}
                          - name: cookie
                            rate-limits: [{rate: 1/h, by: session}]
                            routes: {/: {app: any}}
                          - name: network
                            rate-limits: [{rate: 1/h, by: network}]
                            routes: {/: {app: any}}
                          - name: part
                            rate-limits: [{rate: 1/h, by: all, prefix: /x}]
                            routes: {/: {app: any}}
                          - name: told
                            rate-limits: [{rate: 3/h, announce: true, burst: 3, by: all}]
                            routes: {/: {app: any}}
                          - name: user
                            access: {login: {users: users}, require: [{any-user: true}]}
                            rate-limits: [{rate: 1/h, by: user}]
                            routes: {/: {app: any}}
                          - name: logged
                            rate-limits: [{rate: 1/h, log-only: true}]
                            routes: {/: {app: any}}
                        """)) {
            assertTrue(isServed(ask(server, "field", "127.0.0.1", "X-Key: a")));
            assertTrue(isServed(ask(server, "field", "127.0.0.1", "X-Key: b")));
            assertTrue(isRefused(ask(server, "field", "127.0.0.2", "X-Key: a")));
            assertTrue(isServed(ask(server, "field", "127.0.0.2")));
            assertTrue(isRefused(ask(server, "field", "127.0.0.2")));
            assertTrue(isServed(ask(server, "cookie", "127.0.0.1", "Cookie: a=b; JSESSIONID=1")));
            assertTrue(isRefused(ask(server, "cookie", "127.0.0.2", "Cookie: JSESSIONID=1")));
            assertTrue(isServed(ask(server, "network", "127.0.0.1")));
            assertTrue(isRefused(ask(server, "network", "127.0.0.200")));
            assertTrue(isServed(ask(server, "network", "127.0.1.1")));
            assertTrue(isServed(ask(server, "part", "127.0.0.1")));
            assertTrue(isServed(ask(server, "part", "127.0.0.1")));
            String told = ask(server, "told", "127.0.0.1");
            assertTrue(isServed(told) && told.contains("\r\nRateLimit: \"limit-1\";r=2;t="), told);
            String ada = "Authorization: Basic YWRhOnNlY3JldA==";
            assertTrue(ask(server, "user", "127.0.0.1").startsWith("HTTP/1.1 401 "));
            assertTrue(isRefused(ask(server, "user", "127.0.0.1")));
            assertTrue(isServed(ask(server, "user", "127.0.0.1", ada)));
            assertTrue(isRefused(ask(server, "user", "127.0.0.2", ada)));
            assertTrue(isServed(ask(server, "logged", "127.0.0.1")));
            assertTrue(isServed(ask(server, "logged", "127.0.0.1")));
            assertEquals(1, MeterValues.sum(server, "margay_limit_refused", "host=logged"));
        }
    }

    private static String ask(MargayServer server, String host, String from, String... fields)
            throws IOException {
        try (Socket socket = connect(server, from)) {
            send(socket, "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n", fields);
            return answer(socket);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void requests_overTheRate_waitForTheirTurn(String transport) throws Exception {
        try (MargayServer server = server(transport, "{rate: 1/s, burst: 1, queue: 10s}")) {
            long nanos = 0;
            // Where more than a second lies between the two, as on a busy machine, neither waits.
            for (int i = 1; i <= 10 && count(server, "delayed") == 0; i++) {
                nanos = askTwice(server, "127.0.0." + i);
                assertEquals(2 * i, count(server, "admitted"));
            }
            assertEquals(1, count(server, "delayed"));
            assertTrue(nanos >= 950_000_000L, nanos + " ns");
        }
    }

    /// How long two requests of a client took that were sent at the same time.
    private static long askTwice(MargayServer server, String client) throws IOException {
        try (Socket first = connect(server, client);
                Socket second = connect(server, client)) {
            long began = System.nanoTime();
            send(first, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
            send(second, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
            String one = answer(first);
            String other = answer(second);
            assertTrue(isServed(one), one);
            assertTrue(isServed(other), other);
            return System.nanoTime() - began;
        }
    }

    @Test
    void requestsAtOnce_overTheLimit_areRefused_untilOneHasEnded() throws Exception {
        try (MargayServer server = server("native", "{concurrent: 1}");
                Socket first = connect(server, "127.0.0.1")) {
            begin(first);
            Eventually.holds("the first has begun", () -> count(server, "admitted") == 1);
            String refused = get(server, "127.0.0.1");
            assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
            assertTrue(refused.contains("\r\nRetry-After: 1\r\n"), refused);
            assertTrue(isServed(get(server, "127.0.0.2")));
            first.getOutputStream().write('x');
            assertTrue(isServed(answer(first)));
            assertTrue(isServed(get(server, "127.0.0.1")));
        }
    }

    /// What a limit refuses has not reached the application, and is no failure of it.
    @Test
    void requestsThatLimitsRefuse_areNoRequestsAndNoErrorsOfTheApplication() throws Exception {
        try (MargayServer server = server("nio", "{concurrent: 1, by: all}");
                Socket first = connect(server, "127.0.0.1")) {
            begin(first);
            Eventually.holds("the first has begun", () -> count(server, "admitted") == 1);
            for (int i = 0; i < 8; i++) {
                assertTrue(get(server, "127.0.0.1").startsWith("HTTP/1.1 503 "));
            }
            first.getOutputStream().write('x');
            assertTrue(isServed(answer(first)));
            RunningApp app = server.site().apps().getFirst();
            Eventually.holds("it has ended", () -> app.requests().running() == 0);
            assertEquals(1, app.requests().begun());
            assertEquals(0, app.errors().sum());
            assertEquals(8, count(server, "refused"));
        }
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static void begin(Socket socket) throws IOException {
        send(socket, "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void requestsAtOnce_thatWait_getThePlaceOfWhoEndsOrLeaves(String transport) throws Exception {
        try (MargayServer server = server(transport, "{concurrent: 1, queue: 30s}");
                Socket first = connect(server, "127.0.0.1");
                Socket left = connect(server, "127.0.0.1");
                Socket second = connect(server, "127.0.0.1");
                Socket third = connect(server, "127.0.0.1")) {
            begin(first);
            Eventually.holds("the first has begun", () -> count(server, "admitted") == 1);
            send(left, "GET / HTTP/1.1\r\nHost: a\r\n");
            Eventually.holds("one waits", () -> count(server, "delayed") == 1);
            begin(second);
            Eventually.holds("two wait", () -> count(server, "delayed") == 2);
            send(third, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
            Eventually.holds("three wait", () -> count(server, "delayed") == 3);
            reset(left);
            first.getOutputStream().write('x');
            assertTrue(isServed(answer(first)));
            second.getOutputStream().write('x');
            assertTrue(isServed(answer(second)));
            assertTrue(isServed(answer(third)));
            assertTrue(isServed(get(server, "127.0.0.1")), "no place is lost");
        }
    }

    /// With a shield, the next place is for the client that has cost least, not for who came first.
    @Test
    void requestsAtOnce_thatWait_goOnInTheOrderOfWhatTheirClientsHaveCost() throws Exception {
        try (MargayServer server =
                        start(
                                """
                                listeners: [{http: 127.0.0.1:0}]
                                hosts:
                                  - shield: {budget: {cost: 10s, window: 24h}, challenge: never}
                                    rate-limits: [{concurrent: 1, by: all, queue: 60s}]
                                    routes: {/: {app: any}}
                                """);
                Socket first = connect(server, "127.0.0.1");
                Socket crawler = connect(server, "127.0.0.2");
                Socket visitor = connect(server, "127.0.0.3")) {
            for (int i = 0; i < 50; i++) {
                assertTrue(isServed(get(server, "127.0.0.2")));
            }
            begin(first);
            Eventually.holds("the first has begun", () -> count(server, "admitted") == 51);
            begin(crawler);
            Eventually.holds("one waits", () -> count(server, "delayed") == 1);
            begin(visitor);
            Eventually.holds("two wait", () -> count(server, "delayed") == 2);
            crawler.getOutputStream().write('x');
            first.getOutputStream().write('x');
            assertTrue(isServed(answer(first)));
            Eventually.holds("the next has begun", () -> count(server, "admitted") == 52);
            assertEquals(0, crawler.getInputStream().available());
            visitor.getOutputStream().write('x');
            assertTrue(isServed(answer(visitor)));
            assertTrue(isServed(answer(crawler)));
        }
    }

    @Test
    void requestsAtOnce_thatWaitTooLong_areRefused_andKeepNoPlace() throws Exception {
        try (MargayServer server = server("nio", "{concurrent: 1, queue: 50ms}");
                Socket first = connect(server, "127.0.0.1")) {
            begin(first);
            Eventually.holds("the first has begun", () -> count(server, "admitted") == 1);
            assertTrue(get(server, "127.0.0.1").startsWith("HTTP/1.1 503 "));
            first.getOutputStream().write('x');
            assertTrue(isServed(answer(first)));
            assertTrue(isServed(get(server, "127.0.0.1")));
            assertEquals(1, count(server, "refused"));
        }
    }

    @Test
    void limits_thatAreNone_areProblems() throws Exception {
        List<String> wrong =
                List.of(
                        "{}",
                        "{burst: 5, concurrent: 1}",
                        "{rate: 10}",
                        "{rate: 0/s}",
                        "{rate: -1/s}",
                        "{rate: 10/ms}",
                        "{rate: 1/s, by: 'header:a b'}",
                        "{rate: 1/s, by: everybody}",
                        "{rate: 1/s, name: 'a b'}",
                        "{rate: 1/s, except: [all]}",
                        "{rate: 1/s, regex: '('}",
                        "{rate: 1/s, name: a}, {rate: 1/s, name: a}",
                        "{rate: 1/d, burst: 1000000000}");
        for (String limits : wrong) {
            String file = "hosts: [{rate-limits: [" + limits + "], routes: {/: {app: any}}}]";
            assertFalse(read(file).problems().isEmpty(), limits);
        }
    }
}
