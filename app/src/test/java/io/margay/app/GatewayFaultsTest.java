package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.ConfigFile;
import io.margay.app.sample.OrderServlet;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two servers behind the gateway, real processes, by HTTP and AJP13: killed in turn, then stopped
/// without being killed, while clients go on asking. No idempotent request fails, and no POST runs
/// twice.
///
/// `make faults` does the like at length, with other faults, too (`GatewayFaultsSoak`).
final class GatewayFaultsTest {
    private static final int GETS = Integer.getInteger("margay.faults.gets", 400);
    private static final int POSTS = Integer.getInteger("margay.faults.posts", 100);
    private static final int PAUSE_MILLIS = Integer.getInteger("margay.faults.pause", 300);
    private static final int KILLS_MIN = 2;
    private static final int CLIENTS = 4;
    private static final int BYTES_MAX = 65_536;

    @TempDir Path folder;

    private final List<BackEnd> backEnds = new ArrayList<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicInteger kills = new AtomicInteger();
    private final AtomicInteger gets = new AtomicInteger();
    private final AtomicInteger posts = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Set<String> ordered = ConcurrentHashMap.newKeySet();

    /// A server process that can be started again at the same ports.
    private final class BackEnd {
        private final Path file;
        private final int http = FreePort.next();
        private final int ajp = FreePort.next();
        private MargayProcess process;

        BackEnd(String name, Path war) throws IOException {
            file = folder.resolve(name + ".yaml");
            Files.writeString(
                    file,
                    """
                    listeners:
                      - http: 127.0.0.1:%d
                      - ajp: 127.0.0.1:%d
                        secret: s3cret
                    hosts: [{routes: {/: {app: %s}}}]
                    work: work-%s
                    """
                            .formatted(http, ajp, war, name));
            process = start();
        }

        private MargayProcess start() throws IOException {
            return MargayProcess.start(folder, "run", file.toString());
        }

        void kill() throws IOException, InterruptedException {
            process.signal("KILL");
            int _ = process.awaitExit();
            process = start();
            int _ = process.awaitReady();
        }

        void hang(long millis) throws IOException, InterruptedException {
            process.signal("STOP");
            LockSupport.parkNanos(millis * 1_000_000);
            process.signal("CONT");
        }

        void end() throws IOException, InterruptedException {
            if (process.isAlive()) {
                process.signal("KILL");
            }
            int _ = process.awaitExit();
        }
    }

    @Test
    void servers_killedAndHung_failNoIdempotentRequestAndRunNoPostTwice() throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(OrderServlet.class, "/order")
                        .war(folder.resolve("orders.war"));
        try {
            backEnds.add(new BackEnd("one", war));
            backEnds.add(new BackEnd("two", war));
            backEnds.forEach(each -> each.process.awaitReady());
            try (MargayServer gateway = gateway();
                    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                InetSocketAddress address = (InetSocketAddress) gateway.addresses().getFirst();
                List<Future<?>> tasks = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    int number = i;
                    tasks.add(executor.submit(() -> ask(address, number)));
                }
                harass();
                for (Future<?> task : tasks) {
                    task.get();
                }
            }
            assertEquals(List.of(), failures);
            assertTrue(kills.get() >= KILLS_MIN, "only " + kills + " kills");
            Map<String, Integer> runs = runs();
            runs.forEach((id, times) -> assertEquals(1, times, "runs of " + id));
            ordered.forEach(id -> assertEquals(1, runs.get(id), "runs of answered " + id));
            assertTrue(ordered.size() > POSTS / 2, ordered.size() + " of " + posts);
        } finally {
            for (BackEnd each : backEnds) {
                each.end();
            }
        }
    }

    private MargayServer gateway() throws IOException {
        Path file = folder.resolve("gateway.yaml");
        String members = "{members: [{url: \"%s:%d\"}, {url: \"%s:%d\"}], ";
        BackEnd one = backEnds.get(0);
        BackEnd two = backEnds.get(1);
        String rest =
                "secret: s3cret, reply-timeout: 1s, ping-timeout: 1s,"
                        + " health: {get: /index.html, every: 200ms, timeout: 500ms}}";
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - name: ajp.example
                    routes: {/: {gateway: ajp}}
                  - routes: {/: {gateway: http}}
                work: work-gateway
                upstreams:
                """
                        + "  http: "
                        + members.formatted(
                                "http://127.0.0.1", one.http, "http://127.0.0.1", two.http)
                        + rest
                        + "\n  ajp: "
                        + members.formatted("ajp://127.0.0.1", one.ajp, "ajp://127.0.0.1", two.ajp)
                        + rest
                        + "\n");
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    /// Kills one server after the other, and stops each for a while, until the clients are done.
    private void harass() throws IOException, InterruptedException {
        for (int i = 0; !done.get() || kills.get() < KILLS_MIN; i++) {
            BackEnd victim = backEnds.get(i % 2);
            if (i % 4 < 2) {
                victim.kill();
                kills.incrementAndGet();
            } else {
                victim.hang(1500);
            }
            LockSupport.parkNanos(PAUSE_MILLIS * 1_000_000L);
        }
    }

    /// One client, until there have been enough requests and enough faults.
    private void ask(InetSocketAddress gateway, int number) {
        SplittableRandom random = new SplittableRandom(number);
        RawHttpClient client = null;
        while (gets.get() < GETS || posts.get() < POSTS || kills.get() < KILLS_MIN) {
            boolean post = random.nextInt(4) == 0;
            try {
                if (client == null) {
                    client = RawHttpClient.connect(gateway);
                }
                if (post) {
                    post(client, "order-" + posts.incrementAndGet());
                } else {
                    gets.incrementAndGet();
                    get(client, random.nextInt(BYTES_MAX), random.nextBoolean());
                }
            } catch (IOException e) {
                client = null;
                if (!post) {
                    failures.add(e.toString());
                }
            }
        }
        done.set(true);
    }

    /// Half of the requests go by AJP13.
    private static String host(int number) {
        return (number & 1) == 0 ? "ajp.example" : "http.example";
    }

    private void get(RawHttpClient client, int count, boolean chunked) throws IOException {
        RawHttpClient.Response response =
                client.send(
                                "GET /order?n="
                                        + count
                                        + (chunked ? "&chunked=1" : "")
                                        + " HTTP/1.1\r\nHost: "
                                        + host(count)
                                        + "\r\n\r\n")
                        .response();
        boolean good = response.status() == 200 && response.body().length == count;
        for (int i = 0; good && i < count; i++) {
            good = response.body()[i] == OrderServlet.at(i);
        }
        if (!good) {
            failures.add(response.status() + ", " + response.body().length + " of " + count);
        }
    }

    private void post(RawHttpClient client, String id) throws IOException {
        String body = "id=" + id + "&log=" + folder.resolve("orders.log");
        RawHttpClient.Response response =
                client.send(
                                "POST /order HTTP/1.1\r\nHost: "
                                        + host(id.hashCode())
                                        + "\r\n"
                                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                                        + "Content-Length: "
                                        + body.length()
                                        + "\r\n\r\n"
                                        + body)
                        .response();
        if (response.status() == 200) {
            ordered.add(id);
        }
    }

    /// How often each order was run.
    private Map<String, Integer> runs() throws IOException {
        Map<String, Integer> runs = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve("orders.log"))) {
            runs.merge(line, 1, Integer::sum);
        }
        return runs;
    }
}
