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

/// The cache that a first start makes for those after it. That it does is seen by [StartCacheSoak]
/// to the end, which takes half a minute of CPU time.
final class StartCacheIT {
    @TempDir Path folder;

    private ServerProcess start() throws IOException {
        return script(folder, cache(), "run", "--http", "0");
    }

    static ServerProcess script(Path folder, Path cache, String... words) throws IOException {
        Path root = Path.of(System.getProperty("margay.root"));
        Map<String, String> environment =
                Map.of("MARGAY_NO_CACHE", "", "MARGAY_CACHE_DIR", cache.toString());
        return ServerProcess.script(root.resolve("margay"), folder, environment, words);
    }

    private Path cache() {
        return folder.resolve("a cache");
    }

    /// The caches in a folder.
    static List<Path> made(Path cache) throws IOException {
        if (!Files.isDirectory(cache)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cache)) {
            return files.filter(file -> file.toString().endsWith(".aot")).toList();
        }
    }

    static boolean uses(ServerProcess server, Path file) {
        String[] words = server.handle().info().arguments().orElseThrow();
        return List.of(words).contains("-XX:AOTCache=" + file);
    }

    static void serves(ServerProcess server) throws Exception {
        Browser browser = new Browser(server.awaitMargay());
        assertEquals(200, browser.get("/heartbeat/heartbeat.jsp").statusCode());
    }

    /// The build has run the command for the other tests; where there was no build it makes one
    /// now.
    @Test
    void cacheCommand_hasMadeTheCache_thatStartsUse_andABrokenOneIsIgnored() throws Exception {
        Path cache = ServerProcess.CACHE.map(Path::of).orElseGet(this::cache);
        Path file;
        try (ServerProcess command = script(folder, cache, "cache")) {
            assertEquals(0, command.awaitExit(), command.toString());
            String said = command.output().getLast();
            file = Path.of(said.substring(said.indexOf('/')));
            assertTrue(said.matches("made /.*|the cache is there: /.*"), said);
            assertEquals(cache, file.getParent());
            assertTrue(Files.size(file) > 1 << 20, said);
        }
        try (ServerProcess server = script(folder, cache, "run", "--http", "0")) {
            serves(server);
            assertTrue(uses(server, file), server.toString());
            assertFalse(server.toString().contains("a second process"), server.toString());
            assertEquals(0, server.terminate(), server.toString());
        }
        Path broken = Files.createDirectories(cache()).resolve(file.getFileName());
        Files.write(broken, new byte[5000]);
        try (ServerProcess server = start()) {
            serves(server);
            assertTrue(uses(server, broken), server.toString());
            assertFalse(server.toString().contains("[aot]"), server.toString());
            assertEquals(0, server.terminate(), server.toString());
        }
    }

    @Test
    void stop_whileTheCacheIsMade_leavesNothing() throws Exception {
        try (ServerProcess server = start()) {
            serves(server);
            assertTrue(server.toString().contains("a second process makes"), server.toString());
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
        assertEquals(List.of(), made(cache()));
    }
}
