package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an open page of the console costs the server, and how soon it is there: `make
/// console-cost`. A server of fifty hosts, two hundred routes and forty members answers a few
/// requests a second all the while, so that numbers change.
final class ConsoleCostSoak {
    private static final int SECONDS = Integer.getInteger("margay.console.seconds", 10);
    private static final int ROUNDS = 3;
    private static final int HOSTS = 50;
    private static final double SHARE_MAX = 0.005;

    /// Of a processor, while no page is open.
    private static final double RESTS = 0.02;

    private static final int WAITS_MAX = 12;

    private static final int LOAD_MILLIS_MAX = 1_000;
    private static final int LOADS = 9;

    private static final List<String> PAGES =
            List.of("overview", "map", "requests", "upstreams", "guards");

    private static final int WARM = 400;

    private static final List<String> PARTS =
            List.of(
                    "server",
                    "listeners",
                    "hosts",
                    "applications",
                    "upstreams",
                    "meters",
                    "requests?most=50",
                    "hour?by=listener",
                    "hour/members");

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> lines = new ArrayList<>();
    @TempDir Path folder;

    private int configured() throws IOException {
        int admin = FreePort.next();
        Files.createDirectories(folder.resolve("webapps/shop/WEB-INF"));
        Files.writeString(folder.resolve("webapps/shop/index.jsp"), "<%= 6 * 7 %>");
        StringBuilder hosts = new StringBuilder();
        StringBuilder upstreams = new StringBuilder();
        for (int i = 0; i < HOSTS; i++) {
            hosts.append("  - {name: h").append(i).append(".test, routes: {");
            for (int j = 0; j < 4; j++) {
                hosts.append("/r").append(j).append(": {gateway: u").append(i % 10).append("}, ");
            }
            hosts.append("}}\n");
        }
        for (int i = 0; i < 10; i++) {
            upstreams.append("  u").append(i).append(":\n    members:\n");
            for (int j = 0; j < 4; j++) {
                upstreams.append("      - {url: \"http://127.0.0.1:").append(FreePort.next());
                upstreams.append("\", name: m").append(j).append("}\n");
            }
        }
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:%d
                hosts:
                  - {webapps: webapps}
                %supstreams:
                %s
                """
                        .formatted(admin, hosts, upstreams));
        return admin;
    }

    @Test
    void openPage_costsLittle_andIsThereSoon() throws Exception {
        int admin = configured();
        try (client;
                ServerProcess server = ServerProcess.margay(folder, "run", "margay.yaml");
                Chromium chromium = Chromium.start(folder)) {
            URI shop = URI.create("http://127.0.0.1:" + server.awaitMargay() + "/shop/");
            String console = "http://127.0.0.1:" + admin + "/";
            Chromium.Tab tab = chromium.open("about:blank");
            double first = load(tab, console);
            say("first load of a started server: %.0f ms".formatted(first));
            warm(console + "api/");
            List<String> dear = new ArrayList<>();
            List<Double> loads = new ArrayList<>();
            for (int i = 0; i < LOADS; i++) {
                loads.add(load(tab, console));
            }
            loads.sort(null);
            double median = loads.get(LOADS / 2);
            say("load again: %.0f ms".formatted(median));
            if (median > LOAD_MILLIS_MAX) {
                dear.add("load");
            }
            int waits = 0;
            while (watched(tab, "about:blank", server, shop) > RESTS * SECONDS) {
                waits++; // compilers still work
                assertTrue(waits < WAITS_MAX, "the server does not rest");
            }
            for (String page : PAGES) {
                List<Double> shares = new ArrayList<>();
                for (int i = 0; i < ROUNDS; i++) {
                    double without = watched(tab, "about:blank", server, shop);
                    double with = watched(tab, console + "#" + page, server, shop);
                    shares.add((with - without) / SECONDS);
                }
                shares.sort(null);
                double share = shares.get(ROUNDS / 2);
                say("%s: %.2f %% of a processor".formatted(page, 100 * share));
                if (share > SHARE_MAX) {
                    dear.add(page);
                }
            }
            assertTrue(dear.isEmpty(), () -> dear + " of " + lines);
        }
    }

    /// Milliseconds until the overview is drawn.
    private static double load(Chromium.Tab tab, String console) throws Exception {
        navigate(tab, console + "#overview");
        tab.await("document.querySelectorAll('.plot canvas').length === 4");
        double millis = Double.parseDouble(tab.evaluate("performance.now()"));
        navigate(tab, "about:blank");
        return millis;
    }

    /// The JVM compiles what is used.
    private void warm(String api) throws Exception {
        for (int i = 0; i < WARM; i++) {
            for (String part : PARTS) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(api + part)).build();
                HttpResponse<Void> _ = client.send(request, HttpResponse.BodyHandlers.discarding());
            }
        }
    }

    private void say(String line) throws IOException {
        lines.add(line);
        Files.write(Path.of("target", "console-cost.txt"), lines);
    }

    private static void navigate(Chromium.Tab tab, String url) throws InterruptedException {
        tab.go(url);
        tab.await("location.href === '" + url + "' && document.readyState === 'complete'");
    }

    /// Processor seconds of the server while the page is open.
    private double watched(Chromium.Tab tab, String url, ServerProcess server, URI shop)
            throws Exception {
        navigate(tab, url);
        double before = GrowthServers.cpuSeconds(server);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        HttpRequest request = HttpRequest.newBuilder(shop).timeout(Duration.ofMinutes(1)).build();
        while (System.nanoTime() - end < 0) {
            HttpResponse<Void> _ = client.send(request, HttpResponse.BodyHandlers.discarding());
            LockSupport.parkNanos(200_000_000L);
        }
        return GrowthServers.cpuSeconds(server) - before;
    }
}
