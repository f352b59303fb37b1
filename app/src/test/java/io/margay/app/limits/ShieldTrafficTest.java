package io.margay.app.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.BurnServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.ScriptedNameServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sessions of browsers and search bots, and of crawlers beside them, on hosts with shields: who is
/// kept out wrongly, and what crawlers get. `make shield-traffic` runs more of them.
@Timeout(3600)
final class ShieldTrafficTest {
    private static final int SESSIONS = Integer.getInteger("margay.shield.sessions", 12);
    private static final long SEED = Long.getLong("margay.shield.seed", 1);
    private static final int PROOF_BITS = 8;
    private static final int BOT_ADDRESSES = 8;
    private static final int TURNS = 8;
    private static final int ACTIVE = 10;
    private static final String REPLAYING = "crawlers that replay an answer";
    private static final Pattern LINK = Pattern.compile("rel=\"nofollow\" href=\"([^\"]+)\"");
    private static final List<String> HOSTS = List.of("over-budget", "unknown", "all");

    private static final List<String> BROWSERS =
            List.of(
                    "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
                            + " Chrome/142.0.0.0 Safari/537.36",
                    "(Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
                    "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
                            + " Version/18.6 Safari/605.1.15",
                    "(iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like"
                            + " Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
                    "(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)"
                            + " Chrome/142.0.0.0 Mobile Safari/537.36",
                    "(X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");

    @TempDir Path folder;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Map<String, long[]> counts = new TreeMap<>();

    /// One client that asks again and again.
    private final class Session {
        private final String kind;
        private final String from;
        private final String[] fields;
        private final boolean runsScripts;
        private int left;
        private String cookie = "X: y";

        /// What it has answered the first challenge with.
        private String answered = "";

        Session(String kind, String from, boolean runsScripts, int left, String... fields) {
            this.kind = kind;
            this.from = from;
            this.runsScripts = runsScripts;
            this.left = left;
            this.fields = fields;
        }

        private boolean isBrowser() {
            return kind.startsWith("browsers");
        }

        private String ask(ShieldClient client, String host, String line, String... more)
                throws IOException {
            List<String> all = new ArrayList<>(List.of(fields));
            all.add(cookie);
            all.addAll(List.of(more));
            return client.ask(from, host, line, all.toArray(String[]::new));
        }

        /// Asks for one page, and what belongs to it.
        void turn(ShieldClient client, String host) throws IOException {
            left--;
            boolean crawls = kind.startsWith("crawlers");
            String line = "GET /burn/" + (crawls ? 10 : random.nextInt(1, 4)) + "?" + left;
            String answer = ask(client, host, line, "Accept: text/html,*/*;q=0.8");
            if (isBrowser() && answer.contains("data-text=")) {
                count(host, kind, 2);
                answer = solved(client, host, answer);
            }
            if (kind.equals(REPLAYING) && answer.contains("data-text=")) {
                count(host, kind, 2);
                answered = answered.isEmpty() ? onward(answer) : answered;
                String pass = ask(client, host, "GET " + answered);
                if (pass.contains("margay-pass=")) {
                    cookie = "Cookie: " + ShieldClient.found(ShieldClient.COOKIE, pass);
                }
                answer = ask(client, host, line, "Accept: text/html,*/*;q=0.8");
            }
            count(host, kind, ShieldClient.status(answer) == 200 ? 0 : 1);
            if (isBrowser() && ShieldClient.status(answer) == 200) {
                String part = "Sec-Fetch-Dest: " + (random.nextBoolean() ? "image" : "empty");
                String beside = ask(client, host, "GET /burn/0?" + left, "Accept: */*", part);
                count(host, kind, ShieldClient.status(beside) == 200 ? 0 : 1);
            }
        }

        private String onward(String page) {
            if (runsScripts) {
                String text = ShieldClient.found(ShieldClient.TEXT, page);
                String number = ShieldClient.solve(text, PROOF_BITS);
                return "/.margay/pass/" + text + "/" + number + "/burn/1";
            }
            Matcher link = LINK.matcher(page);
            assertTrue(link.find(), page);
            return link.group(1);
        }

        private String solved(ShieldClient client, String host, String page) throws IOException {
            String answer = ask(client, host, "GET " + onward(page));
            cookie = "Cookie: " + ShieldClient.found(ShieldClient.COOKIE, answer);
            return ask(client, host, "GET /burn/1?" + left, "Accept: text/html");
        }
    }

    /// @param what 0 = served, 1 = not served, 2 = challenged and answered
    private void count(String host, String kind, int what) {
        counts.computeIfAbsent(host + " | " + kind, _ -> new long[3])[what]++;
    }

    private String address() {
        return "127."
                + random.nextInt(20, 200)
                + "."
                + random.nextInt(256)
                + "."
                + random.nextInt(1, 255);
    }

