package io.margay.servlet.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.engine.ChangeFence;
import io.margay.servlet.session.engine.ChangeMark;
import io.margay.servlet.session.engine.ChangeOrigin;
import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngine.Lookup;
import io.margay.servlet.session.engine.SessionEngine.Saved;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.StoredSession;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The engine with H2 behind it, by the test's clock.
@Tag("slow")
final class JdbcEngineTest {
    private static final SessionKey KEY = new SessionKey("localhost/shop", "A".repeat(32));

    private volatile long millis = 1_000_000;
    private Connection keeper;
    private JdbcDataSource database;
    private SessionEngine engine;

    @BeforeEach
    void open() throws SQLException {
        database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:sessions" + System.nanoTime() + ";LOCK_TIMEOUT=60000");
        keeper = database.getConnection();
        engine = engine(database, Duration.ofSeconds(10));
    }

    @AfterEach
    void close() throws SQLException {
        keeper.close();
    }

    private SessionEngine engine(DataSource source, Duration timeout) {
        return engine(source, timeout, 16);
    }

    private SessionEngine engine(DataSource source, Duration timeout, int connections) {
        return new JdbcProvider()
                .open(
                        new EngineSettings(
                                null,
                                () -> source,
                                timeout,
                                timeout,
                                connections,
                                Duration.ofMinutes(10),
                                () -> Instant.ofEpochMilli(millis)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SessionChange whole(String... attributes) {
        Map<String, byte[]> put = new HashMap<>();
        for (String name : attributes) {
            put.put(name, bytes("value of " + name));
        }
        return new SessionChange(true, 60_000, bytes("head"), put, Set.of());
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
    void session_thatWasWritten_isFoundWithItsBytes() throws IOException {
        byte[] odd = new byte[3 << 20];
        odd[7] = -1;
        SessionChange change = new SessionChange(true, 60_000, odd, Map.of("ä \n", odd), Set.of());
        long version = version(engine.save(KEY, change));
        StoredSession stored = found(engine.use(KEY, 0));
        assertEquals(version, stored.version());
        assertArrayEquals(odd, stored.head());
        assertArrayEquals(odd, stored.attributes().get("ä \n"));
        millis += 1001;
        engine.use(KEY, version);
        millis += 10;
        assertEquals(new Lookup.Unchanged(millis - 10), engine.use(KEY, version));
        millis += 10;
        assertEquals(
                new Lookup.Unchanged(millis - 20),
                engine.use(KEY, version),
                "a use is written down once a second");
    }

    /// A session of a second ends a second after its last use, to a sixtieth of that.
    @Test
    void shortSession_thatIsUsed_staysAlive() throws IOException {
        SessionChange change =
                new SessionChange(true, 1000, bytes("h"), Map.of("a", bytes("x")), Set.of());
        engine.save(KEY, change);
        for (int i = 0; i < 20; i++) {
            millis += 200;
            assertInstanceOf(Lookup.Found.class, engine.use(KEY, 0));
        }
        millis += 980;
        assertInstanceOf(Lookup.Found.class, engine.use(KEY, 0));
        millis += 1000;
        assertInstanceOf(Lookup.Absent.class, engine.use(KEY, 0));
    }

    @Test
    void change_ofSomeAttributes_leavesTheOthers() throws IOException {
        long first = version(engine.save(KEY, whole("a", "b", "c")));
        SessionChange change =
                new SessionChange(false, 60_000, null, Map.of("a", bytes("new")), Set.of("b"));
        assertEquals(first + 1, version(engine.save(KEY, change)));
        StoredSession stored = found(engine.use(KEY, first));
        assertEquals(Set.of("a", "c"), stored.attributes().keySet());
        assertArrayEquals(bytes("new"), stored.attributes().get("a"));
        assertArrayEquals(bytes("head"), stored.head());
        assertInstanceOf(
                Saved.Absent.class,
                engine.save(new SessionKey("localhost/other", KEY.id()), put("a", "x")));
    }

    @Test
    void attributes_ofOneChange_areAddedAndReplaced() throws IOException {
        engine.save(KEY, whole("a", "b"));
        Map<String, byte[]> put = Map.of("a", bytes("1"), "b", bytes("2"), "c", bytes("3"));
        engine.save(KEY, new SessionChange(false, 60_000, null, put, Set.of()));
        engine.save(KEY, put("c", "4"));
        Map<String, byte[]> attributes = found(engine.use(KEY, 0)).attributes();
        assertEquals(3, attributes.size());
        assertArrayEquals(bytes("1"), attributes.get("a"));
        assertArrayEquals(bytes("2"), attributes.get("b"));
        assertArrayEquals(bytes("4"), attributes.get("c"));
        Set<String> gone = Set.of("a", "c");
        engine.save(KEY, new SessionChange(false, 60_000, null, Map.of(), gone));
        assertEquals(Set.of("b"), found(engine.use(KEY, 0)).attributes().keySet());
    }

    /// Whoever looks while others change sees one change after the other, each as a whole.
    @Test
    void readers_besideWriters_seeNoHalfOfAChange() throws Exception {
        engine.save(KEY, whole());
        engine.save(KEY, pair("0"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Boolean>> all = new ArrayList<>();
            for (int i = 1; i <= 50; i++) {
                String value = String.valueOf(i);
                all.add(() -> engine.save(KEY, pair(value)) instanceof Saved.As);
                all.add(() -> {
                    millis += 1001;
                    StoredSession seen = found(engine.use(KEY, 0));
                    byte[] head = seen.head();
                    return Arrays.equals(head, seen.attributes().get("a"))
                            && Arrays.equals(head, seen.attributes().get("b"));
                });
            }
            for (var done : threads.invokeAll(all)) {
                assertTrue(done.get());
            }
        }
        assertTrue(engine.remove(KEY));
        assertInstanceOf(Lookup.Removed.class, engine.use(KEY, 0));
    }

    private static SessionChange pair(String value) {
        byte[] bytes = bytes(value);
        return new SessionChange(false, 60_000, bytes, Map.of("a", bytes, "b", bytes), Set.of());
    }

    @Test
    void removal_isTheFirstOnesAlone_andIsRememberedForAWhile() throws IOException {
        engine.save(KEY, whole("a"));
        assertTrue(engine.remove(KEY));
        assertFalse(engine.remove(KEY));
        assertInstanceOf(Lookup.Removed.class, engine.use(KEY, 0));
        assertInstanceOf(Saved.Removed.class, engine.save(KEY, whole("a")));
        millis += TimeUnit.MINUTES.toMillis(11);
        assertEquals(List.of(), engine.takeExpired(KEY.application(), 10));
        assertInstanceOf(Lookup.Absent.class, engine.use(KEY, 0));
    }

    @Test
    void session_whoseIntervalIsOver_isTakenOnce() throws IOException {
        engine.save(KEY, whole("a"));
        millis += 59_999;
        assertEquals(List.of(), engine.takeExpired(KEY.application(), 10));
        engine.use(KEY, 0);
        millis += 59_999;
        assertEquals(List.of(), engine.takeExpired(KEY.application(), 10));
        millis += 1;
        assertInstanceOf(Lookup.Absent.class, engine.use(KEY, 0));
        List<StoredSession> taken = engine.takeExpired(KEY.application(), 10);
        assertEquals(Set.of("a"), taken.getFirst().attributes().keySet());
        assertEquals(List.of(), engine.takeExpired(KEY.application(), 10));
        assertInstanceOf(Lookup.Removed.class, engine.use(KEY, 0));
    }

    @Test
    void writers_atOnce_loseNothing() throws Exception {
        engine.save(KEY, whole());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Saved>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String name = "n" + i;
                all.add(() -> engine.save(KEY, put(name, name)));
            }
            Set<Long> versions = new HashSet<>();
            for (var done : threads.invokeAll(all)) {
                versions.add(version(done.get()));
            }
            assertEquals(50, versions.size());
        }
        assertEquals(50, found(engine.use(KEY, 0)).attributes().size());
    }

    @Test
    void secondServer_findsTheTables() throws IOException {
        engine.save(KEY, whole("a"));
        assertInstanceOf(Lookup.Found.class, engine(database, Duration.ofSeconds(10)).use(KEY, 0));
    }

    @Test
    void database_thatHoldsItsCaller_isWaitedForNoLongerThanTheTimeout() throws Exception {
        engine.save(KEY, whole("a"));
        SessionEngine hasty = engine(database, Duration.ofMillis(100));
        keeper.setAutoCommit(false);
        millis += 1001;
        try (var statement = keeper.createStatement()) {
            statement.execute("UPDATE margay_session SET due = due");
            long begin = System.nanoTime();
            assertThrows(IOException.class, () -> hasty.use(KEY, 0));
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            assertTrue(took < 30_000, () -> "took " + took + " ms");
        }
        keeper.rollback();
        engine.check();
        assertInstanceOf(Lookup.Found.class, engine.use(KEY, 0));
    }

    /// The second caller gets the only slot shortly before its time is over.
    @Test
    void slot_thatComesLate_makesNobodyWaitTwice() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        DataSource tired =
                (DataSource)
                        Proxy.newProxyInstance(
                                JdbcEngineTest.class.getClassLoader(),
                                new Class<?>[] {DataSource.class},
                                (_, _, _) -> {
                                    // A pool that gives up after a while.
                                    boolean _ = never.await(5100, TimeUnit.MILLISECONDS);
                                    throw new SQLException("no connection");
                                });
        SessionEngine narrow = engine(tired, Duration.ofSeconds(3), 1);
        Callable<Long> call =
                () -> {
                    long begin = System.nanoTime();
                    assertThrows(IOException.class, () -> narrow.use(KEY, 0));
                    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var took : threads.invokeAll(List.of(call, call))) {
                assertTrue(took.get() < 9000, () -> "took " + took.resultNow() + " ms");
            }
        }
    }

    @Test
    void name_ofAnAttribute_mayTakeAsManyBytesAsTheEngineSays() throws IOException {
        String name = "ä".repeat(engine.attributeNameBytesMax() / 2) + "x";
        assertEquals(engine.attributeNameBytesMax(), bytes(name).length);
        engine.save(KEY, whole(name));
        assertArrayEquals(
                bytes("value of " + name), found(engine.use(KEY, 0)).attributes().get(name));
        assertThrows(IOException.class, () -> engine.save(KEY, put(name + "x", "too long")));
    }

    @Test
    void tables_ofANewerVersion_areLeftAlone() throws Exception {
        engine.check();
        try (var statement = keeper.createStatement()) {
            statement.execute("UPDATE margay_session_schema SET steps = 99");
        }
        assertThrows(IOException.class, () -> engine(database, Duration.ofSeconds(10)).use(KEY, 0));
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
        SessionChange all = whole("a", "b");
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
        SessionChange all = whole("a", "b");
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
}
