package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.UsageException;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.shadow.MoveRun;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.TestAuthority;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `margay move` in front of two servers: clients are always served, and get the new one only when
/// it does as the old one.
final class MoveCommandTest {
    @TempDir Path folder;

    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private Transport transport;
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final AtomicBoolean fails = new AtomicBoolean();
    private final AtomicReference<List<String>> left = new AtomicReference<>(List.of());
    private final AtomicInteger failed = new AtomicInteger();
    private HttpServer old;
    private HttpServer fresh;
    private MargayServer front;
    private MoveRun run;

    @BeforeEach
    void open() throws IOException {
        transport = Transports.open("nio", TransportConfig.defaults().withLoops(1));
        old =
                new HttpServer(
                        exchange -> {
                            exchange.fields().set("Server", "old");
                            exchange.end();
                        },
                        workers);
        fresh =
                new HttpServer(
                        exchange -> {
                            exchange.fields().set("Server", "new");
                            exchange.status(fails.get() ? 500 : 200);
                            if (exchange.request().target().raw().equals("/other")) {
                                exchange.fields().set("X-Other", "1");
                            }
                            exchange.end();
                        },
                        workers);
    }

    @AfterEach
    void close() {
        if (front != null) {
            front.close();
        }
        old.close();
        fresh.close();
        transport.close();
        workers.close();
    }

    private String url(HttpServer server) throws IOException {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        InetSocketAddress at =
                (InetSocketAddress)
                        server.listen(transport, ListenerConfig.of(free)).socket().address();
        return "http://127.0.0.1:" + at.getPort();
    }

