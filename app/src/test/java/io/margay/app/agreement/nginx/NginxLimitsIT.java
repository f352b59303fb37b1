package io.margay.app.agreement.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
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
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many requests nginx takes, Margay takes from the same file: each case is asked in both, the
/// same way. Rates are of one in a minute or less, so that none comes back while a test runs.
final class NginxLimitsIT {
    private static final int TIMEOUT_MILLIS = 20_000;

    private static final String CONFIG =
            """
              map $http_x_key $key { default $http_x_key; none ""; }
              limit_req_zone $binary_remote_addr$uri zone=path:1m rate=1r/m;
              limit_req_zone $key zone=key:1m rate=1r/m;
              limit_req_zone $server_name$arg_s zone=both:1m rate=1r/m;
              limit_req_zone $arg_all zone=all:1m rate=1r/m;
              limit_conn_zone $arg_c zone=held:1m;
              limit_req_status 429;
              server {
                listen 127.0.0.1:@PORT@;
                server_name a.example b.example;
                root @DIR@/www;
                error_page 420 /limited.html;
                location = /limited.html { }
                location / { limit_req zone=path; }
                location /burst { limit_req zone=path burst=3 nodelay; try_files $uri /f.txt; }
                location /part { limit_req zone=path burst=3 delay=3; }
                location /dry { limit_req zone=path; limit_req_dry_run on; }
                location /said { limit_req zone=path; return 200 "said"; }
                location /status { limit_req zone=path; limit_req_status 420; }
                location /key { limit_req zone=key burst=1 nodelay; try_files /f.txt =404; }
                location /both {
                  limit_req zone=all burst=2 nodelay;
                  limit_req zone=both burst=1 nodelay;
                  try_files /f.txt =404;
                }
                location /closed { limit_req zone=path burst=1 nodelay; deny all; }
                location /moved { limit_req zone=path; rewrite ^ /moved/to break; }
                location /held {
                  limit_conn held 1;
                  proxy_pass http://@MEMBER@;
                  location /held/more { limit_conn held 2; proxy_pass http://@MEMBER@; }
                  location /held/dry {
                    limit_conn held 1; limit_conn_dry_run on; proxy_pass http://@MEMBER@;
                  }
                  location /held/rate {
                    limit_req zone=path;
                    limit_req_dry_run on;
                    limit_conn held 1;
                    proxy_pass http://@MEMBER@;
                  }
                  location /held/other {
                    limit_conn held 1; limit_conn_status 509; proxy_pass http://@MEMBER@;
                  }
                }
                location /slow { limit_rate 100k; limit_rate_after 1m; try_files /f.txt =404; }
              }
              server {
                listen 127.0.0.1:@PORT@;
                server_name c.example;
                root @DIR@/www;
                location /key { limit_req zone=key burst=3 nodelay; try_files /f.txt =404; }
                location /held { limit_conn held 1; proxy_pass http://@MEMBER@; }
              }
            """;

    private static Path folder;
    private static EchoMember member;
    private static NginxProcess nginx;
    private static MargayServer margay;
    private static int theirs;
    private static int ours;

