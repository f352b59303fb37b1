package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Wars;
import io.margay.app.it.OpenLoad.Answer;
import io.margay.app.it.OpenLoad.Seen;
import io.margay.app.sample.BurnServlet;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Traffic with processes in place of simulations; what was seen stands in `target/traffic.md`
/// (`make traffic`): balancing beside nginx and HAProxy, a route that is mirrored beside one that
/// is not, and a library site with crawlers.
final class TrafficSoak {
    private static final double SECONDS = Double.parseDouble(System.getProperty("seconds", "9"));
    private static final int MEMBERS = 10;
    private static final double LOAD = 0.6;
    private static final String GET = "GET %s HTTP/1.1\r\nHost: a.example\r\n%s\r\n";

    @TempDir Path folder;

    private static void write(String text) throws IOException {
        Path file = Path.of("target", "traffic.md");
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }

    // Balancing

    @Test
    void balancing_besideNginxAndHaproxy() throws Exception {
        try (SlowMembers members = new SlowMembers(MEMBERS)) {
            Map<String, Integer> fronts = new LinkedHashMap<>();
            List<ServerProcess> running = new ArrayList<>();
            try {
                for (String method : List.of("least-time", "two-choices", "requests")) {
                    fronts.put("Margay, `" + method + "`", margay(method, members, running));
                }
                for (String method : List.of("", "least_conn;", "random two least_conn;")) {
                    String name = method.isEmpty() ? "in turn" : "`" + method + "`";
                    fronts.put("nginx, " + name, nginx(method, members, running));
                }
                for (String method : List.of("leastconn", "random(2)")) {
                    fronts.put("HAProxy, `" + method + "`", haproxy(method, members, running));
                }
                write(table(fronts, members));
            } finally {
                running.forEach(ServerProcess::endAll);
            }
        }
    }

    private static String table(Map<String, Integer> fronts, SlowMembers members) {
        StringBuilder table = new StringBuilder("\n| members |");
        fronts.keySet().forEach(front -> table.append(' ').append(front).append(" |"));
        table.append("\n|---|").append("---|".repeat(fronts.size()));
        double rate = LOAD * MEMBERS * SlowMembers.WORKERS * 1_000 / SlowMembers.WORK_MILLIS;
        for (SlowMembers.Kind kind : SlowMembers.Kind.values()) {
            table.append("\n| ").append(kind.says).append(" |");
            for (int port : fronts.values()) {
                try (OpenLoad load = new OpenLoad(port, new SplittableRandom(1))) {
                    members.begin(SlowMembers.Kind.EVEN, 1);
                    List<Answer> _ = load.run(rate, 1, 1, _ -> format(GET, "/", ""));
                    members.begin(kind, SECONDS);
                    Seen seen = Seen.of(load.run(rate, SECONDS, 1, _ -> format(GET, "/", "")));
                    table.append(format(" %.2f; %.0f |", 100 * seen.good(), seen.p99()));
                }
            }
        }
        return table.append('\n').toString();
    }

    private static String each(SlowMembers members, String text, String between) {
        AtomicInteger number = new AtomicInteger();
        return members.ports().stream()
                .map(port -> text.formatted(port, number.incrementAndGet()))
                .collect(Collectors.joining(between));
    }

