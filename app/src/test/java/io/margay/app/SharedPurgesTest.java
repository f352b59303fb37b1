package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.Eventually;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two gateways with caches that share a real `redis-server`: what is removed at one of them is
/// removed at the other.
@Timeout(120)
final class SharedPurgesTest {
    private static final String TOKEN = "a-token-of-some-thirty-two-characters";

    @TempDir Path folder;
    private RedisProcess redis;
    private com.sun.net.httpserver.HttpServer origin;
    private MargayServer left;
    private MargayServer right;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void start() throws IOException {
        redis = RedisProcess.start();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        origin = com.sun.net.httpserver.HttpServer.create(any, 0);
        origin.createContext(
                "/",
                exchange -> {
                    exchange.getResponseHeaders().add("Cache-Control", "max-age=600");
                    exchange.getResponseHeaders().add("Cache-Tag", "shop");
                    byte[] content = "content".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, content.length);
                    exchange.getResponseBody().write(content);
                    exchange.close();
                });
        origin.start();
        left = gateway("left");
        right = gateway("right");
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        left.close();
        right.close();
        origin.stop(0);
        redis.close();
    }

    private MargayServer gateway(String name) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Path file =
                Files.writeString(
                        own.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        admin: 127.0.0.1:0
                        admin-token: %s
                        drain: 0s
                        hosts:
                          - cache: {purge-from: [127.0.0.0/8]}
                            routes:
                              /: {gateway: "http://127.0.0.1:%d"}
                        shared:
                          url: redis://127.0.0.1:%d
                          key: what the gateways share and nobody else knows
                          node: %s
                        """
                                .formatted(
                                        TOKEN, origin.getAddress().getPort(), redis.port(), name));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private HttpResponse<String> send(String method, int port, String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Authorization", "Bearer " + TOKEN)
                        .method(method, BodyPublishers.noBody())
                        .build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String use(MargayServer at, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + at.ports().getFirst() + path);
        HttpResponse<String> response =
                client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        return response.headers().firstValue("Cache-Status").orElse("");
    }

    private void warm(MargayServer at, String path) throws Exception {
        String _ = use(at, path);
        assertTrue(use(at, path).contains("hit"), path);
    }

    private void awaitGone(MargayServer at, String path) {
        Eventually.holds(
                path + " is removed",
                () -> {
                    try {
                        return !use(at, path).contains("hit");
                    } catch (IOException | InterruptedException e) {
                        return false;
                    }
                });
    }

    @Test
    void whatOneRemoves_isRemovedAtTheOther() throws Exception {
        int port = right.ports().getFirst();
        String url = "http://127.0.0.1:" + port + "/a";
        warm(right, "/a");
        assertEquals(200, send("DELETE", left.adminPort(), "/api/cache?url=" + url).statusCode());
        awaitGone(right, "/a");
        warm(right, "/a");
        warm(right, "/b/c");
        assertEquals(200, send("DELETE", left.adminPort(), "/api/cache?prefix=/b/").statusCode());
        awaitGone(right, "/b/c");
        assertTrue(use(right, "/a").contains("hit"), "it is not below the prefix");
        warm(right, "/d");
        assertEquals(200, send("DELETE", left.adminPort(), "/api/cache?tag=shop").statusCode());
        awaitGone(right, "/d");
    }

    @Test
    void whileTheStoreIsAway_removalsWait() throws Exception {
        warm(right, "/a");
        int storePort = redis.port();
        redis.close();
        String url = "/a";
        assertEquals(200, send("DELETE", left.adminPort(), "/api/cache?url=" + url).statusCode());
        assertTrue(use(right, "/a").contains("hit"));
        redis = RedisProcess.startAt(storePort);
        awaitGone(right, "/a");
    }
}
