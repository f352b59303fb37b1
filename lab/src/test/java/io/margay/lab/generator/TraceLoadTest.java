package io.margay.lab.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests of a trace are sent when they came, with their fields, and another status is told.
@Tag("slow")
@Timeout(60)
final class TraceLoadTest {
    private static final long TIMEOUT_NANOS = 5_000_000_000L;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @TempDir Path folder;

    private LoadJob job(ScriptedServer server, double speed, String... lines) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("my trace"),
                        "# margay trace 1\n" + String.join("\n", lines) + "\n");
        LoadJob job = speed > 0 ? LoadJob.trace(speed, 20) : LoadJob.closed(4, false, true);
        return job.to(server.port(), List.of("TRACE " + file), "");
    }

    private static LoadResult run(LoadJob job) throws IOException {
        try (LoadLoop loop = new LoadLoop(job, null, Map.of(), TIMEOUT_NANOS)) {
            return loop.run(() -> {}, _ -> {});
        }
    }

    @Test
    void requests_comeWhenTheyCame_someTimesAsFast() throws IOException {
        try (ScriptedServer server = new ScriptedServer(_ -> OK)) {
            LoadJob job =
                    job(
                            server,
                            4,
                            "0\tGET\t/a\t200",
                            "4000\tGET\t/b?c\t200\tHost: shop.example",
                            "8000\tGET\t/a\t200");
            long begun = System.nanoTime();
            LoadResult result = run(job.lasting(3, 0, 20_000));
            assertTrue(System.nanoTime() - begun >= 2_000_000_000L, "too early");
            assertEquals(Map.of(), result.errors());
            assertEquals(Map.of(), result.course().others());
            assertTrue(result.course().slices().getLast().second() >= 2, result::toString);
            assertEquals(3, result.course().slices().stream().mapToLong(it -> it.requests()).sum());
        }
    }

    /// A trace that has ended begins anew.
    @Test
    void otherStatuses_areTold_andErrorsAreFailures() throws IOException {
        String other = "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno";
        String error = "HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer server =
                new ScriptedServer(n -> n % 4 == 0 ? error : n % 4 == 1 ? other : OK)) {
            LoadJob job = job(server, 100, "0\tGET\t/a\t200", "10\tGET\t/b\t0", "20\tGET\t/c\t404");
            LoadResult result = run(job.lasting(400, 0, 20_000));
            assertTrue(result.errors().getOrDefault("status 500", 0L) > 50, result::toString);
            Map<String, Long> others = result.course().others();
            assertTrue(others.getOrDefault("404 instead of 200", 0L) > 10, result::toString);
            assertTrue(others.getOrDefault("200 instead of 404", 0L) > 10, result::toString);
            assertEquals(2, others.size(), result::toString);
        }
    }

    /// The same head means content after GET, and none after HEAD.
    @Test
    void headAndGet_onOneConnection_areToldApart() throws IOException {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(n -> n % 2 == 0 ? head : OK)) {
            LoadJob job = job(server, 0, "0\tGET\t/a\t200", "1\tHEAD\t/a\t200").withConnections(1);
            LoadResult result = run(job.lasting(50, 0, 20_000));
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 50, result::toString);
        }
    }
}
