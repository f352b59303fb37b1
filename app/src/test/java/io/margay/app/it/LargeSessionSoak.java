package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One session of more than 1 GiB, in servers of 192 MiB that share theirs: the store gets what
/// fits, the rest stays at its server, and nobody else notices. By `make large-sessions`, which
/// takes a minute or two; with Valkey where there is one.
final class LargeSessionSoak {
    /// Of the heap, for one session.
    private static final int SHARED_MIB_MAX = 192 / 16;

    private static final int VALUE_MIB = 2;
    private static final int VALUES = 513;

    @TempDir Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    static List<String> engines() {
        return RedisProcess.programs();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void sessionOfAGigabyte_inAnEngine_isItsOwnAffair(String program) throws Exception {
        try (RedisProcess redis = RedisProcess.startOf(program)) {
            isItsOwnAffair(
                    "store: valkey, url: \"redis://127.0.0.1:%d\"".formatted(redis.port()), "");
        }
    }

    @Test
    void sessionOfAGigabyte_inPostgreSql_isItsOwnAffair() throws Exception {
        try (DatabaseEngine database = DatabaseEngine.postgreSql()) {
            in(database);
        }
    }

    @Test
    void sessionOfAGigabyte_inMariaDb_isItsOwnAffair() throws Exception {
        try (DatabaseEngine database = DatabaseEngine.mariaDb()) {
            in(database);
        }
    }

    private void in(DatabaseEngine database) throws Exception {
        Path own = Files.createDirectory(folder.resolve("database"));
        isItsOwnAffair(
                "store: jdbc, url: \"%s\"".formatted(database.url()), database.options(own).more());
    }

    private FaultyBackEnd server(String name, String store, String more) throws IOException {
        return new FaultyBackEnd(
                name,
                folder,
                "sessions: {%s, key: what the servers share and nobody else knows}\n%s"
                        .formatted(store, more),
                "-Xmx192m",
                LargeSessionServlet.class,
                LargeValue.class);
    }

    private HttpResponse<String> get(FaultyBackEnd server, String path, String cookie)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + "/app/" + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String session(FaultyBackEnd server) throws Exception {
        HttpResponse<String> first = get(server, "count", "");
        assertEquals("1", first.body());
        return first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    private void isItsOwnAffair(String store, String more) throws Exception {
        try (FaultyBackEnd left = server("left", store, more);
                FaultyBackEnd right = server("right", store, more)) {
            left.await();
            right.await();
            String large = session(left);
            String other = session(left);
            for (String path : new String[] {"large/1/1024", "large/%d/%d"}) {
                String target = path.formatted(VALUES, VALUE_MIB);
                // 503 where the store did not take it in its time.
                int status = get(left, target, large).statusCode();
                assertTrue(Set.of(200, 503).contains(status), target + ": " + status);
            }
            assertEquals("" + (VALUES + 1), get(left, "all", large).body());
            int there = Integer.parseInt(get(right, "all", large).body()) - 1;
            assertTrue(there * VALUE_MIB <= SHARED_MIB_MAX, () -> "shared: " + there);
            for (int count = 2; count < 12; count++) {
                FaultyBackEnd server = count % 2 == 0 ? right : left;
                assertEquals("" + count, get(server, "count", other).body());
            }
            assertTrue(left.isAlive() && right.isAlive());
        }
    }
}
