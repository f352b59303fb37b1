package io.margay.app.it;

import static io.margay.app.it.GrowthServers.cost;
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
import java.util.Map;
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
        report("| server | start with " + HOSTS + " hosts | after the reload of one |");
        report("|---|---|---|");
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
        Map<String, String> environment = Map.of("MARGAY_JAVA_OPTS", "-Xmx1g");
        try (ServerProcess server =
                ServerProcess.margay(folder, environment, "run", "margay.yaml")) {
            Eventually.holds("it serves", PATIENCE, () -> isServed(port, LAST));
            String start = cost(server);
            Files.writeString(file, text.replace("name: h0.", "name: changed."));
            server.signal("HUP");
            Eventually.holds("it reloads", PATIENCE, () -> isServed(port, "changed.example"));
            report("| Margay | %s | %s |".formatted(start, cost(server)));
        }
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
            report("| nginx | %s | |".formatted(cost(server)));
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
