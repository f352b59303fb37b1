package io.margay.app.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.agreement.nginx.CacheMember;
import io.margay.app.agreement.nginx.CacheMember.Reply;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.protocol.http.HttpDate;
import io.margay.testkit.Eventually;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What mod_cache keeps, Margay keeps from the same file: each sequence of requests is asked in
/// both, and what the cache says, and how often the member was asked, is the same.
@Timeout(300)
final class HttpdCacheIT {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final long SHORT_NANOS = Duration.ofMillis(2_100).toNanos();

    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authz_core",
                    "headers",
                    "cache",
                    "cache_socache",
                    "socache_shmcb",
                    "proxy",
                    "proxy_http");

    private static final String CONFIG =
            """
            Listen 127.0.0.1:@PORT@
            ServerName a.example
            RequestHeader set X-Front @FRONT@
            CacheSocache shmcb:@DIR@/socache(512000)
            CacheEnable socache /
            CacheDisable /private
            CacheHeader On
            <Location /any>
              CacheEnable socache
              CacheIgnoreNoLastMod On
            </Location>
            <Location /fails>
              CacheEnable socache
              CacheStaleOnError Off
            </Location>
            ProxyPass / http://127.0.0.1:@MEMBER@/
            <VirtualHost *:@PORT@>
              ServerName a.example
            </VirtualHost>
            <VirtualHost *:@PORT@>
              ServerName b.example
              CacheIgnoreQueryString On
              CacheIgnoreCacheControl On
              CacheIgnoreHeaders Set-Cookie
            </VirtualHost>
            """;

    private static Path folder;
    private static CacheMember member;
    private static HttpdProcess httpd;
    private static MargayServer margay;
    private static int theirs;
    private static int ours;

    @BeforeAll
    static void start() throws IOException {
        folder = Files.createTempDirectory("margay-httpd-cache");
        member = new CacheMember();
        theirs = FreePort.next();
        ours = FreePort.next();
        Path home = Files.createDirectories(folder.resolve("httpd"));
        httpd = HttpdProcess.startSingle(home, MODULES, text("httpd", theirs), theirs);
        Path file = Files.writeString(folder.resolve("margay.conf"), text("margay", ours));
        GatewayPlan plan = GatewayFiles.read(List.of(file), Map.of());
        assertEquals(List.of(), plan.failures());
        margay = PlanServer.start(plan, folder.resolve("work"));
    }

    private static String text(String front, int port) {
        return CONFIG.replace("@DIR@", folder.toString())
                .replace("@FRONT@", front)
                .replace("@MEMBER@", Integer.toString(member.port()))
                .replace("@PORT@", Integer.toString(port));
    }

    @AfterAll
    static void stop() throws IOException {
        margay.close();
        httpd.close();
        member.close();
        Folders.delete(folder);
    }

    private static String ask(int port, String step) throws IOException {
        String[] words = step.split(" ", 3);
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at).timeout(TIMEOUT_MILLIS)) {
            client.send(
                    words[0]
                            + " "
                            + words[1].substring(1)
                            + " HTTP/1.1\r\nHost: "
                            + words[1].charAt(0)
                            + ".example\r\nConnection: close\r\n"
                            + (words.length > 2 ? words[2] + "\r\n" : "")
                            + "\r\n");
            RawHttpClient.Response response = client.response(words[0].equals("HEAD"));
            String said = String.valueOf(response.field("X-Cache")).replaceFirst(" from .*", "");
            String content = new String(response.body(), StandardCharsets.ISO_8859_1).strip();
            return step
                    + " -> "
                    + response.status()
                    + " "
                    + said
                    + " "
                    + response.field("Set-Cookie")
                    + (response.status() < 500 ? " " + content : "");
        }
    }

    private static List<String> both(String... steps) throws IOException {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (String step : steps) {
            if (step.equals("wait")) {
                long begin = System.nanoTime();
                Eventually.holds(
                        "time passes",
                        Duration.ofMillis(TIMEOUT_MILLIS),
                        () -> System.nanoTime() - begin > SHORT_NANOS);
            } else {
                expected.add(ask(theirs, step));
                found.add(ask(ours, step));
            }
        }
        assertEquals(String.join("\n", expected), String.join("\n", found));
        return expected;
    }

    private static void has(List<String> found, String... words) {
        for (int i = 0; i < words.length; i++) {
            assertTrue(found.get(i).contains(" " + words[i] + " "), found::toString);
        }
    }

    private static String daysAgo(int days) {
        return HttpDate.format(Instant.now().minus(Duration.ofDays(days)).getEpochSecond());
    }

    @Test
    void responses_decideThemselves() throws IOException {
        member.at("/age", Reply.of(200, "Cache-Control: max-age=60"));
        member.at("/old", Reply.of(200, "Last-Modified: " + daysAgo(2)));
        member.at("/private", Reply.of(200, "Cache-Control: max-age=60"));
        member.at("/own", Reply.of(200, "Cache-Control: max-age=60, private"));
        member.at("/never", Reply.of(200, "Cache-Control: no-store"));
        member.at("/plain", Reply.of(200));
        has(
                both("GET a/age", "GET a/age", "GET a/age?q", "GET a/old", "GET a/old"),
                "MISS",
                "HIT",
                "MISS",
                "MISS",
                "HIT");
        for (String one : List.of("/own", "/never", "/plain")) {
            List<String> found = both("GET a" + one, "GET a" + one);
            assertTrue(found.getLast().endsWith("GET 2"), found::toString);
        }
        for (int port : List.of(theirs, ours)) {
            String _ = ask(port, "GET a/private");
            assertTrue(ask(port, "GET a/private").endsWith("GET 2"));
        }
    }

    @Test
    void serversAndSections_sayMore() throws IOException {
        member.at("/b", Reply.of(200, "Cache-Control: max-age=60", "Set-Cookie: a=b"));
        has(
                both(
                        "GET b/b",
                        "GET b/b?x",
                        "GET b/b Cache-Control: no-cache",
                        "GET b/b?y Pragma: no-cache"),
                "MISS",
                "HIT",
                "HIT",
                "HIT");
        has(both("GET a/any/a", "GET a/any/a"), "MISS", "HIT");
    }

    @Test
    void failures_getWhatIsStale_unlessTheyMustNot() throws IOException {
        for (String in : List.of("/stands", "/fails")) {
            member.at(in + "/a", Reply.of(200, "Cache-Control: max-age=1"), Reply.of(500));
        }
        both("GET a/stands/a", "GET a/fails/a", "wait");
        for (int port : List.of(theirs, ours)) {
            String stands = ask(port, "GET a/stands/a");
            assertTrue(stands.endsWith("GET 1"), stands);
            String fails = ask(port, "GET a/fails/a");
            assertTrue(fails.contains(" 500 "), fails);
        }
    }
}
