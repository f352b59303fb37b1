package io.margay.app.agreement.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.agreement.nginx.CacheMember.Reply;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Eventually;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What nginx keeps, Margay keeps from the same file: each sequence of requests is asked in both,
/// and what the cache did, which response came and how often the member was asked is the same.
@Timeout(300)
final class NginxCacheIT {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final long SHORT_NANOS = Duration.ofMillis(2_100).toNanos();

    private static final String CONFIG =
            """
              proxy_cache_path @DIR@/@FRONT@ levels=1:2 keys_zone=z:1m max_size=8m inactive=10m;
              map $http_x_private $private { default 0; yes 1; }
              proxy_set_header X-Front @FRONT@;
              add_header X-Cache $upstream_cache_status always;
              proxy_cache_valid 200 404 1m;
              proxy_cache_valid 302 0;
              server {
                listen 127.0.0.1:@PORT@;
                location / { proxy_cache z; proxy_pass http://@MEMBER@; }
                location /off/ { proxy_cache off; proxy_pass http://@MEMBER@; }
                location /said/ {
                  proxy_cache z; proxy_cache_valid 599 1m; proxy_pass http://@MEMBER@;
                }
                location /any/ {
                  proxy_cache z; proxy_cache_valid any 1m; proxy_pass http://@MEMBER@;
                }
                location /key/ {
                  proxy_cache z; proxy_cache_key $scheme$host$uri$cookie_user;
                  proxy_pass http://@MEMBER@;
                }
                location /bypass/ {
                  proxy_cache z; proxy_cache_bypass $cookie_fresh $arg_fresh $private;
                  proxy_no_cache $http_x_no; proxy_pass http://@MEMBER@;
                }
                location /uses/ {
                  proxy_cache z; proxy_cache_min_uses 3; proxy_pass http://@MEMBER@;
                }
                location /ignore/ {
                  proxy_cache z; proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;
                  proxy_hide_header Set-Cookie; proxy_pass http://@MEMBER@;
                }
                location /expires/ {
                  proxy_cache z; expires 1d; add_header Cache-Control private;
                  proxy_pass http://@MEMBER@;
                }
                location /stale/ {
                  proxy_cache z; proxy_cache_valid 200 1s;
                  proxy_cache_use_stale error http_500 http_404; proxy_pass http://@MEMBER@;
                }
                location /strict/ {
                  proxy_cache z; proxy_cache_valid 200 1s; proxy_pass http://@MEMBER@;
                }
                location /again/ {
                  proxy_cache z; proxy_cache_valid 200 1s; proxy_cache_revalidate on;
                  proxy_pass http://@MEMBER@;
                }
                location /back/ {
                  proxy_cache z; proxy_cache_valid 200 1s; proxy_cache_use_stale updating;
                  proxy_cache_background_update on; proxy_pass http://@MEMBER@;
                }
              }
            """;

    private static Path folder;
    private static CacheMember member;
    private static NginxProcess nginx;
    private static MargayServer margay;
    private static int theirs;
    private static int ours;

    @BeforeAll
    static void start() throws IOException {
        folder = Files.createTempDirectory("margay-nginx-cache");
        member = new CacheMember();
        theirs = FreePort.next();
        ours = FreePort.next();
        nginx = NginxProcess.start(write("nginx", theirs), theirs, TIMEOUT_MILLIS);
        GatewayPlan plan = FrontEndFiles.read(List.of(write("margay", ours)), Map.of());
        assertEquals(List.of(), plan.failures());
        margay = PlanServer.start(plan, folder.resolve("work"));
    }

    @AfterAll
    static void stop() throws IOException {
        margay.close();
        nginx.close();
        member.close();
        Folders.delete(folder);
    }

    private static Path write(String front, int port) throws IOException {
        return Files.writeString(
                folder.resolve(front + ".conf"),
                NginxProcess.configuration(folder, CONFIG)
                        .replace("@DIR@", folder.toString())
                        .replace("@FRONT@", front)
                        .replace("@MEMBER@", "127.0.0.1:" + member.port())
                        .replace("@PORT@", Integer.toString(port)));
    }