    @BeforeAll
    static void start() throws IOException {
        folder = Files.createTempDirectory("margay-nginx-limits");
        member = new EchoMember();
        Path www = Files.createDirectories(folder.resolve("www"));
        Files.writeString(www.resolve("f.txt"), "file\n");
        Files.writeString(www.resolve("index.html"), "index\n");
        Files.writeString(www.resolve("limited.html"), "limited\n");
        theirs = FreePort.next();
        ours = FreePort.next();
        nginx = NginxProcess.start(write("nginx.conf", theirs), theirs, TIMEOUT_MILLIS);
        GatewayPlan plan = FrontEndFiles.read(List.of(write("margay.conf", ours)), Map.of());
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

    private static Path write(String name, int port) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                NginxProcess.configuration(folder, CONFIG)
                        .replace("@DIR@", folder.toString())
                        .replace("@MEMBER@", "127.0.0.1:" + member.port())
                        .replace("@PORT@", Integer.toString(port)));
    }

    private static RawHttpClient client(int port) throws IOException {
        return RawHttpClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .timeout(TIMEOUT_MILLIS);
    }

    private static String head(String target, String key) {
        int slash = target.indexOf('/');
        return " "
                + target.substring(slash)
                + " HTTP/1.1\r\nHost: "
                + target.substring(0, slash)
                + ".example\r\nConnection: close\r\n"
                + (key.isEmpty() ? "" : "X-Key: " + key + "\r\n");
    }

    /// Status, and the content of what is no error.
    private static String ask(int port, String target, String key) throws IOException {
        try (RawHttpClient client = client(port)) {
            client.send("GET" + head(target, key) + "\r\n");
            RawHttpClient.Response response = client.response();
            boolean own = response.status() >= 400 && response.status() != 420;
            return response.status()
                    + " "
                    + response.field("retry-after")
                    + " "
                    + (own ? "" : new String(response.body(), StandardCharsets.ISO_8859_1));
        }
    }

    private static List<String> all(String targets, IntFunction<String> key) throws IOException {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        String[] each = targets.split(" ");
        for (int i = 0; i < each.length; i++) {
            String asked = each[i] + " ";
            expected.add(asked + ask(theirs, each[i], key.apply(i)));
            found.add(asked + ask(ours, each[i], key.apply(i)));
        }
        assertEquals(String.join("\n", expected), String.join("\n", found));
        return found;
    }

    /// @param refused how many of them get no content
    @ParameterizedTest
    @CsvSource({
        "a/f.txt a/f.txt a/f.txt, 2",
        "a/ b/ a/index.html, 1",
        "a/burst/x a/burst/x a/burst/x a/burst/x a/burst/x a/burst/y, 1",
        "a/part a/part a/part a/part a/part, 5",
        "a/dry a/dry, 2",
        "a/said a/said a/said, 0",
        "a/status a/status a/status, 3",
        "a/closed a/closed a/closed, 3",
        "a/moved/1 a/moved/2 a/moved/3, 3",
        "a/both?s=1&all=1 a/both?s=1&all=1 a/both?s=1&all=1 a/both?s=2&all=1 a/both?s=3&all=1, 2",
        "a/slow a/slow, 0",
    })
    void requestsInATime_areTakenAsByNginx(String targets, int refused) throws IOException {
        List<String> found = all(targets, _ -> "");
        assertEquals(refused, found.stream().filter(one -> !one.contains(" 200 ")).count());
    }

    @Test
    void zone_ofTwoServers_countsWithTheBurstOfEach() throws IOException {
        List<String> found =
                all("a/key a/key a/key c/key c/key c/key a/key a/key", i -> i < 6 ? "one" : "two");
        assertEquals(2, found.stream().filter(one -> one.contains(" 429 ")).count());
        assertEquals(
                4,
                all("a/key a/key a/key a/key", _ -> "none").stream()
                        .filter(one -> one.contains(" 200 "))
                        .count());
    }

    @Test
    void requestsInFlight_areTakenAsByNginx() throws IOException {
        String expected = held(theirs);
        assertEquals(expected, held(ours));
        assertFalse(expected.contains("509 null member"), expected);
    }

    /// What is answered while one is in flight whose content has not come.
    private static String held(int port) throws IOException {
        List<String> found = new ArrayList<>();
        try (RawHttpClient client = inFlight(port)) {
            for (String target :
                    List.of(
                            "a/held?c=1",
                            "a/held?c=2",
                            "a/held",
                            "c/held?c=1",
                            "a/held/more?c=1",
                            "a/held/dry?c=1",
                            "a/held/rate?c=1",
                            "a/held/rate?c=1",
                            "a/held/other?c=1")) {
                found.add(target + " " + ask(port, target, ""));
            }
            client.send("x");
            found.add("the first " + client.response().status());
        }
        awaits("none is in flight", () -> ask(port, "a/held?c=1", "").startsWith("200 "));
        return String.join("\n", found).replace(":" + port, ":PORT");
    }

    /// The client of a request that is in flight. One that the server reads only after it has been
    /// asked whether it has is refused, and sent again.
    private static RawHttpClient inFlight(int port) throws IOException {
        AtomicReference<RawHttpClient> sent = new AtomicReference<>(begin(port));
        awaits(
                "a request is in flight",
                () -> {
                    boolean taken = ask(port, "a/held?c=1", "").startsWith("503 ");
                    if (sent.get().socket().getInputStream().available() == 0) {
                        return taken;
                    }
                    sent.get().close();
                    sent.set(begin(port));
                    return false;
                });
        return sent.get();
    }

    private static RawHttpClient begin(int port) throws IOException {
        return client(port).send("POST" + head("a/held?c=1", "") + "Content-Length: 1\r\n\r\n");
    }

    private static void awaits(String what, Callable<Boolean> condition) {
        Eventually.holds(
                what,
                Duration.ofMillis(TIMEOUT_MILLIS),
                () -> {
                    try {
                        return condition.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }
}
