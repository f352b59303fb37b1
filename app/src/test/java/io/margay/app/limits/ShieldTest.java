package io.margay.app.limits;

import static io.margay.app.limits.ShieldClient.COOKIE;
import static io.margay.app.limits.ShieldClient.TEXT;
import static io.margay.app.limits.ShieldClient.found;
import static io.margay.app.limits.ShieldClient.send;
import static io.margay.app.limits.ShieldClient.solve;
import static io.margay.app.limits.ShieldClient.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.MeterValues;
import io.margay.app.Wars;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.BurnServlet;
import io.margay.gateway.shield.ShieldOutcome;
import io.margay.testkit.Eventually;
import io.margay.testkit.ScriptedNameServer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts that are shielded from clients that cost too much, or pretend to be others.
@Timeout(60)
final class ShieldTest {
    private static final String GOOGLE =
            "User-Agent: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    private static final String BROWSER =
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
                    + "Accept: text/html\r\nAccept-Language: de\r\nAccept-Encoding: gzip";

    private static final String ROBOTS =
            "User-agent: ExampleBot\nDisallow: /own\n\nUser-agent: *\nDisallow: /index\n";

    @TempDir static Path folder;

    private static MargayServer server;
    private static ScriptedNameServer names;

    @BeforeAll
    static void start() throws IOException {
        Wars.with("index.html", "home")
                .servlet(BurnServlet.class, "/burn/*")
                .folder(folder.resolve("app"));
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a.txt"), "content");
        Files.writeString(folder.resolve("robots.txt"), ROBOTS);
        names = new ScriptedNameServer();
        names.zone(
                "10.0.0.127.in-addr.arpa. 60 PTR crawl.googlebot.com.",
                "crawl.googlebot.com. 60 A 127.0.0.10",
                "11.0.0.127.in-addr.arpa. 60 PTR crawl.googlebot.com.");
        String dns = "resolvers: ['" + names.address().getAddress().getHostAddress() + ":";
        dns += names.address().getPort() + "']";
        ConfigFile.Result read =
                read(
                        """
                        listeners:
                          - {http: 127.0.0.1:0, transport: nio}
                          - {http: 127.0.0.1:0, transport: blocking}
                        hosts:
                          - name: all
                            shield:
                              challenge: all
                              proof-bits: 8
                              wait: 0s
                              %1$s
                              except: [127.0.0.200]
                              except-paths: [/open]
                              credentials: ["header:X-Api-Key", "cookie:JSESSIONID"]
                            routes:
                              /: {app: app}
                              /api: {files: files, shield: false}
                          - name: strict
                            shield: {challenge: all, without-script: false, proof-bits: 8, bots: []}
                            routes: {/: {app: app}}
                          - name: unknown
                            shield: {challenge: unknown, impostors: tarpit, %1$s}
                            routes: {/: {app: app}}
                          - name: costs
                            shield:
                              budget: {cost: 100ms, window: 1h, cheap: 20ms}
                              challenge: never
                            routes: {/: {app: app}}
                          - name: solves
                            shield: {budget: {cost: 100ms, window: 1h, by: network}, proof-bits: 4}
                            routes: {/: {app: app}}
                          - name: logs
                            shield: {challenge: all, log-only: true, %1$s}
                            routes: {/: {app: app}}
                          - name: robots
                            shield:
                              challenge: never
                              models: refuse
                              robots: {file: robots.txt, disobedient: refuse}
                            routes: {/: {app: app}}
                          - name: counts
                            shield: {challenge: never, robots: {file: robots.txt}}
                            routes: {/: {app: app}}
                          - name: models
                            shield: {challenge: never, models: refuse}
                            routes: {/: {app: app}}
                        """
                                .formatted(dns));
        assertEquals(List.of(), read.problems());
        server = MargayServer.start(read.get(), DeployProgress.NONE);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        names.close();
    }

