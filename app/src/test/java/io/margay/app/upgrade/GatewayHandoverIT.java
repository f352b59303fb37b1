package io.margay.app.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.process.ControlSocket;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two gateways, each a process, whose members register themselves: whoever follows another process
/// knows them. Clients open a connection for each request, and ask the other gateway where nobody
/// listens.
///
/// `margay.handover.requests` for each event, 200 unless said.
final class GatewayHandoverIT {
    private static final int REQUESTS = Integer.getInteger("margay.handover.requests", 200);
    private static final int CLIENTS = 4;

    /// Between two requests of a client: hundreds come while a process starts.
    private static final long PAUSE_NANOS = REQUESTS > 200 ? 1_000_000 : 5_000_000;

    @TempDir Path folder;

    private final List<Gateway> gateways = new ArrayList<>();
    private final List<MargayServer> members = new ArrayList<>();

    /// A gateway that is started again and again at the same ports.
    private final class Gateway {
        private final Path home;
        private final int http = FreePort.next();
        private final int admin = FreePort.next();
        private final int second = FreePort.next();
        private @Nullable MargayProcess process;

        /// The process that serves, where that is another one.
        private long successor;

        /// @param wait how long it waits for members that it does not know
        Gateway(String name, String wait) throws IOException {
            this(name, wait, true);
        }

        Gateway(String name, String wait, boolean starts) throws IOException {
            home = Files.createDirectories(folder.resolve(name));
            Files.writeString(
                    home.resolve("margay.yaml"),
                    """
                    listeners: [{http: 127.0.0.1:%d}]
                    admin: 127.0.0.1:%d
                    admin-token: a-token-of-operators
                    hosts: [{routes: {/*: {gateway: shop}}}]
                    upstreams:
                      shop:
                        members:
                          registered: {token-file: ../token, from: [127.0.0.0/8], wait: %s}
                    work: work
                    """
                            .formatted(http, admin, wait));
            if (starts) {
                start();
            }
        }

        void start() throws IOException {
            process = MargayProcess.start(home, "run", "margay.yaml");
            successor = 0;
            int _ = process.awaitReady();
        }

        void upgrade() {
            ControlSocket.Answer answer = ControlSocket.ask(home.resolve("work"), "upgrade");
            assertTrue(answer.done(), answer + "\n" + process);
            successor = ProcessUpgradeIT.successor(answer.lines().getFirst());
        }

        void end(String signal) throws IOException, InterruptedException {
            process.signal(signal);
            int _ = process.awaitEnd();
        }

        void close() {
            ProcessHandle.of(successor)
                    .ifPresent(one -> {
                        one.destroyForcibly();
                        one.onExit().orTimeout(60, TimeUnit.SECONDS).join();
                    });
            if (process != null) {
                process.close();
            }
        }

        /// Whether a member is in the file for the next process.
        boolean keeps(String member) {
            try {
                Path state = home.resolve("work/state");
                String all = Files.readString(state, StandardCharsets.ISO_8859_1);
                return all.contains("name=" + member);
            } catch (IOException e) {
                return false;
            }
        }

        boolean knows(String member) {
            try {
                return new Http(admin)
                        .get("/api/upstreams")
                        .contains("\"name\":\"" + member + "\"");
            } catch (IOException | InterruptedException e) {
                return false;
            }
        }
    }

    /// Clients of one gateway first.
    private final class Load implements AutoCloseable {
        private final int first;
        private final List<Thread> clients = new ArrayList<>();
        private final Map<String, AtomicInteger> failures = new TreeMap<>();
        private final AtomicInteger byFirst = new AtomicInteger();
        private final AtomicInteger byOther = new AtomicInteger();

        /// Connections that ended without an answer, after which the other gateway was asked.
        private final AtomicInteger cut = new AtomicInteger();

        private volatile boolean over;