    private int margay(String method, SlowMembers members, List<ServerProcess> running)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve(method));
        Files.writeString(
                home.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {gateway: up}}}]
                upstreams: {up: {balance: %s, members: [%s]}}
                work: work
                """
                        .formatted(method, each(members, "{url: \"http://127.0.0.1:%d\"}", ", ")));
        ServerProcess server = ServerProcess.margay(home, "run", "margay.yaml");
        running.add(server);
        return server.awaitMargay();
    }

    private int nginx(String method, SlowMembers members, List<ServerProcess> running)
            throws IOException {
        return nginx(
                "upstream up { %s %s keepalive 64; }"
                        .formatted(method, each(members, "server 127.0.0.1:%d;", " ")),
                """
                location / {
                  proxy_pass http://up; proxy_http_version 1.1;
                  proxy_set_header Connection "";
                }
                """,
                running);
    }

    /// @param http above its server
    /// @param server what that does
    private int nginx(String http, String server, List<ServerProcess> running) throws IOException {
        int port = FreePort.next();
        Path home = Files.createDirectories(folder.resolve("nginx" + port));
        Path file =
                Files.writeString(
                        home.resolve("nginx.conf"),
                        """
                        daemon off; pid %1$s/pid; error_log %1$s/errors; worker_processes 1;
                        events { worker_connections 4096; }
                        http {
                          access_log off; client_body_temp_path %1$s/1; proxy_temp_path %1$s/2;
                          fastcgi_temp_path %1$s/3; uwsgi_temp_path %1$s/4; scgi_temp_path %1$s/5;
                          %2$s
                          server { listen 127.0.0.1:%3$d; keepalive_requests 1000000; %4$s }
                        }
                        """
                                .formatted(home, http, port, server));
        running.add(ServerProcess.other(home, Program.of("nginx"), "-c", file.toString()));
        running.getLast().awaitPort(port);
        return port;
    }

    private int haproxy(String method, SlowMembers members, List<ServerProcess> running)
            throws IOException {
        int port = FreePort.next();
        Path file =
                Files.writeString(
                        folder.resolve("haproxy" + port + ".cfg"),
                        """
                        global
                          maxconn 8000
                          nbthread 1
                        defaults
                          mode http
                          timeout connect 5s
                          timeout client 60s
                          timeout server 60s
                        listen up
                          bind 127.0.0.1:%d
                          balance %s
                          %s
                        """
                                .formatted(
                                        port,
                                        method,
                                        each(members, "server s%2$d 127.0.0.1:%1$d", "\n  ")));
        running.add(
                ServerProcess.other(folder, Program.of("haproxy"), "-db", "-f", file.toString()));
        running.getLast().awaitPort(port);
        return port;
    }

    // A mirror

    private static final int ROUNDS = Integer.getInteger("rounds", 30);
    private static final double MIRROR_RATE = 300;

    /// Times without and with it are taken in turns. Members answer at once, so that what a mirror
    /// costs is not hidden by what members do.
    @Test
    void mirroredRoute_besideOneThatIsNot() throws Exception {
        List<ServerProcess> running = new ArrayList<>();
        try {
            String content = "location / { return 200 content; }";
            int member = nginx("", content, running);
            int copy = nginx("", content + " location = /seen { stub_status; }", running);
            Files.writeString(
                    folder.resolve("margay.yaml"),
                    """
                    listeners: [{http: 127.0.0.1:0}]
                    hosts:
                      - routes:
                          /0: {gateway: "http://127.0.0.1:%1$d"}
                          /1: {gateway: "http://127.0.0.1:%1$d", mirror: {to: copy}}
                    upstreams: {copy: {members: [{url: "http://127.0.0.1:%2$d"}]}}
                    work: work
                    """
                            .formatted(member, copy));
            running.add(ServerProcess.margay(folder, "run", "margay.yaml"));
            try (OpenLoad load =
                    new OpenLoad(running.getLast().awaitMargay(), new SplittableRandom(1))) {
                List<Answer> _ =
                        load.run(MIRROR_RATE, SECONDS, 2, kind -> format(GET, "/" + kind, ""));
                long before = requests(copy);
                int asked = mirrored(load);
                double copied = (double) (requests(copy) - before) / asked;
                assertTrue(copied > 0.99, copied + " of all requests were copied");
            }
        } finally {
            running.forEach(ServerProcess::endAll);
        }
    }

    /// How many requests an nginx has had, this one included.
    private static long requests(int port) throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            String[] words = client.get("/seen").text().strip().split("\\s+");
            return Long.parseLong(words[9]);
        }
    }

    /// @return requests that were to be copied
    private static int mirrored(OpenLoad load) throws IOException {
        List<List<Answer>> all = List.of(new ArrayList<>(), new ArrayList<>());
        double[] ratios = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            double[] p99 = new double[2];
            for (int k = 0; k < 2; k++) {
                int kind = (i + k) % 2; // neither is always the first
                List<Answer> round =
                        load.run(MIRROR_RATE, SECONDS / 4, 1, _ -> format(GET, "/" + kind, ""));
                all.get(kind).addAll(round);
                p99[kind] = Seen.of(round).p99();
            }
            ratios[i] = p99[1] / p99[0];
        }
        Arrays.sort(ratios);
        write("\n| mirrored | requests | failed | p50, ms | p99, ms |\n|---|---|---|---|---|\n");
        for (int kind = 0; kind < 2; kind++) {
            List<Answer> of = all.get(kind);
            Seen seen = Seen.of(of);
            long failed = of.stream().filter(one -> one.status() != 200).count();
            String name = kind == 0 ? "no" : "yes";
            String row = "| %s | %d | %d | %.3f | %.3f |\n";
            write(format(row, name, seen.count(), failed, seen.p50(), seen.p99()));
            assertEquals(0, failed, "failed, mirrored: " + name);
        }
        write(
                format(
                        "\np99 of a round, ratio (quartiles): %.2f (%.2f to %.2f)\n",
                        ratios[ROUNDS / 2], ratios[ROUNDS / 4], ratios[ROUNDS * 3 / 4]));
        return all.get(1).size();
    }

    // A library

    private static final int CRAWLERS = 50;
    private static final double BURST_SECONDS = 3;
    private static final int VISITORS = 200;

    /// Visitors read pages that a cache may keep, and search now and then, which costs 20 ms of a
    /// processor; crawlers, each with its own address, search as fast as they are answered, ten
    /// times a second at most.
    @Test
    void library_withCrawlers() throws Exception {
        Wars.with("index.html", "home")
                .servlet(BurnServlet.class, "/burn/*")
                .folder(folder.resolve("app"));
        write("\n| library | crawlers | requests | good, % | p50, ms | p99 | pages | searches |\n");
        write("|---|---|---|---|---|---|---|---|\n");
        String shield = "shield: {budget: {cost: 50ms, window: 10s}, challenge: never}";
        String limit = "rate-limits: [{prefix: /burn, concurrent: 2, by: all, queue: 5s}]";
        Map<String, String> hosts = new LinkedHashMap<>();
        hosts.put("without", "");
        hosts.put("with a shield", shield);
        hosts.put("with a shield and two searches at a time", shield + "\n    " + limit);
        for (Map.Entry<String, String> host : hosts.entrySet()) {
            Files.writeString(
                    folder.resolve("margay.yaml"),
                    """
                    listeners: [{http: 127.0.0.1:0, forwarded: {from: [127.0.0.1]}}]
                    hosts:
                      - cache: {stale-if-overloaded: true}
                        %s
                        routes: {/: {app: app}}
                    work: work
                    """
                            .formatted(host.getValue()));
            try (ServerProcess server = ServerProcess.margay(folder, "run", "margay.yaml");
                    OpenLoad load = new OpenLoad(server.awaitMargay(), new SplittableRandom(1))) {
                List<Answer> _ = visitors(load, 5);
                String name = "| " + host.getKey() + " | ";
                report(name + "none", visitors(load, 3 * SECONDS));
                List<Thread> crawlers = crawlers(load.port());
                List<Answer> all = new ArrayList<>(visitors(load, BURST_SECONDS));
                report(name + "50, first 3 s", all);
                all.addAll(visitors(load, 3 * SECONDS - BURST_SECONDS));
                report(name + "50", all);
                for (Thread one : crawlers) {
                    one.interrupt();
                    one.join();
                }
            }
        }
    }

    private static void report(String name, List<Answer> answers) throws IOException {
        Seen seen = Seen.of(answers);
        Map<Boolean, List<Answer>> kinds =
                answers.stream().collect(Collectors.partitioningBy(one -> one.kind() % 20 == 0));
        write(
                format(
                        "%s | %d | %.2f | %.2f | %.1f | %.1f | %.1f |\n",
                        name,
                        seen.count(),
                        100 * seen.good(),
                        seen.p50(),
                        seen.p99(),
                        Seen.of(kinds.get(false)).p99(),
                        Seen.of(kinds.get(true)).p99()));
    }

    /// One of twenty requests searches; each visitor comes as from its own address.
    private static List<Answer> visitors(OpenLoad load, double seconds) {
        return load.run(40, seconds, 20 * VISITORS, kind -> visit(kind % 20, kind / 20));
    }

    private static String visit(int kind, int visitor) {
        String from = "X-Forwarded-For: 10.1.%d.1\r\n".formatted(visitor);
        return format(GET, kind == 0 ? "/burn/20?visitor" : "/index.html", from);
    }

    private static List<Thread> crawlers(int port) {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < CRAWLERS; i++) {
            int number = i;
            all.add(Thread.ofVirtual().start(() -> crawl(port, number)));
        }
        return all;
    }

    private static void crawl(int port, int number) {
        int page = 0;
        while (!Thread.currentThread().isInterrupted()) {
            String from = "X-Forwarded-For: 10.2.%d.1\r\n".formatted(number);
            try (RawHttpClient client =
                    RawHttpClient.connect(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                while (!Thread.currentThread().isInterrupted()) {
                    String target = "/burn/20?crawler" + number + "-" + page++;
                    RawHttpClient.Response _ = client.send(format(GET, target, from)).response();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
            } catch (IOException e) {
                page++;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }
}
