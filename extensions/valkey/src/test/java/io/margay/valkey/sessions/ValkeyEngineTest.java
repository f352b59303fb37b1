package io.margay.valkey.sessions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.margay.servlet.session.engine.ChangeFence;
import io.margay.servlet.session.engine.ChangeMark;
import io.margay.servlet.session.engine.ChangeOrigin;
import io.margay.servlet.session.engine.EngineFullException;
import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngine.Lookup;
import io.margay.servlet.session.engine.SessionEngine.Saved;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.StoredSession;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The engine with a real `redis-server` behind it.
@Tag("slow")
final class ValkeyEngineTest {
    private static final SessionKey KEY = new SessionKey("localhost/shop", "A".repeat(32));
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /// Of many calls at once, some of which wait for a connection, on a machine that is busy.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static RedisProcess redis;

    private SessionEngine engine = open("redis://127.0.0.1:" + redis.port());

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        redis = RedisProcess.start("--requirepass", "", "--enable-debug-command", "yes");
        try (SessionEngine first = open("redis://127.0.0.1:" + redis.port(), PATIENCE)) {
            first.check(); // the first call of a process loads classes
        }
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @AfterEach
    void close() throws IOException {
        engine.close();
        redis.command("FLUSHALL");
    }

    private static SessionEngine open(String url) {
        return open(url, TIMEOUT);
    }