    /// Status, what the cache did, and the content.
    private static String ask(int port, String step) throws IOException {
        String[] words = step.split(" ", 3);
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at).timeout(TIMEOUT_MILLIS)) {
            client.send(
                    words[0]
                            + " "
                            + words[1]
                            + " HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n"
                            + (words.length > 2 ? words[2] + "\r\n" : "")
                            + "\r\n");
            RawHttpClient.Response response = client.response(words[0].equals("HEAD"));
            String content = new String(response.body(), StandardCharsets.ISO_8859_1).strip();
            return step
                    + " -> "
                    + response.status()
                    + " "
                    + response.field("X-Cache")
                    + (response.status() < 500 ? " " + content : "");
        }
    }

    /// Asks both, step by step; the step `wait` lets what is kept for a second become stale.
    private static List<String> both(String... steps) throws IOException {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (String step : steps) {
            if (step.equals("wait")) {
                pass(System.nanoTime(), SHORT_NANOS);
            } else {
                expected.add(ask(theirs, step));
                found.add(ask(ours, step));
            }
        }
        assertEquals(String.join("\n", expected), String.join("\n", found));
        return expected;
    }

    private static void pass(long begin, long nanos) {
        Eventually.holds(
                "time passes",
                Duration.ofMillis(TIMEOUT_MILLIS),
                () -> System.nanoTime() - begin > nanos);
    }

    private static void has(List<String> found, String... uses) {
        for (int i = 0; i < uses.length; i++) {
            assertTrue((found.get(i) + " ").contains(" " + uses[i] + " "), found::toString);
        }
    }

    @Test
    void statuses_areKeptForTheirTimes() throws IOException {
        member.at("/missing", Reply.of(404));
        member.at("/moved", Reply.of(302, "Location: /x"));
        member.at("/gone", Reply.of(410));
        List<String> found = both("GET /a", "GET /a", "GET /a?x", "GET /missing", "GET /missing");
        has(found, "MISS", "HIT", "MISS", "MISS", "HIT");
        has(both("GET /moved", "GET /moved", "GET /gone", "GET /gone"), "MISS", "MISS");
        member.at("/any/gone", Reply.of(410));
        member.at("/any/fault", Reply.of(400));
        has(
                both("GET /any/gone", "GET /any/gone", "GET /any/fault", "GET /any/fault"),
                "MISS",
                "HIT");
        both("GET /off/a", "GET /off/a");
    }

    @Test
    void responses_decideThemselves() throws IOException {
        member.at("/said/age", Reply.of(200, "Cache-Control: max-age=60"));
        member.at("/said/shared", Reply.of(200, "Cache-Control: max-age=0, s-maxage=60"));
        member.at("/said/private", Reply.of(200, "Cache-Control: private, max-age=60"));
        member.at("/said/never", Reply.of(200, "Cache-Control: no-store"));
        member.at("/said/validated", Reply.of(200, "Cache-Control: no-cache", "ETag: \"a\""));
        member.at("/said/tagged", Reply.of(200, "ETag: \"a\""));
        member.at("/said/expired", Reply.of(200, "Expires: Thu, 01 Jan 1970 00:00:01 GMT"));
        member.at("/said/expires", Reply.of(200, "Expires: Thu, 31 Dec 2037 23:55:55 GMT"));
        member.at("/said/accel", Reply.of(200, "Cache-Control: private", "X-Accel-Expires: 60"));
        member.at(
                "/said/accel-off",
                Reply.of(200, "Cache-Control: max-age=60", "X-Accel-Expires: 0"));
        member.at("/said/accel-at", Reply.of(200, "X-Accel-Expires: @4102444800"));
        member.at("/said/cookie", Reply.of(200, "Cache-Control: max-age=60", "Set-Cookie: a=b"));
        member.at("/said/vary", Reply.of(200, "Cache-Control: max-age=60", "Vary: X-A"));
        member.at("/said/star", Reply.of(200, "Cache-Control: max-age=60", "Vary: *"));
        member.at("/said/fault", Reply.of(500, "Cache-Control: max-age=60"));
        for (String one :
                ("age shared private never validated tagged expired expires accel accel-off"
                                + " accel-at cookie star fault")
                        .split(" ")) {
            both("GET /said/" + one, "GET /said/" + one);
        }
        has(both("GET /said/age", "GET /said/accel", "GET /said/accel-at"), "HIT", "HIT", "HIT");
        both(
                "GET /said/vary X-A: 1",
                "GET /said/vary X-A: 2",
                "GET /said/vary X-A: 1",
                "GET /said/vary X-A: 2",
                "GET /said/vary");
    }

    @Test
    void clients_haveNoSay() throws IOException {
        List<String> found =
                both(
                        "GET /c",
                        "GET /c Cache-Control: no-cache",
                        "GET /c Cache-Control: max-age=0",
                        "GET /c Pragma: no-cache",
                        "GET /c Cache-Control: only-if-cached",
                        "GET /c Cookie: session=1",
                        "GET /d Cache-Control: no-store",
                        "GET /d",
                        "GET /e Cookie: session=1",
                        "GET /e",
                        "GET /f Cache-Control: only-if-cached");
        has(found, "MISS", "HIT", "HIT", "HIT", "HIT", "HIT", "MISS", "HIT", "MISS", "HIT");
    }

    @Test
    void partsAndConditions_ofWhatIsKept() throws IOException {
        member.at(
                "/g",
                Reply.of(
                        200,
                        "ETag: \"g\"",
                        "Accept-Ranges: bytes",
                        "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"));
        both(
                "GET /g",
                "GET /g Range: bytes=0-1",
                "GET /g If-None-Match: \"g\"",
                "GET /g If-None-Match: \"h\"",
                "GET /g If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                "HEAD /g");
    }

    @Test
    void keys_haveWhatTheySay() throws IOException {
        List<String> found =
                both(
                        "GET /key/a",
                        "GET /key/a?other",
                        "GET /key/a Cookie: user=ada",
                        "GET /key/a Cookie: user=bob",
                        "GET /key/a Cookie: user=ada",
                        "GET /key/b",
                        "GET /key/a");
        has(found, "MISS", "HIT", "MISS", "MISS", "HIT", "MISS", "HIT");
    }

    @Test
    void requestsMayPassBy_andKeepNothing() throws IOException {
        List<String> found =
                both(
                        "GET /bypass/a",
                        "GET /bypass/a",
                        "GET /bypass/a Cookie: fresh=1",
                        "GET /bypass/a",
                        "GET /bypass/a Cookie: fresh=0",
                        "GET /bypass/a X-Private: yes",
                        "GET /bypass/b?fresh=1 X-No: 1",
                        "GET /bypass/c X-No: 1",
                        "GET /bypass/c",
                        "GET /bypass/c X-No: 1");
        has(
                found, "MISS", "HIT", "BYPASS", "HIT", "HIT", "BYPASS", "BYPASS", "MISS", "MISS",
                "HIT");
    }

    @Test
    void whatIsAskedForSeldom_isNotKept() throws IOException {
        String ask = "GET /uses/a";
        has(both(ask, ask, ask, ask, ask), "MISS", "MISS", "MISS", "HIT", "HIT");
    }

    @Test
    void ignoredFields_doNotCount() throws IOException {
        member.at("/ignore/private", Reply.of(200, "Cache-Control: private", "Vary: *"));
        member.at("/ignore/cookie", Reply.of(200, "Set-Cookie: a=b"));
        member.at("/ignore/age", Reply.of(410, "Cache-Control: max-age=60"));
        for (String one : List.of("private", "cookie", "age")) {
            both("GET /ignore/" + one, "GET /ignore/" + one);
        }
        has(both("GET /ignore/private", "GET /ignore/cookie"), "HIT", "HIT");
    }

    @Test
    void whatTheServerAdds_doesNotCount() throws IOException {
        has(both("GET /expires/a", "GET /expires/a"), "null", "null");
        member.at("/expires/b", Reply.of(200, "Cache-Control: no-store"));
        both("GET /expires/b", "GET /expires/b");
    }

    @Test
    void staleResponses_areGivenWhereTheyMay() throws IOException {
        for (String in : List.of("/stale/", "/strict/")) {
            member.at(in + "a", Reply.of(200), Reply.of(500), Reply.of(200));
            member.at(in + "b", Reply.of(200), Reply.of(503));
            member.at(in + "c", Reply.of(200), Reply.of(0), Reply.of(0), Reply.of(0));
            member.at(in + "d", Reply.of(200), Reply.of(404));
            member.at(
                    in + "e",
                    Reply.of(200, "Cache-Control: max-age=1, stale-if-error=60"),
                    Reply.of(503));
        }
        List<String> found = new ArrayList<>();
        for (String in : List.of("/stale/", "/strict/")) {
            both(
                    "GET " + in + "a",
                    "GET " + in + "b",
                    "GET " + in + "c",
                    "GET " + in + "d",
                    "GET " + in + "e");
        }
        both("wait");
        for (String in : List.of("/stale/", "/strict/")) {
            found.addAll(both("GET " + in + "a", "GET " + in + "c", "GET " + in + "d"));
            both("GET " + in + "b", "GET " + in + "a", "GET " + in + "e");
        }
        has(found, "STALE", "STALE", "STALE", "EXPIRED", "EXPIRED", "EXPIRED");
    }

    @Test
    void staleResponses_areValidated() throws IOException {
        member.at(
                "/again/a",
                Reply.of(200, "ETag: \"a\"", "Cache-Control: max-age=1"),
                Reply.of(200, "ETag: \"a\"", "Cache-Control: max-age=600"));
        List<String> found =
                both("GET /again/a", "wait", "GET /again/a", "GET /again/a", "GET /again/a");
        has(found, "MISS", "REVALIDATED", "HIT");
    }

    /// Asked for again before a second is over; where the machine was too slow, once more.
    @Test
    void aSecond_lastsForOneToTwo() throws IOException {
        for (int port : List.of(theirs, ours)) {
            String again = "";
            long took = Long.MAX_VALUE;
            for (int i = 0; i < 20 && took >= Duration.ofSeconds(1).toNanos(); i++) {
                String step = "GET /strict/s" + i;
                long begin = System.nanoTime();
                String _ = ask(port, step);
                pass(begin, Duration.ofMillis(800).toNanos());
                again = ask(port, step);
                took = System.nanoTime() - begin;
            }
            assertTrue(again.contains(" HIT "), again);
        }
    }

    @Test
    void staleResponses_areFetchedMeanwhile() throws IOException {
        List<String> found = both("GET /back/a", "wait", "GET /back/a");
        has(found, "MISS", "STALE");
        for (int port : List.of(theirs, ours)) {
            Eventually.holds(
                    "a new one is kept",
                    Duration.ofMillis(TIMEOUT_MILLIS),
                    () -> {
                        try {
                            return !ask(port, "GET /back/a").contains("GET 1");
                        } catch (IOException e) {
                            return false;
                        }
                    });
        }
    }
}
