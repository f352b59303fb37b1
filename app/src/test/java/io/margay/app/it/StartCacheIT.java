package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The cache that a first start makes for those after it. That it does is seen by [StartCacheSoak]
/// to the end, which takes half a minute of CPU time.
final class StartCacheIT {
    private static final int SERVERS = 12;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir Path folder;

    private ServerProcess start() throws IOException {
        return script(folder, cache(), "run", "--http", "0");
    }

    static ServerProcess script(Path folder, Path cache, String... words) throws IOException {
        return script(folder, cache, Map.of(), words);
    }

    private static ServerProcess script(
            Path folder, Path cache, Map<String, String> more, String... words) throws IOException {
        Path root = Path.of(System.getProperty("margay.root"));
        Map<String, String> environment = new HashMap<>(more);
        environment.put("MARGAY_NO_CACHE", "");
        environment.put("MARGAY_CACHE_DIR", cache.toString());
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
        try (ServerProcess command = script(folder, cache, "cache", "--kind", "applications")) {
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

    /// Twelve servers of one installation begin at the same time.
    @Test
    void servers_thatStartTogether_haveOneTraining_whichEndsWithItsServer() throws Exception {
        Path caches = Files.createDirectories(cache());
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (int i = 0; i < SERVERS; i++) {
                servers.add(hurried(Files.createDirectory(folder.resolve("of-" + i))));
            }
            for (ServerProcess server : servers) {
                server.awaitMargay();
            }
            ServerProcess trainer = trainer(servers);
            Eventually.holds("it runs", PATIENCE, () -> !training(caches).isEmpty());
            List<ProcessHandle> training = training(caches);
            assertEquals(1, training.size(), training.toString());
            trainer.signal("KILL");
            for (ProcessHandle process : training) {
                process.onExit().get(30, TimeUnit.SECONDS);
            }
            servers.remove(trainer);
            for (ServerProcess server : servers) {
                assertEquals(0, server.terminate(), server.toString());
                assertFalse(server.toString().contains("a second process"), server.toString());
            }
        } finally {
            servers.forEach(ServerProcess::close);
        }
        assertEquals(List.of(), made(caches));
    }

    /// A server of a folder that does not wait until the machine is less busy.
    private ServerProcess hurried(Path own) throws IOException {
        return script(
                own,
                cache(),
                Map.of("MARGAY_JAVA_OPTS", "-Dmargay.cache.load=100000"),
                "run",
                "--static",
                "/=" + own,
                "--http",
                "0");
    }

    /// The one that has a training, once there is one and the others have had time for theirs.
    private static ServerProcess trainer(List<ServerProcess> servers) {
        Eventually.holds(
                "a training", PATIENCE, () -> servers.stream().anyMatch(StartCacheIT::isTraining));
        Eventually.holds(
                "all have tried",
                PATIENCE,
                () -> servers.stream().allMatch(StartCacheIT::hasTried));
        return servers.stream().filter(StartCacheIT::isTraining).findFirst().orElseThrow();
    }

    private static boolean isTraining(ServerProcess server) {
        return server.toString().contains("a second process makes");
    }

    /// The thread that tries lives no longer than that, but for the one that trains.
    private static boolean hasTried(ServerProcess server) {
        try (Stream<Path> threads =
                Files.list(Path.of("/proc/" + server.handle().pid() + "/task"))) {
            return isTraining(server) || threads.noneMatch(StartCacheIT::isOfCache);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isOfCache(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith("margay-cache");
        } catch (IOException e) {
            return false;
        }
    }

    /// The JVMs that train for a folder: of long command lines the JDK tells no arguments.
    private static List<ProcessHandle> training(Path caches) {
        String mark = "\0-XX:ErrorFile=" + caches.resolve("training-crash.log") + "\0";
        return ProcessHandle.allProcesses()
                .filter(one -> !one.info().command().orElse("").endsWith("sh"))
                .filter(one -> commandLine(one).contains(mark))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException e) {
            return "";
        }
    }
}