    private static ConfigFile.Result read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("margay.yaml"), text + "\nwork: work\n");
        return ConfigFile.read(file, Map.of());
    }

    // Clients

    private static Socket connect(String from, int listener) throws IOException {
        return new ShieldClient(server).connect(from, listener);
    }

    private static String ask(String from, String host, String line, String... fields)
            throws IOException {
        return new ShieldClient(server).ask(from, host, line, fields);
    }

    private static long count(String host, ShieldOutcome outcome) {
        String became = outcome.name().toLowerCase(Locale.ROOT);
        return MeterValues.sum(
                server, "margay_shield_requests", "host=" + host, "outcome=" + became);
    }

    // robots.txt

    @Test
    void crawlersThatHaveFetchedRobotsTxt_haveToObeyIt() throws IOException {
        String bot = "User-Agent: OtherBot/1.0";
        String path = "GET /index.html";
        long disobedient = count("robots", ShieldOutcome.DISOBEDIENT);
        assertEquals(200, status(ask("127.0.0.30", "robots", path, bot)), "nobody has told it");
        String told = ask("127.0.0.30", "robots", "GET /robots.txt", bot);
        assertTrue(told.endsWith(ROBOTS), told);
        assertTrue(told.contains("text/plain"), told);
        assertEquals(403, status(ask("127.0.0.30", "robots", path, bot)));
        assertEquals(403, status(ask("127.0.0.30", "robots", "GET /./%69ndex.html", bot)));
        assertEquals(200, status(ask("127.0.0.30", "robots", "GET /", bot)));
        assertEquals(200, status(ask("127.0.0.31", "robots", path, bot)), "another client");
        String own = "User-Agent: ExampleBot/2";
        assertEquals(403, status(ask("127.0.0.31", "robots", "GET /own", own)));
        assertEquals(disobedient + 3, count("robots", ShieldOutcome.DISOBEDIENT));
        assertTrue(count("robots", ShieldOutcome.TOLD) > 0);
    }

    /// A person may read the file, and crawlers are only counted where nothing else is said.
    @Test
    void browsersAndCrawlersThatAreCounted_passRobotsTxt() throws IOException {
        String path = "GET /index.html";
        for (String host : List.of("robots", "counts")) {
            String _ = ask("127.0.0.32", host, "HEAD /robots.txt", BROWSER);
            assertEquals(200, status(ask("127.0.0.32", host, path, BROWSER)));
        }
        String bot = "User-Agent: OtherBot/1.0";
        String _ = ask("127.0.0.32", "counts", "GET /robots.txt", bot);
        assertEquals(200, status(ask("127.0.0.32", "counts", path, bot)));
        assertEquals(1, count("counts", ShieldOutcome.DISOBEDIENT));
    }

    /// To a crawler, 403 for the file means that it may go anywhere (RFC 9309 §2.3.1.3).
    @Test
    void crawlersForModels_mayReadRobotsTxt() throws IOException {
        String bot = "User-Agent: GPTBot/1.2";
        assertEquals(200, status(ask("127.0.0.33", "robots", "GET /robots.txt", bot)));
        assertEquals(403, status(ask("127.0.0.33", "robots", "GET /", bot)));
        long before = count("models", ShieldOutcome.MODEL);
        String _ = ask("127.0.0.33", "models", "GET /robots.txt", bot);
        assertEquals(before, count("models", ShieldOutcome.MODEL));
        assertEquals(403, status(ask("127.0.0.33", "models", "GET /", bot)));
        assertEquals(before + 1, count("models", ShieldOutcome.MODEL));
    }

    @Test
    void robotsTxt_thatChanges_applies() throws IOException {
        String bot = "User-Agent: ThirdBot/1.0";
        Path file = folder.resolve("changing.txt");
        Files.writeString(file, "User-agent: ThirdBot\nDisallow: /a\n");
        Path config =
                Files.writeString(
                        folder.resolve("changing.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - shield:
                              challenge: never
                              robots: {file: changing.txt, disobedient: refuse}
                            routes: {/: {files: files}}
                        work: changing
                        """);
        ConfigFile.Result read = ConfigFile.read(config, Map.of());
        assertEquals(List.of(), read.problems());
        try (MargayServer one = MargayServer.start(read.get(), DeployProgress.NONE)) {
            ShieldClient client = new ShieldClient(one);
            String path = "GET /a.txt";
            assertEquals(403, status(client.ask("127.0.0.34", "x", path, bot)));
            Files.writeString(file, "User-agent: ThirdBot\nDisallow: /another\n");
            Eventually.holds(
                    "the change applies",
                    () -> {
                        try {
                            return status(client.ask("127.0.0.34", "x", path, bot)) == 200;
                        } catch (IOException e) {
                            return false;
                        }
                    });
        }
    }

    @Test
    void robotsTxt_thatIsMissing_isReported() throws IOException {
        ConfigFile.Result read =
                read(
                        """
                        hosts:
                          - shield: {challenge: never, robots: {file: nowhere.txt}}
                            routes: {/: {files: files}}
                        """);
        assertEquals(1, read.problems().size());
        assertTrue(
                read.problems().getFirst().toString().endsWith("nowhere.txt cannot be read"),
                () -> read.problems().toString());
    }

    // Challenges

    @Test
    void client_thatAnswers_isLetPass_fromItsNetworkAndToThisHostAlone() throws IOException {
        String page = ask("127.0.1.1", "all", "GET /a?b=%22%3C&c", "Accept: text/html");
        assertEquals(403, status(page));
        assertTrue(page.contains("\r\nCache-Control: no-store\r\n"), page);
        assertTrue(page.contains("data-target=\"/a?b=%22%3C&amp;c\""), page);
        String text = found(TEXT, page);
        String answer = "/.margay/pass/" + text + "/" + solve(text, 8) + "/a?b=1";
        String passed = ask("127.0.1.1", "all", "GET " + answer);
        assertEquals(303, status(passed));
        assertTrue(passed.contains("\r\nLocation: /a?b=1\r\n"), passed);
        assertTrue(passed.contains("; HttpOnly; SameSite=Lax\r\n"), passed);
        String cookie = "Cookie: x=y; margay-pass=wrong; " + found(COOKIE, passed);
        assertEquals(200, status(ask("127.0.1.1", "all", "GET /", cookie)));
        assertEquals(200, status(ask("127.0.1.99", "all", "GET /", cookie)), "its network");
        assertEquals(403, status(ask("127.0.2.1", "all", "GET /", cookie)), "another one");
        assertEquals(403, status(ask("127.0.1.1", "strict", "GET /", cookie)), "another host");
        assertEquals(200, status(ask("127.0.1.1", "all", "POST /burn/0", cookie)));
    }

    @Test
    void answers_thatAreWrong_leadNowhere() throws IOException {
        String text = found(TEXT, ask("127.0.3.1", "strict", "GET /"));
        String right = solve(text, 8);
        String pass = "GET /.margay/pass/";
        for (String wrong :
                List.of(
                        text + "/-/",
                        text + "/" + right + "x/",
                        text + "//",
                        text,
                        "",
                        text + "/" + right,
                        text.substring(1) + "A/" + right + "/",
                        "../../" + right + "/")) {
            String answer = ask("127.0.3.1", "strict", pass + wrong);
            assertTrue(status(answer) >= 400, wrong + " -> " + answer);
            assertFalse(answer.contains("Set-Cookie"), wrong);
        }
        assertEquals(403, status(ask("127.0.4.1", "strict", pass + text + "/" + right + "/")));
        String elsewhere =
                ask("127.0.3.1", "strict", pass + text + "/" + right + "//evil.example/");
        assertTrue(elsewhere.contains("\r\nLocation: /\r\n"), elsewhere);
        String question = "Cookie: margay-pass=" + text;
        assertEquals(403, status(ask("127.0.3.1", "strict", "GET /", question)));
        String flood = "Cookie: " + "margay-pass=x; ".repeat(200) + "a=b";
        assertEquals(403, status(ask("127.0.3.1", "strict", "GET /", flood)));
    }

    @Test
    void client_withoutScript_goesOnByALink() throws IOException {
        String page = ask("127.0.5.1", "all", "GET /", "User-Agent: curl/8.14.1", "Accept: */*");
        String link = found(Pattern.compile("href=\"([^\"]+)\""), page);
        String passed = ask("127.0.5.1", "all", "GET " + link);
        assertEquals(303, status(passed));
        String cookie = "Cookie: " + found(COOKIE, passed);
        assertEquals(200, status(ask("127.0.5.1", "all", "GET /", cookie)));
        assertFalse(ask("127.0.5.1", "strict", "GET /").contains("http-equiv"));
    }

    @Test
    void requestsThatShowNoPage_areToldWhatToDo_andLoseNothingSilently() throws IOException {
        String post = ask("127.0.6.1", "all", "POST /burn/0", "Content-Length: 0", "Accept: */*");
        assertEquals(403, status(post));
        assertTrue(post.contains("Nothing was done."), post);
        String script = ask("127.0.6.1", "all", "GET /", "Accept: application/json");
        assertTrue(script.contains("application/problem+json"), script);
        String image = ask("127.0.6.1", "all", "GET /", "Sec-Fetch-Dest: image");
        assertFalse(image.contains("data-text"), image);
        assertFalse(ask("127.0.6.1", "all", "HEAD /").contains("<html"));
    }

    @Test
    void exceptions_areLetPass() throws IOException {
        assertEquals(200, status(ask("127.0.0.200", "all", "GET /")));
        assertEquals(404, status(ask("127.0.7.1", "all", "GET /open/x")));
        assertEquals(403, status(ask("127.0.7.1", "all", "GET /opened")));
        assertEquals(403, status(ask("127.0.7.1", "all", "GET /open/../x")));
        assertEquals(200, status(ask("127.0.7.1", "all", "GET /api/a.txt")));
        assertEquals(200, status(ask("127.0.7.1", "all", "GET /", "X-Api-Key: 1")));
        assertEquals(200, status(ask("127.0.7.1", "all", "GET /", "Cookie: JSESSIONID=1")));
        assertEquals(403, status(ask("127.0.7.1", "all", "GET /", "Cookie: SESSION=1")));
    }

    // Bots

    @Test
    void bots_thatAreVerified_areNeverChallenged_andImpostorsAreRefused() throws IOException {
        assertEquals(403, status(ask("127.0.0.12", "all", "GET /")));
        Eventually.holds("it is verified", () -> verified("127.0.0.10", "all"));
        assertEquals(200, status(ask("127.0.0.10", "all", "GET /", GOOGLE)));
        Eventually.holds("it is refuted", () -> impostor("127.0.0.11", "all"));
        String impostor = ask("127.0.0.11", "all", "GET /", GOOGLE);
        assertEquals(403, status(impostor));
        assertFalse(impostor.contains("data-text"), "it is not asked anything");
    }

    private static boolean verified(String from, String host) {
        try {
            String _ = ask(from, host, "GET /", GOOGLE);
            return count(host, ShieldOutcome.VERIFIED) > 0;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void impostors_areAnsweredByteByByte_withoutAThread(int listener) throws IOException {
        Eventually.holds("it is refuted", () -> impostor("127.0.0.13", "unknown"));
        long before = count("unknown", ShieldOutcome.TARPITTED);
        try (Socket first = connect("127.0.0.13", listener);
                Socket second = connect("127.0.0.13", listener)) {
            send(first, "unknown", "GET /", GOOGLE);
            send(second, "unknown", "GET /", GOOGLE);
            byte[] some = new byte[400];
            int got = first.getInputStream().read(some);
            assertTrue(got > 0 && got < 400, () -> got + " bytes");
            assertTrue(new String(some, 0, got).startsWith("HTTP/1.1 403 "));
            assertTrue(second.getInputStream().read(some) > 0);
            assertEquals(2, count("unknown", ShieldOutcome.TARPITTED) - before);
            assertTrue(tarpitted() >= 2);
        }
        Eventually.holds("they have left", () -> tarpitted() == 0);
    }

    private static long tarpitted() {
        return MeterValues.sum(server, "margay_shield_tarpitted", "host=unknown");
    }

    /// Asks as a bot from there, until that is known to be wrong.
    private static boolean impostor(String from, String host) {
        long before = count(host, ShieldOutcome.IMPOSTOR);
        try (Socket socket = connect(from, 0)) {
            send(socket, host, "GET /", GOOGLE);
            int _ = socket.getInputStream().read();
            return count(host, ShieldOutcome.IMPOSTOR) > before;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void clients_thatLookLikeBrowsers_areNotChallenged_andOthersAre() throws IOException {
        assertEquals(200, status(ask("127.0.8.1", "unknown", "GET /", BROWSER)));
        assertEquals(403, status(ask("127.0.8.1", "unknown", "GET /", "User-Agent: bot/1.0")));
        assertEquals(403, status(ask("127.0.8.1", "unknown", "GET /")));
    }

    // Costs

    @Test
    void client_thatIsOverItsBudget_isRefused_butForWhatIsCheap() throws IOException {
        assertEquals(200, status(ask("127.0.9.1", "costs", "GET /burn/0")));
        Eventually.holds("it is over", () -> refused("127.0.9.1", "costs", "X: y"));
        String refused = ask("127.0.9.1", "costs", "GET /burn/150");
        assertEquals(429, status(refused));
        assertNotNull(field(refused, "Retry-After"));
        assertEquals(200, status(ask("127.0.9.1", "costs", "GET /burn/0")), "cheap");
        assertEquals(200, status(ask("127.0.10.1", "costs", "GET /burn/30")), "another");
        assertTrue(count("costs", ShieldOutcome.REFUSED) > 0);
    }

    /// Asks for what costs more than the budget.
    private static boolean refused(String from, String host, String field) {
        try {
            return status(ask(from, host, "GET /burn/150", field)) == 429;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static @Nullable String field(String answer, String name) {
        int at = answer.indexOf("\r\n" + name + ": ");
        return at < 0 ? null : answer.substring(at + 2, answer.indexOf("\r\n", at + 2));
    }

    @Test
    void client_thatIsOverItsBudget_andAnswers_hasABudgetOfItsOwn() throws IOException {
        Eventually.holds("it is over", () -> refused("127.0.11.1", "solves", "X: y"));
        String page = ask("127.0.11.2", "solves", "GET /burn/151");
        assertEquals(429, status(page));
        assertNotNull(field(page, "Retry-After"));
        String text = found(TEXT, page);
        String passed =
                ask(
                        "127.0.11.2",
                        "solves",
                        "GET /.margay/pass/" + text + "/" + solve(text, 4) + "/");
        String cookie = "Cookie: " + found(COOKIE, passed);
        assertEquals(200, status(ask("127.0.11.2", "solves", "GET /burn/152", cookie)));
        Eventually.holds("it is over", () -> refused("127.0.11.2", "solves", cookie));
        String over = ask("127.0.11.2", "solves", "GET /burn/151", cookie);
        assertEquals(429, status(over));
        assertFalse(over.contains("data-text"), "it is not asked again");
        assertNull(field(over, "Set-Cookie"));
    }

    @Test
    void answer_thatIsSentAgain_givesTheSameBudget() throws IOException {
        Eventually.holds("it is over", () -> refused("127.0.21.1", "solves", "X: y"));
        String text = found(TEXT, ask("127.0.21.2", "solves", "GET /burn/151"));
        String answer = "GET /.margay/pass/" + text + "/" + solve(text, 4) + "/";
        String cookie = "Cookie: " + found(COOKIE, ask("127.0.21.2", "solves", answer));
        Eventually.holds("it is over", () -> refused("127.0.21.2", "solves", cookie));
        for (int i = 0; i < 15; i++) {
            String again = "Cookie: " + found(COOKIE, ask("127.0.21.2", "solves", answer));
            assertEquals(cookie, again);
            assertEquals(429, status(ask("127.0.21.2", "solves", "GET /burn/151", again)));
        }
    }

    @Test
    void answersOfAnAddress_areCounted() throws IOException {
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            refused += status(ask("127.0.22.1", "all", "GET /.margay/pass/x/1/")) == 429 ? 1 : 0;
        }
        assertTrue(refused > 100, "refused: " + refused);
        assertEquals(403, status(ask("127.0.23.1", "all", "GET /.margay/pass/x/1/")));
    }

    @Test
    void passesOfANetwork_shareSomeBudgets() throws IOException {
        Eventually.holds("it is over", () -> refused("127.0.24.1", "solves", "X: y"));
        int cookies = 0;
        int status = 200;
        while (status == 200 && cookies < 59) {
            String text = found(TEXT, ask("127.0.24.2", "solves", "GET /burn/151"));
            String answer = "GET /.margay/pass/" + text + "/" + solve(text, 4) + "/";
            String cookie = "Cookie: " + found(COOKIE, ask("127.0.24.2", "solves", answer));
            cookies++;
            status = status(ask("127.0.24.2", "solves", "GET /burn/151", cookie));
            Eventually.holds("it is over", () -> refused("127.0.24.2", "solves", cookie));
        }
        assertEquals(429, status, "after " + cookies);
    }

    @Test
    void shield_thatOnlyLogs_keepsNobodyOut() throws IOException {
        assertEquals(200, status(ask("127.0.12.1", "logs", "GET /")));
        assertEquals(1, count("logs", ShieldOutcome.CHALLENGED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{challenge: never}",
                "{challenge: some}",
                "{budget: {cost: 0s}}",
                "{budget: {window: 1s}}",
                "{challenge: all, secret: short}",
                "{challenge: all, proof-bits: 25}",
                "{challenge: all, bots: [{name: a, agent: '(', domains: [a.example]}]}",
                "{challenge: all, bots: [{name: a, agent: a, domains: [example]}]}",
                "{challenge: all, bots: [{name: a, agent: a, domains: []}]}",
                "{challenge: all, credentials: [address]}",
                "{challenge: all, except: [everybody]}",
                "{challenge: all, resolvers: [dns.example]}",
                "{challenge: all, resolvers: ['10.0.0.2:+53']}",
            })
    void shields_thatAreNone_areProblems(String shield) throws IOException {
        String file = "hosts: [{shield: " + shield + ", routes: {/: {app: app}}}]";
        assertFalse(read(file).problems().isEmpty(), shield);
    }
}
