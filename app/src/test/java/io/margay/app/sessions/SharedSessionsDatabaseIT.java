package io.margay.app.sessions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.Margay;
import io.margay.app.MargayServer;
import io.margay.app.MariaDb;
import io.margay.app.PostgreSql;
import io.margay.app.Wars;
import io.margay.app.config.SessionSettings;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.SessionServlet;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.PoolLimits;
import io.margay.servlet.session.SessionWrite;
import io.margay.servlet.session.engine.ChangeFence;
import io.margay.servlet.session.engine.ChangeOrigin;
import io.margay.servlet.session.engine.EngineFullException;
import io.margay.servlet.session.engine.EngineReading;
import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngine.Lookup;
import io.margay.servlet.session.engine.SessionEngine.Saved;
import io.margay.servlet.session.engine.SessionEngineProvider;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.testkit.Eventually;
import io.margay.testkit.fault.SmallDisk;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/// Two servers that share their sessions in a real database, and what the engine itself does there.
final class SharedSessionsDatabaseIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final byte[] HEAD = {1, 2, 3};

    @TempDir Path folder;

    /// A database that runs.
    ///
    /// @param stop ends it at once
    /// @param run starts it again
    private record Running(String url, Class<?> driver, Step stop, Step run) {}

    /// What is done to a database.
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    @Test
    void postgreSql_ofAResource_isShared() throws Exception {
        try (PostgreSql database = PostgreSql.start()) {
            DataSourceSettings resource =
                    new DataSourceSettings(
                            database.url(),
                            null,
                            PostgreSql.USER,
                            PostgreSql.PASSWORD,
                            Map.of(),
                            DataSourceSettings.Session.asDriver(),
                            PoolLimits.defaults());
            String url =
                    database.url()
                            + "?user="
                            + PostgreSql.USER
                            + "&password="
                            + PostgreSql.PASSWORD;
            Running running =
                    new Running(url, org.postgresql.Driver.class, database::stop, database::run);
            PGSimpleDataSource direct = new PGSimpleDataSource();
            direct.setUrl(url);
            manyAtOnce(direct);
            late(direct);
            states(
                    direct,
                    "ALTER ROLE shop SET default_transaction_read_only = on",
                    "ALTER ROLE shop SET default_transaction_read_only = off");
            full(
                    direct,
                    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                            + " RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100';"
                            + " END $$",
                    "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON margay_session"
                            + " FOR EACH ROW EXECUTE FUNCTION full_disk()",
                    "DROP TRIGGER full_disk ON margay_session");
            share(running, builder -> builder.dataSource("jdbc/sessions", resource), null);
        }
    }

    @Test
    void mariaDb_ofAUrl_isShared() throws Exception {
        try (MariaDb database = MariaDb.start()) {
            Running running =
                    new Running(
                            database.url(),
                            org.mariadb.jdbc.Driver.class,
                            database::stop,
                            database::run);
            MariaDbDataSource direct = new MariaDbDataSource(database.url());
            manyAtOnce(direct);
            late(direct);
            database.asRoot("SET GLOBAL read_only = 1");
            away(direct);
            database.asRoot("SET GLOBAL read_only = 0");
            there(direct);
            full(
                    direct,
                    "CREATE TRIGGER full_insert BEFORE INSERT ON margay_session FOR EACH ROW"
                            + " SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114,"
                            + " MESSAGE_TEXT = 'The table is full'",
                    "DROP TRIGGER full_insert");
            database.asRoot("SET GLOBAL max_allowed_packet = 1048576");
            refusesOne(direct);
            share(running, builder -> builder, database.url());
        }
    }

    /// One that was made the replica of another, or is being moved.
    @Test
    void mariaDb_thatOnlyReads_isAway_andGetsAllSessionsWhenItWritesAgain() throws Exception {
        try (MariaDb database = MariaDb.start()) {
            Running running =
                    new Running(
                            database.url(),
                            org.mariadb.jdbc.Driver.class,
                            () -> database.asRoot("SET GLOBAL read_only = 1"),
                            () -> database.asRoot("SET GLOBAL read_only = 0"));
            share(running, builder -> builder, database.url());
        }
    }

    // The engine

    /// Sessions are made, used, changed and removed at once by many, who get in each other's way.
    private static void manyAtOnce(DataSource database) throws Exception {
        try (SessionEngine engine = engine(database);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            engine.check();
            SessionChange whole = new SessionChange(true, 600_000, HEAD, Map.of(), Set.of());
            List<Callable<Saved>> made = new ArrayList<>();
            List<Callable<Saved>> changed = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                SessionKey key = new SessionKey("localhost/many", "%032X".formatted(i % 40));
                SessionChange change =
                        new SessionChange(
                                false, 600_000, null, Map.of("ä".repeat(120) + i, HEAD), Set.of());
                made.add(() -> engine.save(key, whole));
                changed.add(() -> engine.save(key, change));
            }
            for (var calls : List.of(made, changed)) {
                for (var done : threads.invokeAll(calls)) {
                    assertInstanceOf(Saved.As.class, done.get());
                }
            }
            for (int i = 0; i < 40; i++) {
                SessionKey key = new SessionKey("localhost/many", "%032X".formatted(i));
                var found = assertInstanceOf(Lookup.Found.class, engine.use(key, 0)).session();
                assertEquals(i < 20 ? 3 : 2, found.attributes().size());
                assertArrayEquals(HEAD, found.head());
                assertTrue(engine.remove(key));
                assertInstanceOf(Lookup.Removed.class, engine.use(key, 0));
            }
            assertEquals(List.of(), engine.takeExpired("localhost/many", 100));
        }
    }

    private static SessionEngine engine(DataSource database) {
        return ServiceLoader.load(SessionEngineProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.names().contains("jdbc"))
                .findFirst()
                .orElseThrow()
                .open(
                        EngineSettings.of(() -> database)
                                .withConnectTimeout(TIMEOUT)
                                .withTimeout(TIMEOUT)
                                .withConnectionsMax(8));
    }

    /// A change that comes late leaves out what is newer, put or removed, and writes the rest.
    private static void late(DataSource database) throws IOException {
        SessionKey key = new SessionKey("localhost/late", "A".repeat(32));
        Map<String, byte[]> both = Map.of("one", HEAD, "two", HEAD);
        try (SessionEngine engine = engine(database)) {
            SessionChange whole =
                    new SessionChange(
                            true,
                            600_000,
                            HEAD,
                            both,
                            Set.of(),
                            new ChangeFence("left", 1, new ChangeOrigin(0, 0), Map.of()));
            long first = assertInstanceOf(Saved.As.class, engine.save(key, whole)).version();
            byte[] newer = {4};
            SessionChange change =
                    new SessionChange(
                            false,
                            600_000,
                            null,
                            Map.of("one", newer),
                            Set.of("two"),
                            new ChangeFence("right", 1, new ChangeOrigin(first, 0), Map.of()));
            assertEquals(new Saved.As(first + 1), engine.save(key, change));
            SessionChange late =
                    new SessionChange(
                            false,
                            600_000,
                            null,
                            Map.of("one", HEAD, "two", HEAD, "three", HEAD),
                            Set.of(),
                            new ChangeFence("left", 2, new ChangeOrigin(first, 0), Map.of()));
            assertEquals(new Saved.As(first + 2, both.keySet()), engine.save(key, late));
            var found = assertInstanceOf(Lookup.Found.class, engine.use(key, 0)).session();
            assertEquals(Set.of("one", "three"), found.attributes().keySet());
            assertArrayEquals(newer, found.attributes().get("one"));
            assertEquals("right", found.marks().get("two").writer());
        }
    }

    private static void run(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// One that only reads takes no write: it is away, and not full.
    private static void states(DataSource database, String readOnly, String whole)
            throws Exception {
        run(database, readOnly);
        away(database);
        run(database, "BEGIN READ WRITE; " + whole + "; COMMIT");
        there(database);
    }

    private static void away(DataSource database) {
        try (SessionEngine engine = engine(database)) {
            IOException refused = assertThrows(IOException.class, engine::check);
            assertFalse(refused instanceof EngineFullException, refused::toString);
        }
    }

    private static void there(DataSource database) throws IOException {
        try (SessionEngine engine = engine(database)) {
            engine.check();
        }
    }

    /// A session is read, also one whose use was to be counted.
    ///
    /// @param sql what has the database say that it is full, and the last what ends that
    private static void full(DataSource database, String... sql) throws Exception {
        run(database, "UPDATE margay_session SET accessed = accessed - 60000");
        for (int i = 0; i < sql.length - 1; i++) {
            run(database, sql[i]);
        }
        try (SessionEngine engine = engine(database)) {
            SessionKey key = new SessionKey("localhost/late", "A".repeat(32));
            assertThrows(EngineFullException.class, engine::check);
            assertInstanceOf(Lookup.Found.class, engine.use(key, 0), "it is read still");
        }
        run(database, sql[sql.length - 1]);
        there(database);
    }

    /// A value that is too large for it keeps it from nothing else.
    private static void refusesOne(DataSource database) throws IOException {
        try (SessionEngine engine = engine(database)) {
            Map<String, byte[]> large = Map.of("large", new byte[2 << 20]);
            SessionKey key = new SessionKey("localhost/large", "B".repeat(32));
            SessionChange change = new SessionChange(true, 600_000, HEAD, large, Set.of());
            IOException refused = assertThrows(IOException.class, () -> engine.save(key, change));
            assertFalse(refused instanceof EngineFullException, refused::toString);
            engine.check();
            SessionChange small = new SessionChange(true, 600_000, HEAD, Map.of(), Set.of());
            assertInstanceOf(Saved.As.class, engine.save(key, small));
        }
    }

    /// Sessions are written until there is no room; then they are read still, and written again
    /// when there is room.
    ///
    /// @param ends whether a database without room ends itself, so that it is away
    /// @param again starts it again then
    private static void fullDisk(DataSource database, SmallDisk disk, boolean ends, Step again)
            throws IOException, InterruptedException {
        try (SessionEngine engine = engine(database)) {
            SessionKey key = new SessionKey("localhost/full", "F".repeat(32));
            SessionChange small = new SessionChange(true, 600_000, HEAD, Map.of(), Set.of());
            assertInstanceOf(Saved.As.class, engine.save(key, small));
            disk.fill();
            IOException refused = null;
            for (int i = 0; i < 1_000 && refused == null; i++) {
                byte[] value = new byte[30_000];
                new Random(i).nextBytes(value);
                SessionChange large =
                        new SessionChange(true, 600_000, HEAD, Map.of("large", value), Set.of());
                try {
                    engine.save(new SessionKey("localhost/full", "%032X".formatted(i)), large);
                } catch (IOException e) {
                    refused = e;
                }
            }
            assertNotNull(refused);
            if (!ends) {
                assertInstanceOf(EngineFullException.class, refused, refused::toString);
                assertInstanceOf(Lookup.Found.class, engine.use(key, 0), "it is read still");
            }
            disk.free();
            again.run();
            Eventually.holds(
                    "there is room",
                    () -> {
                        try {
                            return engine.use(key, 0) instanceof Lookup.Found
                                    && engine.save(key, small) instanceof Saved.As;
                        } catch (IOException e) {
                            return false;
                        }
                    });
        }
    }

    @Test
    void postgreSql_whoseDiskIsFull_isFull() throws Exception {
        try (PostgreSql database = PostgreSql.start();
                SmallDisk disk = SmallDisk.mount(database.folder().resolve("small"), "4m")) {
            Path place = disk.folder();
            PostgreSql.own(place);
            PGSimpleDataSource direct = new PGSimpleDataSource();
            direct.setUrl(
                    database.url()
                            + "?user="
                            + PostgreSql.USER
                            + "&password="
                            + PostgreSql.PASSWORD);
            run(direct, "CREATE TABLESPACE small LOCATION '" + place + "'");
            run(direct, "ALTER ROLE shop SET default_tablespace = small");
            fullDisk(direct, disk, false, () -> {});
        }
    }

    /// InnoDB ends the server when it cannot even undo what there was no room for.
    @Test
    void mariaDb_whoseDiskIsFull_isAwayUntilItIsStartedWithRoom() throws Exception {
        try (MariaDb database = MariaDb.start();
                SmallDisk disk = SmallDisk.mount(database.tables(), "4m")) {
            Step again =
                    () -> {
                        database.stop();
                        database.run();
                    };
            fullDisk(new MariaDbDataSource(database.url()), disk, true, again);
        }
    }

    // Two servers

    private MargayServer server(
            String name, Running database, UnaryOperator<Margay.Builder> more, @Nullable String url)
            throws IOException {
        SessionSettings.Shared shared =
                new SessionSettings.Shared(
                        "jdbc",
                        url,
                        url == null ? "jdbc/sessions" : null,
                        "what the servers share and nobody else knows",
                        SessionWrite.BEFORE,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        8,
                        false);
        return more.apply(
                        Margay.builder()
                                .http(0)
                                .work(folder.resolve(name))
                                .libraries(driver(database.driver())))
                .sessions(SessionSettings.defaults().withShared(shared))
                .webapps(folder.resolve("webapps"))
                .start();
    }

    private Path driver(Class<?> driver) throws IOException {
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        Path jar = libraries.resolve("driver.jar");
        if (!Files.exists(jar)) {
            Files.copy(
                    Path.of(driver.getProtectionDomain().getCodeSource().getLocation().getPath()),
                    jar);
        }
        return libraries;
    }

    private void share(Running database, UnaryOperator<Margay.Builder> more, @Nullable String url)
            throws Exception {
        Wars.with("in.txt", "who?")
                .servlet(CountServlet.class, "/count")
                .servlet(SessionServlet.class, "/session")
                .war(folder.resolve("webapps/shop.war"));
        try (MargayServer left = server("left", database, more, url);
                MargayServer right = server("right", database, more, url)) {
            Http toLeft = new Http(left.ports().getFirst());
            Http toRight = new Http(right.ports().getFirst());
            HttpResponse<String> first = toLeft.response("/shop/count");
            String cookie = first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            for (int i = 1; i <= 20; i++) {
                Http next = i % 2 == 0 ? toLeft : toRight;
                assertEquals("count " + (i + 1), next.withCookie("/shop/count", cookie).body());
                assertEquals("grown to " + i, next.withCookie("/shop/session?grow", cookie).body());
            }
            database.stop().run();
            for (int i = 22; i <= 30; i++) {
                assertEquals("count " + i, toLeft.withCookie("/shop/count", cookie).body());
            }
            assertTrue(left.site().sessionEngines().getFirst().failures() > 0);
            Eventually.holds(
                    "away",
                    PATIENCE,
                    () -> {
                        var reading = left.site().sessionEngines().getFirst();
                        return reading.state() == EngineReading.State.AWAY;
                    });
            database.run().run();
            Eventually.holds(
                    "written",
                    PATIENCE,
                    () -> {
                        var reading = left.site().sessionEngines().getFirst();
                        return reading.reachable() && reading.pending() == 0;
                    });
            Eventually.holds(
                    "back",
                    PATIENCE,
                    () -> {
                        return right.site().sessionEngines().getFirst().reachable();
                    });
            assertEquals("count 31", toRight.withCookie("/shop/count", cookie).body());
        }
    }
}
