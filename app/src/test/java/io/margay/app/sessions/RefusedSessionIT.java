package io.margay.app.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.Margay;
import io.margay.app.MargayServer;
import io.margay.app.MariaDb;
import io.margay.app.PostgreSql;
import io.margay.app.Wars;
import io.margay.app.config.SessionSettings;
import io.margay.app.sample.CountServlet;
import io.margay.servlet.session.SessionWrite;
import io.margay.servlet.session.engine.EngineReading;
import io.margay.testkit.Eventually;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.RedisProcess;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A session that the store refuses, for it is too large or against a rule of the store, is that
/// session's affair alone: its request gets 503, it stays on its server, all others are shared, and
/// the store counts as there. Each store runs as it is installed: Redis, Valkey where there is one,
/// MariaDB and PostgreSQL.
final class RefusedSessionIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;

    /// Sets an attribute of so many KiB.
    public static final class GrowServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            byte[] value = new byte[Integer.parseInt(request.getParameter("kib")) << 10];
            new Random(1).nextBytes(value);
            request.getSession().setAttribute("value", value);
            response.getWriter().print("grown");
        }
    }

    static List<String> engines() {
        return RedisProcess.programs();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void valueOverTheEnginesLimit_isThatSessionsAlone(String program) throws Exception {
        try (RedisProcess engine = RedisProcess.startOf(program, "--proto-max-bulk-len", "1mb")) {
            refusesOne(redis(engine), null);
        }
    }

    @Test
    void packetOverTheLimitOfMariaDb_isThatSessionsAlone() throws Exception {
        try (MariaDb database = MariaDb.start()) {
            database.asRoot("SET GLOBAL max_allowed_packet = 1048576");
            refusesOne(jdbc(database.url()), org.mariadb.jdbc.Driver.class);
        }
    }

    @Test
    void ruleOfPostgreSql_isThatSessionsAlone() throws Exception {
        try (PostgreSql database = PostgreSql.start()) {
            String url =
                    database.url()
                            + "?user="
                            + PostgreSql.USER
                            + "&password="
                            + PostgreSql.PASSWORD;
            try (MargayServer first = server("first", jdbc(url), org.postgresql.Driver.class)) {
                assertTrue(reading(first).reachable()); // The tables are there now.
            }
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "ALTER TABLE margay_session_attribute"
                                + " ADD CONSTRAINT small CHECK (octet_length(content) < 1048576)");
            }
            refusesOne(jdbc(url), org.postgresql.Driver.class);
        }
    }

    private static SessionSettings.Shared redis(RedisProcess engine) {
        return shared("valkey", "redis://127.0.0.1:" + engine.port());
    }

    private static SessionSettings.Shared jdbc(String url) {
        return shared("jdbc", url);
    }

    private static SessionSettings.Shared shared(String store, String url) {
        return new SessionSettings.Shared(
                store,
                url,
                null,
                "what the servers share and nobody else knows",
                SessionWrite.BEFORE,
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                8,
                false);
    }

    private MargayServer server(
            String name, SessionSettings.Shared shared, @Nullable Class<?> driver)
            throws IOException {
        Margay.Builder builder = Margay.builder().http(0).work(folder.resolve(name));
        if (driver != null) {
            builder = builder.libraries(driver(driver));
        }
        if (!Files.exists(folder.resolve("webapps/shop.war"))) {
            Wars.with("in.txt", "who?")
                    .servlet(CountServlet.class, "/count")
                    .servlet(GrowServlet.class, "/grow")
                    .war(folder.resolve("webapps/shop.war"));
        }
        return builder.sessions(SessionSettings.defaults().withShared(shared))
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

    private static EngineReading reading(MargayServer server) {
        return server.site().sessionEngines().getFirst();
    }

    private static String cookie(HttpResponse<String> first) {
        return first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    private void refusesOne(SessionSettings.Shared shared, @Nullable Class<?> driver)
            throws Exception {
        try (LoggedLines log = LoggedLines.of("io.margay.servlet.session");
                MargayServer left = server("left", shared, driver);
                MargayServer right = server("right", shared, driver)) {
            Http toLeft = new Http(left.ports().getFirst());
            Http toRight = new Http(right.ports().getFirst());
            String large = cookie(toLeft.response("/shop/count"));
            List<String> others = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                others.add(cookie(toLeft.response("/shop/count")));
            }
            String grow = "/shop/grow?kib=2048";
            HttpResponse<String> refused = toLeft.withCookie(grow, large);
            assertEquals(503, refused.statusCode(), refused.body());
            assertTrue(refused.headers().firstValue("Retry-After").isPresent());
            int count = 1;
            int tries = 0;
            // Until the server has given that session up, with requests of others meanwhile.
            while (toLeft.withCookie(grow, large).statusCode() == 503) {
                assertTrue(++tries < 20, "it is never given up");
                count = counted(toLeft, toRight, others, count);
            }
            count = counted(toLeft, toRight, others, count);
            assertEquals("count 2", toLeft.withCookie("/shop/count", large).body());
            for (MargayServer one : List.of(left, right)) {
                EngineReading reading = reading(one);
                assertEquals(EngineReading.State.THERE, reading.state(), reading.failure());
                assertEquals(0, reading.aways(), reading.failure());
            }
            Eventually.holds("nothing waits", PATIENCE, () -> reading(left).pending() == 0);
            assertEquals(1, log.count("the store refuses a session"), log::toString);

            // Small again it is shared again.
            assertEquals(200, toLeft.withCookie("/shop/grow?kib=1", large).statusCode());
            assertEquals("count 3", toRight.withCookie("/shop/count", large).body());
        }
    }

    /// One request of each other session, to each server in turn.
    private static int counted(Http left, Http right, List<String> others, int count)
            throws Exception {
        int next = count + 1;
        for (String one : others) {
            HttpResponse<String> answer =
                    (next % 2 == 0 ? left : right).withCookie("/shop/count", one);
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals("count " + next, answer.body());
        }
        return next;
    }
}