    private static SessionEngine open(String url, Duration timeout) {
        return new ValkeyProvider()
                .open(EngineSettings.at(url).withConnectTimeout(timeout).withTimeout(timeout));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SessionChange whole(long intervalMillis, String... attributes) {
        Map<String, byte[]> put = new java.util.HashMap<>();
        for (String name : attributes) {
            put.put(name, bytes("value of " + name));
        }
        return new SessionChange(true, intervalMillis, bytes("head"), put, Set.of());
    }

    private static SessionChange put(String name, String value) {
        return new SessionChange(false, 60_000, null, Map.of(name, bytes(value)), Set.of());
    }

    private static long version(Saved saved) {
        return assertInstanceOf(Saved.As.class, saved).version();
    }

    private static StoredSession found(Lookup lookup) {
        return assertInstanceOf(Lookup.Found.class, lookup).session();
    }

    @Test
    void engineOfTests_isWhatTheEnvironmentNames() throws IOException {
        assertEquals("redis-server", RedisProcess.program(Map.of()));
        assertEquals("redis-server", RedisProcess.program(Map.of("REDIS_SERVER", "")));
        String other = "/opt/valkey/valkey-server";
        assertEquals(other, RedisProcess.program(Map.of("REDIS_SERVER", other)));
        assertEquals(other, RedisProcess.program(Map.of("VALKEY_SERVER", other)));

        String named = RedisProcess.program(System.getenv());
        String running =
                redis.command("INFO server")
                        .lines()
                        .filter(line -> line.startsWith("executable:"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(running.endsWith("/" + Path.of(named).getFileName()), running);
    }

    @Test
    void session_thatWasWritten_isFoundWithItsBytes() throws IOException {
        byte[] odd = {0, -1, '\r', '\n', 127, -128};
        SessionChange change =
                new SessionChange(
                        true, 60_000, odd, Map.of("ä \n", odd, "empty", new byte[0]), Set.of());
        long version = version(engine.save(KEY, change));
        StoredSession stored = found(engine.use(KEY, 0));
        assertEquals(version, stored.version());
        assertArrayEquals(odd, stored.head());
        assertArrayEquals(odd, stored.attributes().get("ä \n"));
        assertEquals(0, stored.attributes().get("empty").length);
        assertInstanceOf(Lookup.Unchanged.class, engine.use(KEY, version));
        assertInstanceOf(Lookup.Found.class, engine.use(KEY, version - 1));
    }

    @Test
    void change_ofSomeAttributes_leavesTheOthers() throws IOException {
        long first = version(engine.save(KEY, whole(60_000, "a", "b", "c")));
        SessionChange change =
                new SessionChange(false, 60_000, null, Map.of("a", bytes("new")), Set.of("b"));
        assertEquals(first + 1, version(engine.save(KEY, change)));
        StoredSession stored = found(engine.use(KEY, first));
        assertEquals(Set.of("a", "c"), stored.attributes().keySet());
        assertArrayEquals(bytes("new"), stored.attributes().get("a"));
        assertArrayEquals(bytes("head"), stored.head());
    }

    @Test
    void change_ofASessionThatIsNotThere_isAbsent() throws IOException {
        assertInstanceOf(Saved.Absent.class, engine.save(KEY, put("a", "x")));
        assertInstanceOf(Lookup.Absent.class, engine.use(KEY, 0));
    }

    @Test
    void removal_isTheFirstOnesAlone_andIsRemembered() throws IOException {
        engine.save(KEY, whole(60_000, "a"));
        assertTrue(engine.remove(KEY));
        assertFalse(engine.remove(KEY));
        assertInstanceOf(Lookup.Removed.class, engine.use(KEY, 0));
        assertInstanceOf(Saved.Removed.class, engine.save(KEY, put("a", "x")));
        assertInstanceOf(Saved.Removed.class, engine.save(KEY, whole(60_000, "a")));
    }

    @Test
    void session_whoseIntervalIsOver_isTakenOnce() throws Exception {
        engine.save(KEY, whole(200, "a"));
        SessionKey other = new SessionKey(KEY.application(), "B".repeat(32));
        engine.save(other, whole(60_000, "b"));
        Eventually.holds(
                "absent",
                () -> {
                    try {
                        // Not asked for by `use`, which would be a use of it.
                        return engine.takeExpired(KEY.application(), 10).size() == 1;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        assertEquals(List.of(), engine.takeExpired(KEY.application(), 10));
        assertInstanceOf(Lookup.Removed.class, engine.use(KEY, 0));
        assertInstanceOf(Lookup.Found.class, engine.use(other, 0));
    }

    @Test
    void expiry_isTheEnginesAsWell() throws IOException {
        engine.save(KEY, whole(60_000, "a"));
        String key = "margay:session:" + KEY.application() + ":" + KEY.id();
        long left = number(redis.command("PTTL " + key));
        assertTrue(left > 60_000 && left <= 360_000, () -> "left: " + left);
        engine.save(KEY, whole(0, "a"));
        assertEquals(-1, number(redis.command("PTTL " + key)));
    }

    private static long number(String answer) {
        return Long.parseLong(answer.substring(1, answer.indexOf('\r')));
    }

    @Test
    void writers_atOnce_loseNothing() throws Exception {
        engine.save(KEY, whole(60_000));
        try (SessionEngine patient = open("redis://127.0.0.1:" + redis.port(), PATIENCE);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Saved>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                String name = "n" + i;
                all.add(() -> patient.save(KEY, put(name, name)));
            }
            Set<Long> versions = new java.util.HashSet<>();
            for (var done : threads.invokeAll(all)) {
                versions.add(version(done.get()));
            }
            assertEquals(200, versions.size());
        }
        assertEquals(200, found(engine.use(KEY, 0)).attributes().size());
    }

    // The other side

    @Test
    void engine_thatIsNotThere_failsAtOnceAndIsThereLater() throws IOException {
        int port = FreePort.next();
        try (SessionEngine late = open("redis://127.0.0.1:" + port)) {
            assertThrows(IOException.class, () -> late.use(KEY, 0));
            assertThrows(IOException.class, late::check);
            RedisProcess started = RedisProcess.startAt(port);
            try (started) {
                late.check();
                assertInstanceOf(Lookup.Absent.class, late.use(KEY, 0));
            }
        }
    }

    /// Who takes a replica for a primary, as after a failover, would believe that it is back, again
    /// and again.
    @Test
    void replica_isNoSignOfLife() throws IOException {
        try (RedisProcess primary = RedisProcess.start();
                SessionEngine asked = open("redis://127.0.0.1:" + primary.port())) {
            asked.check();
            primary.command("REPLICAOF 127.0.0.1 " + redis.port());
            assertThrows(IOException.class, asked::check);
            primary.command("REPLICAOF NO ONE");
            asked.check();
        }
    }

    @Test
    void engine_thatIsFull_isReadButTakesNothing_andSaysSo() throws IOException {
        try (RedisProcess full = RedisProcess.start();
                SessionEngine asked = open("redis://127.0.0.1:" + full.port())) {
            asked.save(KEY, whole(60_000, "cart"));
            SessionKey fresh = new SessionKey(KEY.application(), "B".repeat(32));
            full.command("CONFIG SET maxmemory 1");
            assertThrows(EngineFullException.class, asked::check);
            assertThrows(EngineFullException.class, () -> asked.save(KEY, put("cart", "two")));
            assertThrows(IOException.class, () -> asked.save(KEY, whole(60_000, "cart")));
            assertThrows(IOException.class, () -> asked.save(fresh, whole(60_000, "cart")));
            assertEquals(Set.of("cart"), found(asked.use(KEY, 0)).attributes().keySet());
            assertTrue(asked.remove(KEY));
            full.command("CONFIG SET maxmemory 0");
            asked.check();
            asked.save(fresh, whole(60_000, "cart"));
        }
    }

    @Test
    void value_thatIsTooLarge_isRefusedWhileTheEngineTakesOthers() throws IOException {
        try (RedisProcess small = RedisProcess.start("--proto-max-bulk-len", "1mb");
                SessionEngine asked = open("redis://127.0.0.1:" + small.port())) {
            asked.save(KEY, whole(60_000, "cart"));
            String large = "x".repeat(2 << 20);
            assertThrows(IOException.class, () -> asked.save(KEY, put("cart", large)));
            asked.check();
        }
    }

    @Test
    void engine_thatStartsAgain_isUsedWithoutAFailure() throws Exception {
        RedisProcess again = RedisProcess.start();
        try (again;
                SessionEngine used = open("redis://127.0.0.1:" + again.port());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Lookup>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(() -> used.use(KEY, 0));
            }
            threads.invokeAll(all);
            again.stop();
            again.run();
            assertInstanceOf(Lookup.Absent.class, used.use(KEY, 0));
        }
    }

    @Test
    void engine_thatStandsStill_holdsNobodyForLongerThanItsTimeout() throws IOException {
        RedisProcess frozen = RedisProcess.start();
        try (frozen;
                SessionEngine asked = open("redis://127.0.0.1:" + frozen.port())) {
            asked.save(KEY, whole(60_000, "a"));
            frozen.freeze();
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 3; i++) {
                long begin = System.nanoTime();
                assertThrows(IOException.class, () -> asked.use(KEY, 0));
                least = Math.min(least, System.nanoTime() - begin);
            }
            frozen.thaw();
            // Without it, each call would take the library's 2 s.
            assertTrue(least < 3 * TIMEOUT.toNanos(), "took " + least + " ns at least");
            asked.check();
            assertInstanceOf(Lookup.Found.class, asked.use(KEY, 0));
        }
    }

    @Test
    void sentinels_thatSayNothing_areWaitedForOnceByAllTogether() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                SessionEngine asked =
                        open("redis+sentinel://127.0.0.1:" + silent.getLocalPort() + "/sessions");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Lookup>> all = Collections.nCopies(80, () -> asked.use(KEY, 0));
            long begin = System.nanoTime();
            for (var done : threads.invokeAll(all)) {
                var e = assertThrows(ExecutionException.class, done::get);
                assertInstanceOf(IOException.class, e.getCause());
            }
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            assertTrue(took < 30 * TIMEOUT.toMillis(), () -> "took " + took + " ms");
        }
    }

    @Test
    void serverOfTests_thatDoesNotAnswer_isEnded() throws IOException {
        String socket = folder.resolve("socket").toString();
        int port = FreePort.next();
        long before = children();
        assertThrows(
                AssertionError.class,
                () ->
                        RedisProcess.startWithin(
                                Duration.ofMillis(200),
                                port,
                                "--port",
                                "0",
                                "--unixsocket",
                                socket));
        assertTrue(Files.exists(Path.of(socket)), "it did not run at all");
        assertEquals(before, children());
    }

    private static long children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    }