        Load(Gateway first) {
            this.first = gateways.indexOf(first);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofVirtual().start(this::run));
            }
        }

        private void run() {
            while (!over) {
                for (int i = 0; i < gateways.size() && !over; i++) {
                    int port = gateways.get((first + i) % gateways.size()).http;
                    if (isAnswered(port)) {
                        break;
                    }
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        /// A gateway that is gone, or whose process is killed, is no answer.
        private boolean isAnswered(int port) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write(
                                "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                String answer =
                        new String(
                                socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                if (answer.isEmpty()) {
                    cut.incrementAndGet();
                    return false;
                }
                if (!answer.startsWith("HTTP/1.1 200")) {
                    fail(answer.lines().findFirst().orElse("") + " at " + port);
                }
                (port == gateways.get(first).http ? byFirst : byOther).incrementAndGet();
                return true;
            } catch (ConnectException e) {
                return false;
            } catch (SocketException e) {
                cut.incrementAndGet(); // By the end of the process.
                return false;
            } catch (IOException e) {
                fail(e + " at " + port);
                return true;
            }
        }

        private synchronized void fail(String what) {
            failures.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
        }

        int answered() {
            return byFirst.get() + byOther.get();
        }

        void await(int more) {
            await(this::answered, more);
        }

        static void await(IntSupplier counted, int more) {
            int wanted = counted.getAsInt() + more;
            Eventually.holds("requests are answered", () -> counted.getAsInt() >= wanted);
        }

        synchronized String failures() {
            return failures.toString();
        }

        @Override
        public void close() {
            over = true;
            clients.forEach(each -> Eventually.holds("ends", () -> !each.isAlive()));
        }
    }

    @BeforeEach
    void token() throws IOException {
        Files.writeString(folder.resolve("token"), "a-token-of-registrars\n");
    }

    @AfterEach
    void end() {
        gateways.forEach(Gateway::close);
        members.forEach(each -> each.stop(Duration.ZERO));
    }

    private void member(String name, String lease) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.createDirectories(home.resolve("site"));
        Files.writeString(home.resolve("site/index.html"), name);
        int port = FreePort.next();
        String to =
                String.join(
                        ", ",
                        gateways.stream().map(each -> "http://127.0.0.1:" + each.admin).toList());
        Files.writeString(
                home.resolve("margay.yaml"),
                """
                listeners: [{http: "127.0.0.1:%1$d"}]
                hosts: [{routes: {/*: {files: site}}}]
                work: work
                sessions: {route: %2$s}
                register:
                  upstream: shop
                  to: [%3$s]
                  url: "http://127.0.0.1:%1$d"
                  token-file: ../token
                  lease: %4$s
                """
                        .formatted(port, name, to, lease));
        MargayServer server =
                MargayServer.start(
                        ConfigFile.read(home.resolve("margay.yaml"), Map.of()).get(),
                        DeployProgress.NONE);
        members.add(server);
        Eventually.holds("registered", () -> gateways.stream().allMatch(each -> each.knows(name)));
    }

    /// A step of a gateway's life.
    private interface Event {
        void happens(Gateway gateway) throws Exception;
    }

    private void assertNothingFails(String lease, Event event) throws Exception {
        gateways.add(new Gateway("one", "0s"));
        gateways.add(new Gateway("two", "0s"));
        member("a", lease);
        member("b", lease);
        Gateway first = gateways.getFirst();
        try (Load load = new Load(first)) {
            load.await(REQUESTS / 4);
            event.happens(first);
            load.await(REQUESTS);
            assertEquals("{}", load.failures(), first.process::toString);
            assertTrue(load.answered() >= REQUESTS);
        }
        Eventually.holds("both", () -> first.knows("a") && first.knows("b"));
    }

    @Test
    void upgrade_ofAGatewayWithRegisteredMembers_losesNoRequest() throws Exception {
        assertNothingFails("30s", Gateway::upgrade);
    }

    @Test
    void upgrade_withShortLeases_losesNoRequest() throws Exception {
        assertNothingFails("6s", Gateway::upgrade);
    }

    @Test
    void upgrade_keepsWhatWasChangedByHand() throws Exception {
        gateways.add(new Gateway("one", "0s"));
        member("a", "30s");
        member("b", "30s");
        Gateway gateway = gateways.getFirst();
        URI member =
                URI.create(
                        "http://127.0.0.1:"
                                + gateway.admin
                                + "/api/upstreams/members?upstream=shop&member=a"
                                + "&activation=disabled&weight=2.5");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> done =
                    client.send(
                            HttpRequest.newBuilder(member)
                                    .header("Authorization", "Bearer a-token-of-operators")
                                    .PUT(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals(200, done.statusCode(), done::body);
        }
        gateway.upgrade();
        for (int i = 0; i < 4; i++) {
            assertEquals("b", new Http(gateway.http).get("/"));
        }
        assertTrue(new Http(gateway.admin).get("/api/upstreams").contains("\"weight\":2.5"));
    }

    @Test
    void restart_losesNoRequest() throws Exception {
        assertNothingFails(
                "30s",
                gateway -> {
                    gateway.end("TERM");
                    assertTrue(Files.exists(gateway.home.resolve("work/state")));
                    gateway.start();
                });
    }

    @Test
    void restart_afterTheProcessWasKilled_losesNoRequest() throws Exception {
        assertNothingFails(
                "30s",
                gateway -> {
                    Eventually.holds("kept", () -> gateway.keeps("a") && gateway.keeps("b"));
                    gateway.end("KILL");
                    gateway.start();
                });
    }

    /// The other gateway answers all requests while the first is gone. A client whose connection
    /// was cut before an answer asks the other, as it may with a GET.
    @Test
    void kill_ofOneOfTwoGateways_leavesTheOther_untilTheFirstIsBack() throws Exception {
        gateways.add(new Gateway("one", "0s"));
        gateways.add(new Gateway("two", "0s"));
        member("a", "30s");
        member("b", "30s");
        Gateway first = gateways.getFirst();
        Eventually.holds("kept", () -> first.keeps("a") && first.keeps("b"));
        try (Load load = new Load(first)) {
            load.await(REQUESTS / 4);
            first.end("KILL");
            Load.await(load.byOther::get, REQUESTS);
            first.start();
            Load.await(load.byFirst::get, REQUESTS);
            assertEquals("{}", load.failures(), first.process::toString);
            assertTrue(load.cut.get() <= 2 * CLIENTS, load.cut + " connections were cut");
        }
        Eventually.holds("both", () -> first.knows("a") && first.knows("b"));
    }

    @Test
    void start_withoutAnyState_waitsForItsMembers_beforeItListens() throws Exception {
        assertNothingFails(
                "3s",
                gateway -> {
                    gateway.end("KILL");
                    Path file = gateway.home.resolve("margay.yaml");
                    String yaml = Files.readString(file);
                    Files.writeString(file, yaml.replace("wait: 0s", "wait: 20s"));
                    Files.deleteIfExists(gateway.home.resolve("work/state"));
                    gateway.start();
                });
    }

    /// However long their leases, members tell a gateway of themselves before it ends to wait.
    @Test
    void start_withoutAnyState_knowsMembersWithLongLeases() throws Exception {
        assertNothingFails(
                "10m",
                gateway -> {
                    gateway.end("KILL");
                    Path file = gateway.home.resolve("margay.yaml");
                    String yaml = Files.readString(file);
                    Files.writeString(file, yaml.replace(", wait: 0s", ""));
                    Files.deleteIfExists(gateway.home.resolve("work/state"));
                    gateway.start();
                });
    }

    private static boolean listens(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// A gateway of three listeners that waits for its first member.
    private MargayProcess waiting(Gateway like) throws IOException {
        Path file = like.home.resolve("margay.yaml");
        String more = ", {http: 127.0.0.1:%d}]".formatted(like.second);
        Files.writeString(
                file, Files.readString(file).replace("}]\nadmin", "}" + more + "\nadmin"));
        MargayProcess process = MargayProcess.start(like.home, "run", "margay.yaml");
        Eventually.holds("the admin listener is open", () -> listens(like.admin));
        return process;
    }

    @Test
    void start_thatWaitsForMembers_canBeAsked_andThenOpensAllListeners() throws Exception {
        Gateway gateway = new Gateway("one", "60s", false);
        gateways.add(gateway);
        try (MargayProcess process = waiting(gateway)) {
            HttpResponse<String> health = new Http(gateway.admin).response("/health");
            assertEquals(503, health.statusCode());
            assertTrue(health.body().contains("starting"), health::body);
            Eventually.holds(
                    "asked",
                    () ->
                            ControlSocket.servers(gateway.home)
                                    .contains(gateway.home.resolve("work")));
            Path work = gateway.home.resolve("work");
            ControlSocket.Answer status = ControlSocket.ask(work, "status");
            assertTrue(status.lines().getFirst().contains("not serving"), status::toString);
            ControlSocket.Answer upgrade = ControlSocket.ask(work, "upgrade");
            assertEquals(List.of("the server is starting"), upgrade.lines());
            assertFalse(listens(gateway.http) || listens(gateway.second));
            member("a", "6s");
            int _ = process.awaitReady();
            assertTrue(listens(gateway.http) && listens(gateway.second));
            assertEquals("a", new Http(gateway.second).get("/"));
        }
    }

    @Test
    void stop_ofAStartThatWaitsForMembers_endsInGoodOrder() throws Exception {
        Gateway gateway = new Gateway("one", "3s", false);
        gateways.add(gateway);
        try (MargayProcess process = waiting(gateway)) {
            process.signal("TERM");
            assertEquals(0, process.awaitExit(), process::toString);
            assertFalse(process.toString().contains("ready in"), process::toString);
        }
    }

    @Test
    void damagedState_isIgnored_withALine() throws Exception {
        gateways.add(new Gateway("one", "0s"));
        member("a", "6s");
        Gateway gateway = gateways.getFirst();
        gateway.end("TERM");
        Path state = gateway.home.resolve("work/state");
        byte[] bytes = Files.readAllBytes(state);
        bytes[bytes.length / 2]++;
        Files.write(state, bytes);
        gateway.start();
        assertTrue(
                gateway.process.toString().contains("state is ignored"), gateway.process::toString);
        assertFalse(Files.exists(state) && Arrays.equals(bytes, Files.readAllBytes(state)));
        Eventually.holds("registered", () -> gateway.knows("a"));
    }
}
