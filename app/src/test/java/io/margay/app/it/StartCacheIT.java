package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The cache that a first start makes for those after it.
final class StartCacheIT {
    private static final long TRAINING_SECONDS_MAX = 150;

    @TempDir Path folder;

    private ServerProcess start() throws IOException {
        return script(cache(), "run", "--http", "0");
    }

    private ServerProcess script(Path cache, String... words) throws IOException {
        Path root = Path.of(System.getProperty("margay.root"));
        Map<String, String> environment =
                Map.of("MARGAY_NO_CACHE", "", "MARGAY_CACHE_DIR", cache.toString());
        return ServerProcess.script(root.resolve("margay"), folder, environment, words);
    }

    private Path cache() {
        return folder.resolve("a cache");
    }

    private List<Path> made() throws IOException {
        if (!Files.isDirectory(cache())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cache())) {
            return files.filter(file -> file.toString().endsWith(".aot")).toList();
        }
    }

    private static boolean uses(ServerProcess server, Path file) {
        String[] words = server.handle().info().arguments().orElseThrow();
        return List.of(words).contains("-XX:AOTCache=" + file);
    }

    private static void serves(ServerProcess server) throws Exception {
        Browser browser = new Browser(server.awaitMargay());
        assertEquals(200, browser.get("/heartbeat/heartbeat.jsp").statusCode());
    }

    @Test
    void firstStart_makesTheCache_thatTheNextUsesAndABrokenOneIsIgnored() throws Exception {
        Path file;
        try (ServerProcess server = start()) {
            serves(server);
            assertTrue(server.toString().contains("a second process makes"), server.toString());
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TRAINING_SECONDS_MAX);
            while (made().isEmpty() && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
            assertEquals(1, made().size(), server.toString());
            file = made().getFirst();
            assertEquals(0, server.terminate(), server.toString());
        }
        try (ServerProcess server = start()) {
            serves(server);
            assertTrue(uses(server, file), server.toString());
            assertEquals(0, server.terminate(), server.toString());
        }
        Files.write(file, new byte[5000]);
        try (ServerProcess server = start()) {
            serves(server);
            assertTrue(uses(server, file), server.toString());
            assertFalse(server.toString().contains("[aot]"), server.toString());
            assertEquals(0, server.terminate(), server.toString());
        }
    }

    /// The build has run the command for the other tests; where there was no build it makes one
    /// now.
    @Test
    void cacheCommand_hasMadeTheCache_thatStartsUse() throws Exception {
        Path cache = ServerProcess.CACHE.map(Path::of).orElseGet(this::cache);
        Path file;
        try (ServerProcess command = script(cache, "cache")) {
            assertEquals(0, command.awaitExit(), command.toString());
            String said = command.output().getLast();
            file = Path.of(said.substring(said.indexOf('/')));
            assertTrue(said.matches("made /.*|the cache is there: /.*"), said);
            assertEquals(cache, file.getParent());
            assertTrue(Files.size(file) > 1 << 20, said);
        }
        try (ServerProcess server = script(cache, "run", "--http", "0")) {
            serves(server);
            assertTrue(uses(server, file), server.toString());
            assertFalse(server.toString().contains("a second process"), server.toString());
            assertEquals(0, server.terminate(), server.toString());
        }
    }

    @Test
    void stop_whileTheCacheIsMade_leavesNothing() throws Exception {
        try (ServerProcess server = start()) {
            serves(server);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (server.handle().children().findAny().isEmpty() && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            List<ProcessHandle> children = server.handle().children().toList();
            assertFalse(children.isEmpty(), server.toString());
            assertEquals(0, server.terminate(), server.toString());
            for (ProcessHandle child : children) {
                child.onExit().get(30, TimeUnit.SECONDS);
            }
        }
        assertEquals(List.of(), made());
    }
}
