package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.UsageException;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.LivelyServlet;
import io.margay.app.shadow.ShadowRun;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `margay shadow` in front of two servers that run.
final class ShadowCommandTest {
    private static final int REQUESTS = Integer.getInteger("margay.shadow.requests", 2_000);

    @TempDir Path folder;

    private final List<MargayServer> servers = new ArrayList<>();
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();

    @AfterEach
    void close() {
        servers.reversed().forEach(MargayServer::close);
    }

    private MargayServer start(MargayConfig config) {
        MargayServer server =
                MargayServer.start(
                        config.withWork(folder.resolve("work" + servers.size())),
                        DeployProgress.NONE);
        servers.add(server);
        return server;
    }

    /// An application server.
    private String url(boolean fault) throws IOException {
        Wars war = Wars.with("index.html", "hello").servlet(LivelyServlet.class, "/page/*");
        Path app =
                (fault ? war.and("WEB-INF/fault", "") : war)
                        .folder(folder.resolve("app" + servers.size()));
        String text =
                "listeners: [{http: \"0\"}]\nhosts: [{routes: {/: {app: \"%s\"}}}]".formatted(app);
        MargayServer server = start(ConfigFile.of(text, folder, "margay.yaml").get());
        return "http://127.0.0.1:" + server.ports().getFirst();
    }

    private static Arguments arguments(String... words) throws UsageException {
        return Arguments.parse(ShortCommand.SHADOW, List.of(words));
    }

    private static MargayConfig config(Arguments arguments) throws UsageException {
        PrintStream none = new PrintStream(PrintStream.nullOutputStream());
        return new ShortCommand("shadow", arguments, Map.of(), none, false).config();
    }

    private RawHttpClient client(MargayServer front) throws IOException {
        int port = front.ports().getFirst();
        return RawHttpClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static long compared(MargayServer front) {
        var shadow =
                front.site().upstreams().stream()
                        .flatMap(one -> one.divided().mirrors().stream())
                        .findFirst()
                        .orElseThrow()
                        .shadow();
        return shadow == null ? -1 : shadow.read().compared() + shadow.read().leftOut();
    }

    /// Asks for pages and data in sessions of a few requests.
    private void browse(MargayServer front, int requests) throws IOException {
        String cookie = "";
        try (RawHttpClient client = client(front)) {
            for (int i = 0; i < requests; i++) {
                String path = i % 2 == 0 ? "/page/" + i : "/page/data/" + i % 3;
                client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + cookie + "\r\n");
                RawHttpClient.Response response = client.response();
                assertEquals(200, response.status());
                assertFalse(response.text().contains("\"price\": 12.51"), response.text());
                String set = response.field("Set-Cookie");
                if (set != null) {
                    cookie = "Cookie: " + set.substring(0, set.indexOf(';')) + "\r\n";
                    long all = i + 1;
                    // Until then the new server does not know the session.
                    Eventually.holds("answers are compared", () -> compared(front) >= all);
                }
                if (i % 20 == 19) {
                    cookie = "";
                }
            }
        }
        Eventually.holds("answers are compared", () -> compared(front) >= requests);
    }

    private String report(ShadowRun run, boolean differs) {
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
        assertEquals(differs, run.report(out, out), told::toString);
        return told.toString(StandardCharsets.UTF_8);
    }

    /// As many requests as `make shadow` asks for.
    @Test
    void equalServers_differInNothing() throws Exception {
        Arguments words = arguments("0", url(false), url(false), "--load=100%");
        ShadowRun run = new ShadowRun(words);
        MargayServer front = start(config(words));
        run.begin(front);
        browse(front, REQUESTS);
        String text = report(run, false);
        assertTrue(text.contains(" requests compared: no difference\n"), text);
        long number = Long.parseLong(text.substring(0, text.indexOf(' ')).replace(",", ""));
        assertTrue(number > REQUESTS * 0.95, text);
    }

    @Test
    void fault_isReported_andReachesNoClient() throws Exception {
        Path page = folder.resolve("report.html");
        Arguments words =
                arguments(
                        "0",
                        url(false),
                        url(true),
                        "--report",
                        page.toString(),
                        "--sample=0%",
                        "--load=100%");
        ShadowRun run = new ShadowRun(words);
        MargayServer front = start(config(words));
        run.begin(front);
        browse(front, 60);
        String text = report(run, true);
        assertTrue(text.contains("× GET /page/data/{}  content: /price\n"), text);
        assertTrue(text.contains("    old  12.50\n    new  12.51\n"), text);
        assertEquals(1, text.lines().filter(line -> line.contains(" × ")).count(), text);
        assertTrue(Files.readString(page).contains("12.51"));
    }

    @Test
    void serverThatIsDead_isNotFelt_andSaid() throws Exception {
        String dead = "http://127.0.0.1:1";
        Arguments words = arguments("0", url(false), dead, "--load=100%");
        ShadowRun run = new ShadowRun(words);
        MargayServer front = start(config(words));
        run.begin(front);
        browse(front, 40);
        String text = report(run, true);
        assertTrue(text.contains("  no answer\n"), text);
    }

    @Test
    void time_endsIt() throws Exception {
        Arguments words = arguments("0", "http://127.0.0.1:1", "http://127.0.0.1:1", "--for=1ms");
        ShadowRun run = new ShadowRun(words);
        MargayServer front = start(config(words));
        run.begin(front);
        front.awaitStop();
        assertTrue(report(run, true).startsWith("nothing was compared"));
    }

    @Test
    void port_isOfThisMachineAlone_unlessMoreIsAskedFor() throws Exception {
        String[] urls = {"http://a:1", "http://b:1"};
        assertEquals("127.0.0.1", host(arguments(urls)));
        assertEquals("127.0.0.1", host(arguments("81", urls[0], urls[1])));
        assertEquals("*", host(arguments(":81", urls[0], urls[1])));
    }

    private static String host(Arguments words) throws UsageException {
        return config(words).listeners().getFirst().endpoint().host();
    }

    @Test
    void words_thatAreWrong_areToldOf() {
        String[][] wrong = {
            {"write \"margay shadow [LISTEN] OLD-URL NEW-URL\"", "http://a:1"},
            {"\"b:1\" is not a URL", "http://a:1", "b:1"},
            {"is not a URL", "http://a:1", "http://b\"}]}\nwork: /"},
            {"--sample \"5\" is not valid", "http://a:1", "http://b:1", "--sample=5"},
            {"--share \"200%\"", "http://a:1", "http://b:1", "--share=200%"},
            {"is not a name of a field", "http://a:1", "http://b:1", "--ignore=a b"},
            {"--for \"5\" is not valid", "http://a:1", "http://b:1", "--for=5"},
            {"there is no folder", "http://a:1", "http://b:1", "--report=none/here/r.html"},
        };
        for (String[] row : wrong) {
            String[] words = List.of(row).subList(1, row.length).toArray(String[]::new);
            UsageException e = assertThrows(UsageException.class, () -> config(arguments(words)));
            assertNotNull(e.getMessage());
            assertTrue(e.getMessage().contains(row[0]), e.getMessage());
        }
    }
}
