package io.margay.app.it;

import static io.margay.app.it.GrowthServers.cost;
import static io.margay.app.it.GrowthServers.cpuSeconds;
import static io.margay.app.it.GrowthServers.has;
import static io.margay.app.it.GrowthServers.report;

import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a start with thousands of hosts costs Margay and nginx, in turn, and what a reload costs
/// Margay after one of them has changed. `make scale`; rows of `docs/measurements/growth.md`.
final class ManyHostsSoak {
    private static final int HOSTS = Integer.getInteger("margay.growth.hosts", 10_000);
    private static final int ROUNDS = Integer.getInteger("margay.growth.rounds", 3);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String LAST = "h" + (HOSTS - 1) + ".example";

    @TempDir Path folder;

    @Test
    void hosts() throws Exception {
        for (int i = 0; i < HOSTS; i++) { // one folder for each host, as hosts have
            Path own = Files.createDirectories(folder.resolve("www/" + i));
            Files.writeString(own.resolve("index.html"), "served");
        }
        report("| server | start with " + HOSTS + " hosts | first reload of one | the next |");
        report("|---|---|---|---|");
        for (int round = 0; round < ROUNDS; round++) {
            margay();
            if (has("nginx")) {
                nginx();
            }
        }
        report("");
    }

    private void margay() throws Exception {
        int port = FreePort.next();
        String hosts =
                IntStream.range(0, HOSTS)
                        .mapToObj(
                                "  - {name: h%1$d.example, routes: {/: {files: www/%1$d}}}\n"
                                        ::formatted)
                        .collect(Collectors.joining());
        String text = "work: work\nlisteners: [{http: 127.0.0.1:" + port + "}]\nhosts:\n" + hosts;
        Path file = Files.writeString(folder.resolve("margay.yaml"), text);
        try (ServerProcess server = ServerProcess.margay(folder, "run", "margay.yaml")) {
            Eventually.holds("it serves", PATIENCE, () -> isServed(port, LAST));
            String start = cost(server);
            GrowthServers.requireCache(server);
            String first = reload(server, port, file, text, "changed.");
            String next = reload(server, port, file, text, "again.");
            report("| Margay | %s | %s | %s |".formatted(start, first, next));
        }
    }

    /// Changes one host; what has been used for it.
    private static String reload(
            ServerProcess server, int port, Path file, String text, String name) throws Exception {
        awaitIdle(server); // Whatever follows a start or a reload is over.
        double before = cpuSeconds(server);
        Files.writeString(file, text.replace("name: h0.", "name: " + name));
        server.signal("HUP");
        Eventually.holds("it reloads", PATIENCE, () -> isServed(port, name + "example"));
        return "%.2f CPU-s".formatted(cpuSeconds(server) - before);
    }

    private static void awaitIdle(ServerProcess server) {
        Eventually.holds(
                "it rests",
                PATIENCE,
                () -> {
                    double before = cpuSeconds(server);
                    LockSupport.parkNanos(500_000_000L);
                    return cpuSeconds(server) - before < 0.02;
                });
    }

    private void nginx() throws Exception {
        int port = FreePort.next();
        String servers =
                IntStream.range(0, HOSTS)
                        .mapToObj(i ->
                                ("server { listen 127.0.0.1:%1$d; server_name h%2$d.example;"
                                                + " location / { root %3$s/www/%2$d; } }\n")
                                        .formatted(port, i, folder))
                        .collect(Collectors.joining());
        String head = "server_names_hash_max_size 1048576; server_names_hash_bucket_size 128;\n";
        try (ServerProcess server = new GrowthServers(folder).nginx(head + servers)) {
            Eventually.holds("it serves", PATIENCE, () -> isServed(port, LAST));
            report("| nginx | %s | | |".formatted(cost(server)));
        }
    }

    private static boolean isServed(int port, String host) {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            client.send("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            return client.line().contains(" 200 ");
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