    @Test
    void user_withItsPassword_isNeededWhereThereAreUsers() throws IOException {
        redis.command("ACL SETUSER shop on >s3cret ~margay:* +@all");
        try (SessionEngine known = open("redis://shop:s3cret@127.0.0.1:" + redis.port());
                SessionEngine unknown = open("redis://shop:wrong@127.0.0.1:" + redis.port())) {
            engine.save(KEY, whole(60_000, "a"));
            assertInstanceOf(Lookup.Found.class, known.use(KEY, 0));
            assertThrows(IOException.class, () -> unknown.use(KEY, 0));
        }
    }

    @Test
    void tls_isSpokenWithAServerWhoseNameIsInItsCertificate() throws IOException {
        TestCertificate certificate = TestCertificate.in(folder);
        int port = FreePort.next();
        RedisProcess secure = secure(port, certificate);
        String place = "localhost:" + port + "/0";
        try (secure;
                SessionEngine known = open("rediss://" + place + "?ca=" + certificate.cert());
                SessionEngine stranger = open("rediss://" + place);
                SessionEngine otherName =
                        open("rediss://127.0.0.2:" + port + "?ca=" + certificate.cert())) {
            assertInstanceOf(Lookup.Absent.class, known.use(KEY, 0));
            assertThrows(IOException.class, () -> stranger.use(KEY, 0));
            assertThrows(IOException.class, () -> otherName.use(KEY, 0));
        }
    }

