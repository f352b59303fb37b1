package io.margay.app.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.MeterValues;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.Eventually;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests in flight that two gateways count together by a real `redis-server`.
@Timeout(60)
final class SharedConcurrencyTest {
    private static final int SERVED = 200;
    private static final int REFUSED = 503;

    @TempDir Path folder;
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private RedisProcess redis;
    private ScriptedPeer peer;
    private MargayServer left;
    private MargayServer right;

    @BeforeEach
    void start() throws IOException {
        redis = RedisProcess.start();
        peer = new ScriptedPeer(this::answer);
        left = gateway("left");
        right = gateway("right");
    }

    @AfterEach
    void stop() throws IOException {
        held.values().forEach(CountDownLatch::countDown);
        left.close();
        right.close();
        client.shutdownNow();
        peer.close();
        redis.close();
    }

    /// Answers a request when the test lets go of its path.
    private void answer(ScriptedPeer.Talk talk) throws IOException {
        while (true) {
            String path = talk.head().split(" ", 3)[1];
            try {
                latch(path).await();
            } catch (InterruptedException e) {
                return;
            }
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    }

    private CountDownLatch latch(String path) {
        return held.computeIfAbsent(path, _ -> new CountDownLatch(1));
    }

    private void letGo(String path) {
        latch(path).countDown();
    }

    private MargayServer gateway(String name) throws IOException {
        Path file = Files.createDirectories(folder.resolve(name)).resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                drain: 0s
                hosts:
                  - routes:
                      /three/*:
                        gateway: slow
                        rate-limits: [{concurrent: 3, by: all}]
                      /one/*:
                        gateway: slow
                        rate-limits: [{concurrent: 1, queue: 30s, by: all}]
                shared:
                  url: redis://127.0.0.1:%d
                  key: what the gateways share and nobody else knows
                  node: %s
                upstreams:
                  slow:
                    members: [{url: "http://127.0.0.1:%d"}]
                """
                        .formatted(redis.port(), name, peer.port()));
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        return MargayServer.start(read.get(), DeployProgress.NONE);
    }

    private CompletableFuture<Integer> ask(MargayServer at, String path) {
        return client.sendAsync(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                "http://127.0.0.1:" + at.ports().getFirst() + path))
                                .build(),
                        BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }

    private void awaitAtPeer(String path) {
        Eventually.holds(
                path + " is at the peer",
                () -> peer.heads().stream().anyMatch(head -> head.contains(" " + path + " ")));
    }

    @Test
    void requestsInFlightAtOne_countAtTheOther_andGoWithTheirGateway() throws Exception {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Integer> _ = ask(left, "/three/left" + i);
            awaitAtPeer("/three/left" + i);
        }
        assertEquals(REFUSED, ask(left, "/three/more").get());
        // What it does not know yet, the other lets through: less than the limit again.
        List<CompletableFuture<Integer>> through = new ArrayList<>();
        Eventually.holds(
                "the other refuses",
                () -> {
                    CompletableFuture<Integer> asked = ask(right, "/three/right" + through.size());
                    through.add(asked);
                    Eventually.holds(
                            "refused, or at the peer",
                            () ->
                                    asked.isDone()
                                            || isAtPeer("/three/right" + (through.size() - 1)));
                    return asked.isDone() && asked.join() == REFUSED;
                });
        assertTrue(through.size() - 1 <= 3, () -> through.size() - 1 + " more than the limit");
        for (int i = 0; i < through.size(); i++) {
            letGo("/three/right" + i);
        }
        for (int i = 0; i + 1 < through.size(); i++) {
            assertEquals(SERVED, through.get(i).get());
        }
        assertEquals(REFUSED, ask(right, "/three/again").get());
        // It comes to know that there is room: when requests end, and when a gateway does.
        letGo("/three/left0");
        letGo("/three/free");
        Eventually.holds("room", () -> ask(right, "/three/free").join() == SERVED);
        left.close();
        letGo("/three/later");
        Eventually.holds("all its room", () -> takesThree());
    }

    private boolean takesThree() {
        letGo("/three/x");
        List<CompletableFuture<Integer>> three = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            three.add(ask(right, "/three/x"));
        }
        return three.stream().allMatch(one -> one.join() == SERVED);
    }

    private boolean isAtPeer(String path) {
        return peer.heads().stream().anyMatch(head -> head.contains(" " + path + " "));
    }

    @Test
    void requestThatWaits_getsThePlaceThatBecomesFreeAtTheOther() throws Exception {
        CompletableFuture<Integer> first = ask(left, "/one/left");
        awaitAtPeer("/one/left");
        letGo("/one/right");
        // The first of the other may come through; when it knows, the next one waits.
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        Eventually.holds(
                "one waits",
                () -> {
                    CompletableFuture<Integer> asked = ask(right, "/one/right");
                    all.add(asked);
                    Eventually.holds(
                            "answered, or it waits", () -> asked.isDone() || delayed(right) > 0);
                    return delayed(right) > 0;
                });
        CompletableFuture<Integer> waiting = all.getLast();
        assertFalse(first.isDone());
        letGo("/one/left");
        assertEquals(SERVED, first.get());
        assertEquals(SERVED, waiting.get());
    }

    private static long delayed(MargayServer at) {
        return MeterValues.sum(at, "margay_limit_delayed");
    }
}