    private void move(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("0", url(old), url(fresh), "--load=100%"));
        words.addAll(List.of(options));
        run =
                new MoveRun(
                        Arguments.parse(ShortCommand.MOVE, words),
                        text -> text,
                        yaml -> ConfigFile.of(yaml, folder, "margay move").get(),
                        null);
        front =
                MargayServer.start(
                        run.config().withWork(folder.resolve("work")), DeployProgress.NONE);
        run.begin(
                front,
                new PrintStream(told, true, StandardCharsets.UTF_8),
                (then, _) -> left.set(then));
    }

    private RawHttpClient client() throws IOException {
        int port = front.ports().getFirst();
        return RawHttpClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /// @return who has answered
    private String ask(String path) throws IOException {
        try (RawHttpClient client = client()) {
            RawHttpClient.Response response = client.get(path);
            if (response.status() != 200) {
                failed.incrementAndGet();
            }
            return String.valueOf(response.field("Server"));
        }
    }

    /// As long as the steps go on, there are requests.
    private boolean moved(String path) throws Exception {
        for (long until = System.nanoTime() + Duration.ofMinutes(1).toNanos();
                System.nanoTime() < until && !text().contains("requests compared"); ) {
            String _ = ask(path);
        }
        return run.awaitMoved(Duration.ofSeconds(10));
    }

    private String text() {
        return told.toString(StandardCharsets.UTF_8);
    }

    @Test
    void servers_thatAnswerAlike_areExchanged() throws Exception {
        Path page = folder.resolve("report.html");
        move(
                "--compare=1s",
                "--steps=30% for 1s, 60% for 1s",
                "--report",
                page.toString(),
                "--then=gateway  nginx.conf");
        assertEquals("old", ask("/"));
        assertTrue(moved("/"), this::text);
        assertEquals("new", ask("/"));
        assertTrue(text().startsWith("moved: the new server serves\n"), text());
        assertTrue(text().contains("30.0 % of the clients get the new server"), text());
        assertTrue(text().contains("requests compared: no difference\n"), text());
        assertTrue(Files.readString(page).contains("<h2>What was done</h2>"));
        assertEquals(List.of("gateway", "nginx.conf"), left.get());
        assertEquals(0, failed.get());
    }

    @Test
    void serverThatDiffers_getsNoClient() throws Exception {
        move("--compare=1s", "--steps=30% for 1s", "--then=gateway nginx.conf");
        assertFalse(moved("/other"), this::text);
        assertTrue(text().startsWith("not moved: the old server serves\n"), text());
        assertTrue(text().contains("GET /other  field added: x-other\n"), text());
        assertEquals(List.of(), left.get());
        for (int i = 0; i < 20; i++) {
            assertEquals("old", ask("/"));
        }
    }

    @Test
    void serverThatFailsLater_isTakenBack() throws Exception {
        move("--compare=1s", "--steps=50% for 1h");
        Eventually.holds(
                "clients get the new server",
                () -> {
                    try {
                        return ask("/").equals("new");
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        fails.set(true);
        assertFalse(moved("/"), this::text);
        assertTrue(text().contains(" taken back: more than 1 % more of its answers fail"), text());
        assertTrue(failed.get() < 200, () -> failed + " clients got an error");
        for (int i = 0; i < 20; i++) {
            assertEquals("old", ask("/"));
        }
    }

    /// The new server is started from the files of the old one, which names its port.
    @Test
    void serverThatIsStartedHere_isCompared_byRequestsThatAreMadeUp() throws Exception {
        String url = url(old);
        Path pages = Files.createDirectories(folder.resolve("www/docs"));
        Files.writeString(pages.resolve("index.html"), "<a href='/docs/'>docs</a>");
        Path conf =
                Files.writeString(
                        folder.resolve("nginx.conf"),
                        """
                        events {}
                        http {
                          server {
                            listen %s;
                            location / { return 200; }
                            location /docs/ { root %s; }
                            location /never/ { return 404; }
                          }
                        }
                        """
                                .formatted(url.replaceFirst(".*:", ""), folder.resolve("www")));
        Path log =
                Files.writeString(
                        folder.resolve("access.log"),
                        "a - - [30/Nov/2026:18:31:02 +0000] \"GET /x HTTP/1.1\" 200 0\n");
        Path page = folder.resolve("report.html");
        PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
        run =
                moving(
                        err,
                        url,
                        "--config",
                        conf.toString(),
                        "--dry-run",
                        "--requests",
                        log.toString(),
                        "--report",
                        page.toString());
        front =
                MargayServer.start(
                        run.config().withWork(folder.resolve("work")), DeployProgress.NONE);
        run.begin(front, err, (_, _) -> {});
        assertFalse(run.awaitMoved(Duration.ofMinutes(1)), this::text);
        assertTrue(front.awaitStop(Duration.ofMinutes(1)), this::text);
        run.end();
        assertTrue(text().contains("dry run: not ready to move\n"), text());
        assertTrue(text().contains("a new server is started from the files"), text());
        assertTrue(text().contains("4 requests were answered"), text());
        assertTrue(text().contains("4 requests have met "), text());
        String html = Files.readString(page);
        assertTrue(html.contains("<title>Dry run of a move</title>"), html);
        assertTrue(html.contains("        1  honoured " + conf + ":7: "), html);
        assertTrue(html.contains("        4  honoured " + conf + ":4: "), html);
    }

    @Test
    void dryRun_ofTwoEqualServers_findsNothing() throws Exception {
        List<String> words = List.of(url(old), url(fresh), "--dry-run");
        run =
                new MoveRun(
                        Arguments.parse(ShortCommand.MOVE, words),
                        text -> text,
                        yaml -> ConfigFile.of(yaml, folder, "margay move").get(),
                        null);
        front =
                MargayServer.start(
                        run.config().withWork(folder.resolve("work")), DeployProgress.NONE);
        run.begin(
                front,
                new PrintStream(told, true, StandardCharsets.UTF_8),
                (then, _) -> left.set(then));
        assertTrue(run.awaitMoved(Duration.ofMinutes(1)), this::text);
        assertTrue(text().startsWith("dry run: nothing differs\n"), text());
        assertTrue(front.awaitStop(Duration.ofMinutes(1)), this::text);
    }

    private MoveRun moving(PrintStream err, String... words) throws UsageException {
        Arguments arguments = Arguments.parse(ShortCommand.MOVE, List.of(words));
        return new ShortCommand("move", arguments, Map.of(), err, false)
                .moving(new ServerOptions(arguments, Map.of(), false));
    }

    @Test
    void words_thatAreWrong_areToldOf() {
        String[][] wrong = {
            {"--steps \"5%\" is not valid", "--steps=5%"},
            {"\"steps\" must grow", "--steps=5% for 1m, 5% for 1m"},
            {"--compare \"x\" is not valid", "--compare=x"},
            {"there is no none.conf", "--config=none.conf"},
            {"--requests belongs to --dry-run", "--requests=none.log"},
            {"--then \"check a\" is not valid", "--then=check a"},
        };
        for (String[] row : wrong) {
            PrintStream err = new PrintStream(told);
            UsageException e =
                    assertThrows(
                            UsageException.class,
                            () -> moving(err, "http://a:1", "http://b:1", row[1]));
            assertNotNull(e.getMessage());
            assertTrue(e.getMessage().contains(row[0]), e.getMessage());
        }
    }

    @Test
    void newServer_thatIsNotNamed_needsFilesWithItsProtocol() throws Exception {
        PrintStream err = new PrintStream(told);
        UsageException none = assertThrows(UsageException.class, () -> moving(err, "http://a:1"));
        assertTrue(String.valueOf(none.getMessage()).contains("--config"), none::toString);
        Path conf = Files.writeString(folder.resolve("httpd.conf"), "ProxyPass /a http://a:1/a\n");
        for (String url : List.of("https://a:1", "ajp://a:1")) {
            run = moving(err, "8080", url, "--config", conf.toString());
            UsageException other = assertThrows(UsageException.class, run::config);
            run.end();
            assertTrue(String.valueOf(other.getMessage()).contains("NEW-URL"), other::toString);
        }
    }

    /// By AJP13 with the secret of the files, by TLS with their certificates.
    @ParameterizedTest
    @ValueSource(strings = {"ajp", "https"})
    void serverThatIsStartedHere_speaksWhatTheOldOneSpeaks(String scheme) throws Exception {
        TestAuthority.Issued pem = TestAuthority.in(folder, "inner").issue("localhost");
        int port = FreePort.next();
        Path base = Files.createDirectories(folder.resolve("base"));
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps/ROOT"));
        Files.writeString(base.resolve("webapps/ROOT/index.html"), "<a href='/x'>x</a>");
        Files.writeString(
                base.resolve("conf/server.xml"),
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="1"/>
                    %s
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps"/>
                    </Engine>
                  </Service>
                </Server>
                """
                        .formatted(
                                scheme.equals("ajp")
                                        ? "<Connector protocol='AJP/1.3' port='%d' secret='q'/>"
                                                .formatted(port)
                                        : """
                                        <Connector port="%d" SSLEnabled="true" scheme="https">
                                          <SSLHostConfig>
                                            <Certificate certificateFile="%s"
                                                certificateKeyFile="%s"/>
                                          </SSLHostConfig>
                                        </Connector>
                                        """
                                                .formatted(port, pem.cert(), pem.key())));
        String listener =
                scheme.equals("ajp")
                        ? "ajp: \"" + port + "\", secret: q"
                        : "https: \"%d\", certificates: [{cert: \"%s\", key: \"%s\"}]"
                                .formatted(port, pem.cert(), pem.key());
        String yaml =
                "listeners: [{%s}]%nhosts: [{routes: {/: {app: \"%s\"}}}]%n"
                        .formatted(listener, base.resolve("webapps/ROOT"));
        try (MargayServer theOld =
                MargayServer.start(
                        ConfigFile.of(yaml, folder, "margay.yaml")
                                .get()
                                .withWork(folder.resolve("old")),
                        DeployProgress.NONE)) {
            assertEquals(List.of(port), theOld.ports());
            String url = scheme + "://127.0.0.1:" + port;
            PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
            run = moving(err, "0", url, "--config", base.toString(), "--compare=1h");
            MargayConfig config = run.config();
            assertEquals(
                    scheme.equals("https") ? "https" : "http",
                    config.listeners().getFirst().scheme());
            run.end();
            run = moving(err, url, "--config", base.toString(), "--dry-run");
            front =
                    MargayServer.start(
                            run.config().withWork(folder.resolve("work")), DeployProgress.NONE);
            run.begin(front, err, (_, _) -> {});
            assertTrue(run.awaitMoved(Duration.ofMinutes(1)), this::text);
            assertTrue(text().contains("dry run: nothing differs\n"), text());
            assertTrue(text().contains("files of the old one, at " + scheme + "://"), text());
            assertTrue(front.awaitStop(Duration.ofMinutes(1)), this::text);
            run.end();
        }
    }

    /// With an error in the old server's files nothing begins.
    @Test
    void configurationThatIsWrong_isShown_andNothingBegins() throws Exception {
        Path conf = folder.resolve("httpd.conf");
        PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
        for (String text : List.of("<Location /a>\n")) {
            Files.writeString(conf, text);
            told.reset();
            assertNull(moving(err, "http://a:1", "http://b:1", "--config", conf.toString()));
            assertTrue(text().contains("httpd.conf:1: "), text());
            assertTrue(text().endsWith("nothing is moved because of the errors above\n"), text());
        }
        Files.writeString(conf, "ProxyPass /a http://127.0.0.1:9000/a\n");
        told.reset();
        assertNotNull(moving(err, "http://a:1", "http://b:1", "--config", conf.toString()));
        assertTrue(text().contains("ProxyPass"), text());
    }
}