    /// The kinds come in the same order always, so that few sessions have some of each.
    private Session session(int number) {
        int which = number * 37 % 100;
        String browser = "User-Agent: Mozilla/5.0 " + BROWSERS.get(random.nextInt(BROWSERS.size()));
        String[] fields = {browser, "Accept-Language: de,en;q=0.7", "Accept-Encoding: gzip, br"};
        if (which < 45) {
            return new Session("browsers", address(), true, TURNS, fields);
        } else if (which < 55) {
            return new Session("browsers of one office", "127.10.0.1", true, TURNS, fields);
        } else if (which < 60) {
            return new Session("browsers without scripts", address(), false, TURNS, fields);
        } else if (which >= 72 && which < 77) {
            return new Session(REPLAYING, address(), true, 12 * TURNS, fields);
        } else if (which < 80) {
            int bot = random.nextInt(BOT_ADDRESSES);
            String agent = bot % 2 == 0 ? "Googlebot/2.1" : "bingbot/2.0";
            return new Session(
                    "search bots",
                    "127.0.9." + (bot + 1),
                    false,
                    TURNS,
                    "User-Agent: Mozilla/5.0 (compatible; " + agent + ")");
        } else if (which < 90) {
            return new Session("crawlers as browsers", address(), false, 6 * TURNS, fields);
        } else if (which < 95) {
            return new Session("crawlers in the office", "127.10.0.1", false, 6 * TURNS, fields);
        }
        return new Session(
                "impostors", address(), false, TURNS, "User-Agent: Googlebot/2.1 (+http://x)");
    }

    private MargayServer server(ScriptedNameServer names) throws IOException {
        Wars.with("index.html", "home")
                .servlet(BurnServlet.class, "/burn/*")
                .folder(folder.resolve("app"));
        List<String> zone = new ArrayList<>();
        for (int i = 0; i < BOT_ADDRESSES; i++) {
            String name = "crawl-" + i + (i % 2 == 0 ? ".googlebot.com." : ".search.msn.com.");
            zone.add((i + 1) + ".9.0.127.in-addr.arpa. 60 PTR " + name);
            zone.add(name + " 60 A 127.0.9." + (i + 1));
        }
        names.zone(zone.toArray(String[]::new));
        StringBuilder file = new StringBuilder("listeners: [{http: 127.0.0.1:0}]\nhosts:\n");
        for (String host : HOSTS) {
            file.append(
                    """
                      - name: %1$s
                        shield:
                          challenge: %1$s
                          budget: {cost: 150ms, window: 1h}
                          proof-bits: %2$d
                          wait: 0s
                          resolvers: ['%3$s:%4$d']
                        routes: {/: {app: app}}
                    """
                            .formatted(
                                    host,
                                    PROOF_BITS,
                                    names.address().getAddress().getHostAddress(),
                                    names.address().getPort()));
        }
        Path yaml = Files.writeString(folder.resolve("margay.yaml"), file + "work: work\n");
        ConfigFile.Result read = ConfigFile.read(yaml, Map.of());
        assertEquals(List.of(), read.problems());
        return MargayServer.start(read.get(), DeployProgress.NONE);
    }

    @Test
    void browsersAndSearchBots_areNotKeptOut_andCrawlersGetTheirBudget() throws Exception {
        try (ScriptedNameServer names = new ScriptedNameServer();
                MargayServer server = server(names)) {
            ShieldClient client = new ShieldClient(server);
            for (String host : HOSTS) {
                run(client, host, names);
            }
        }
        report();
        for (String host : HOSTS) {
            for (String kind : List.of("browsers", "browsers of one office", "search bots")) {
                assertEquals(0, of(host, kind)[1], host + ", " + kind + ", seed " + SEED);
            }
            for (String kind : List.of("crawlers as browsers", REPLAYING)) {
                long[] crawled = of(host, kind);
                assertTrue(
                        crawled[1] > crawled[0],
                        host + ", " + kind + ": most is refused, seed " + SEED);
            }
        }
    }

    private long[] of(String host, String kind) {
        return counts.getOrDefault(host + " | " + kind, new long[3]);
    }

    private void run(ShieldClient client, String host, ScriptedNameServer names) {
        List<Session> active = new ArrayList<>();
        int begun = 0;
        while (begun < SESSIONS || !active.isEmpty()) {
            while (begun < SESSIONS && active.size() < ACTIVE) {
                active.add(session(begun));
                begun++;
            }
            int at = random.nextInt(active.size());
            Session one = active.get(at);
            try {
                one.turn(client, host);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (one.left == 0) {
                active.remove(at);
            }
        }
        Eventually.holds("addresses were looked up", () -> !names.questions().isEmpty());
    }

    private void report() throws IOException {
        StringBuilder table =
                new StringBuilder(
                        "| `challenge` | clients | served | not served | challenges answered |\n"
                                + "|---|---|---|---|---|\n");
        counts.forEach((of, count) ->
                table.append("| ")
                        .append(of)
                        .append(" | ")
                        .append(count[0])
                        .append(" | ")
                        .append(count[1])
                        .append(" | ")
                        .append(count[2])
                        .append(" |\n"));
        Path target = Path.of(System.getProperty("margay.root", ".."), "app/target");
        Files.writeString(
                Files.createDirectories(target).resolve("shield-traffic.md"), table.toString());
    }
}