    private static RedisProcess secure(int port, TestCertificate certificate) throws IOException {
        try {
            return RedisProcess.start(
                    "--tls-port",
                    String.valueOf(port),
                    "--tls-cert-file",
                    certificate.cert().toString(),
                    "--tls-key-file",
                    certificate.key().toString(),
                    "--tls-auth-clients",
                    "no");
        } catch (AssertionError e) {
            // One that was chosen for the tests may have been built without TLS.
            boolean without = String.valueOf(e.getMessage()).contains("TLS support");
            boolean named = !RedisProcess.program(System.getenv()).equals("redis-server");
            assumeFalse(without && named, "it has no TLS");
            throw e;
        }
    }

    private static SessionChange late(String writer, long order, long base, String value) {
        return new SessionChange(
                false,
                60_000,
                null,
                Map.of("a", bytes(value)),
                Set.of("b"),
                new ChangeFence(writer, order, new ChangeOrigin(base, 0), Map.of()));
    }

    @Test
    void change_olderThanWhatIsThere_isLeftOut() throws IOException {
        SessionChange all = whole(60_000, "a", "b");
        long first =
                version(
                        engine.save(
                                KEY,
                                new SessionChange(
                                        true,
                                        60_000,
                                        all.head(),
                                        all.put(),
                                        Set.of(),
                                        new ChangeFence(
                                                "left", 1, new ChangeOrigin(0, 0), Map.of()))));
        assertEquals(
                Set.of(),
                assertInstanceOf(Saved.As.class, engine.save(KEY, late("left", 3, first, "three")))
                        .late());
        for (SessionChange late :
                List.of(
                        late("left", 2, first, "a call of before"),
                        late("right", 7, first, "of another server"))) {
            assertEquals(
                    Set.of("a", "b"),
                    assertInstanceOf(Saved.As.class, engine.save(KEY, late)).late());
        }
        StoredSession stored = found(engine.use(KEY, 0));
        assertEquals("three", new String(stored.attributes().get("a"), StandardCharsets.UTF_8));
        assertFalse(stored.attributes().containsKey("b"));
        assertEquals(new ChangeMark(first + 1, "left", 3, 0), stored.marks().get("a"));
        assertEquals(new ChangeMark(first + 1, "left", 3, 0), stored.marks().get("b"));
        assertEquals(
                Set.of(),
                assertInstanceOf(
                                Saved.As.class,
                                engine.save(KEY, late("right", 8, stored.version(), "newer")))
                        .late());
    }

    @Test
    void removedAttributes_areNotRememberedWithoutEnd() throws IOException {
        SessionChange all = whole(60_000, "a", "b");
        long version = version(engine.save(KEY, all));
        for (int i = 1; i <= 200; i++) {
            version =
                    version(
                            engine.save(
                                    KEY,
                                    new SessionChange(
                                            false,
                                            60_000,
                                            null,
                                            Map.of(),
                                            Set.of("gone " + i),
                                            new ChangeFence(
                                                    "left",
                                                    i,
                                                    new ChangeOrigin(version, 0),
                                                    Map.of()))));
        }
        assertTrue(found(engine.use(KEY, 0)).marks().size() <= 66);
        assertEquals(2, found(engine.use(KEY, 0)).attributes().size());
    }

    private static String url(RedisProcess server) {
        return "redis://127.0.0.1:" + server.port();
    }

    /// Its disk takes no snapshot any more, so that it refuses writes.
    @Test
    void engineThatCannotSave_isFull() throws IOException {
        try (RedisProcess unable = RedisProcess.start("--dir", "/proc", "--save", "3600 1");
                SessionEngine refusing = open(url(unable))) {
            refusing.check();
            unable.command("BGSAVE");
            Eventually.holds(
                    "it has noticed",
                    () -> {
                        try {
                            return unable.command("INFO persistence")
                                    .contains("rdb_last_bgsave_status:err");
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
            assertThrows(EngineFullException.class, refusing::check);
            assertThrows(EngineFullException.class, () -> refusing.save(KEY, whole(60_000, "a")));
        }
    }

    /// What only reads, or has no part of the cluster, is away.
    @Test
    void engineThatIsAReplica_orOfNoCluster_isNotFull() throws IOException {
        try (RedisProcess replica =
                        RedisProcess.start("--replicaof", "127.0.0.1", "" + redis.port());
                RedisProcess alone = RedisProcess.start("--cluster-enabled", "yes");
                SessionEngine ofReplica = open(url(replica));
                SessionEngine ofAlone = open(url(alone))) {
            for (SessionEngine one : List.of(ofReplica, ofAlone)) {
                IOException away = assertThrows(IOException.class, one::check);
                assertFalse(away instanceof EngineFullException, away::toString);
            }
        }
    }
}
