package io.margay.valkey.sessions;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.engine.EngineFullException;
import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.testkit.Eventually;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.fault.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// States of a store that a test has to bring about: a memory or disk that is full, a replica, data
/// that is being loaded. By Redis, and by Valkey where there is one.
@Tag("slow")
final class ValkeyStatesTest {
    private static final SessionKey KEY = new SessionKey("localhost/shop", "A".repeat(32));
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final SessionChange WHOLE =
            new SessionChange(true, 600_000, new byte[] {1}, Map.of(), Set.of());

    @TempDir Path folder;

    static List<String> engines() {
        return RedisProcess.programs();
    }

    private static SessionEngine open(RedisProcess server) {
        return new ValkeyProvider()
                .open(
                        EngineSettings.at("redis://127.0.0.1:" + server.port())
                                .withConnectTimeout(TIMEOUT)
                                .withTimeout(TIMEOUT));
    }

    private static boolean fails(Attempt attempt, Class<?> how) {
        try {
            attempt.run();
            return false;
        } catch (IOException e) {
            return how.isInstance(e);
        }
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws IOException;
    }

    private static boolean works(Attempt attempt) {
        return !fails(attempt, IOException.class);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void engineThatLoadsItsData_isAway_andThenThere(String program) throws Exception {
        try (RedisProcess slow =
                        RedisProcess.startOf(
                                program,
                                "--enable-debug-command",
                                "yes",
                                "--loading-process-events-interval-bytes",
                                "1024",
                                "--key-load-delay",
                                "500");
                SessionEngine engine = open(slow)) {
            engine.save(KEY, WHOLE);
            slow.command("DEBUG POPULATE 8000 key 100");
            Thread loading =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    String _ = slow.command("DEBUG RELOAD");
                                } catch (IOException e) {
                                    // Its answer comes too late.
                                }
                            });
            Eventually.holds("it loads", () -> fails(engine::check, IOException.class));
            IOException away = assertThrows(IOException.class, () -> engine.save(KEY, WHOLE));
            assertFalse(away instanceof EngineFullException, away::toString);
            assertTrue(String.valueOf(away.getMessage()).contains("LOADING"), away::toString);
            Eventually.holds("it has loaded", () -> works(engine::check));
            assertInstanceOf(SessionEngine.Lookup.Found.class, engine.use(KEY, 0));
            loading.join();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void engineThatOnlyReads_isAway_untilItWritesAgain(String program) throws IOException {
        try (RedisProcess primary = RedisProcess.startOf(program);
                RedisProcess server = RedisProcess.startOf(program);
                SessionEngine engine = open(server)) {
            engine.save(KEY, WHOLE);
            server.command("REPLICAOF 127.0.0.1 " + primary.port());
            for (Attempt one : List.<Attempt>of(engine::check, () -> engine.save(KEY, WHOLE))) {
                IOException away = assertThrows(IOException.class, one::run);
                assertFalse(away instanceof EngineFullException, away::toString);
            }
            server.command("REPLICAOF NO ONE");
            Eventually.holds("it writes again", () -> works(engine::check));
            engine.save(KEY, WHOLE);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void engineWithoutMemory_isFull_untilThereIsRoom(String program) throws IOException {
        try (RedisProcess server = RedisProcess.startOf(program);
                SessionEngine engine = open(server)) {
            engine.save(KEY, WHOLE);
            server.command("CONFIG SET maxmemory 1");
            assertThrows(EngineFullException.class, engine::check);
            assertThrows(EngineFullException.class, () -> engine.save(KEY, WHOLE));
            assertInstanceOf(SessionEngine.Lookup.Found.class, engine.use(KEY, 0));
            server.command("CONFIG SET maxmemory 0");
            engine.check();
            engine.save(KEY, WHOLE);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void engineWhoseLogHasNoRoom_isFull_untilThereIsRoom(String program) throws IOException {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "2m");
                RedisProcess server =
                        RedisProcess.startOf(
                                program, "--dir", disk.folder().toString(), "--appendonly", "yes");
                SessionEngine engine = open(server)) {
            engine.save(KEY, WHOLE);
            disk.fill();
            Eventually.holds(
                    "it is full",
                    () -> fails(() -> engine.save(KEY, WHOLE), EngineFullException.class));
            assertThrows(EngineFullException.class, engine::check);
            assertInstanceOf(SessionEngine.Lookup.Found.class, engine.use(KEY, 0));
            assertInstanceOf(SessionEngine.Lookup.Found.class, engine.useNear(KEY, 0));
            disk.free();
            Eventually.holds("there is room", () -> works(engine::check));
            engine.save(KEY, WHOLE);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void engineWhoseSnapshotHasNoRoom_isFull_untilThereIsRoom(String program) throws IOException {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "2m");
                RedisProcess server =
                        RedisProcess.startOf(
                                program, "--dir", disk.folder().toString(), "--save", "3600 1");
                SessionEngine engine = open(server)) {
            engine.save(KEY, WHOLE);
            disk.fill();
            String _ = server.command("BGSAVE");
            Eventually.holds("it is full", () -> fails(engine::check, EngineFullException.class));
            assertThrows(EngineFullException.class, () -> engine.save(KEY, WHOLE));
            assertInstanceOf(SessionEngine.Lookup.Found.class, engine.use(KEY, 0));
            disk.free();
            String _ = server.command("BGSAVE");
            Eventually.holds("there is room", () -> works(engine::check));
            engine.save(KEY, WHOLE);
        }
    }
}
