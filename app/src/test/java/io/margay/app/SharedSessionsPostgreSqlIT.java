package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.SessionSettings;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.SessionServlet;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.PoolLimits;
import io.margay.servlet.session.SessionWrite;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two servers that share their sessions in a real PostgreSQL.
final class SharedSessionsPostgreSqlIT {
    @TempDir Path folder;

    private MargayServer server(String name, PostgreSql database) throws IOException {
        SessionSettings.Shared shared =
                new SessionSettings.Shared(
                        "jdbc",
                        null,
                        "jdbc/sessions",
                        "what the servers share and nobody else knows",
                        SessionWrite.BEFORE,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        8);
        return Margay.builder()
                .http(0)
                .work(folder.resolve(name))
                .libraries(driver())
                .dataSource(
                        "jdbc/sessions",
                        new DataSourceSettings(
                                database.url(),
                                null,
                                PostgreSql.USER,
                                PostgreSql.PASSWORD,
                                Map.of(),
                                DataSourceSettings.Session.asDriver(),
                                PoolLimits.defaults()))
                .sessions(SessionSettings.defaults().withShared(shared))
                .webapps(folder.resolve("webapps"))
                .start();
    }

    private Path driver() throws IOException {
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        Path jar = libraries.resolve("postgresql.jar");
        if (!Files.exists(jar)) {
            Files.copy(
                    Path.of(
                            org.postgresql.Driver.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .getPath()),
                    jar);
        }
        return libraries;
    }

    @Test
    void requests_inTurn_seeEachOthersChanges_andGoOnWithoutTheDatabase() throws Exception {
        Wars.with("in.txt", "who?")
                .servlet(CountServlet.class, "/count")
                .servlet(SessionServlet.class, "/session")
                .war(folder.resolve("webapps/shop.war"));
        try (PostgreSql database = PostgreSql.start();
                MargayServer left = server("left", database);
                MargayServer right = server("right", database)) {
            Http toLeft = new Http(left.ports().getFirst());
            Http toRight = new Http(right.ports().getFirst());
            HttpResponse<String> first = toLeft.response("/shop/count");
            String cookie = first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            for (int i = 1; i <= 20; i++) {
                Http next = i % 2 == 0 ? toLeft : toRight;
                assertEquals("count " + (i + 1), next.withCookie("/shop/count", cookie).body());
                assertEquals("grown to " + i, next.withCookie("/shop/session?grow", cookie).body());
            }
            database.stop();
            for (int i = 22; i <= 30; i++) {
                assertEquals("count " + i, toLeft.withCookie("/shop/count", cookie).body());
            }
            assertTrue(left.site().sessionEngines().getFirst().failures() > 0);
            database.run();
            Eventually.holds(
                    "written",
                    Duration.ofSeconds(60),
                    () -> {
                        var reading = left.site().sessionEngines().getFirst();
                        return reading.reachable() && reading.pending() == 0;
                    });
            Eventually.holds(
                    "back",
                    Duration.ofSeconds(60),
                    () -> {
                        return right.site().sessionEngines().getFirst().reachable();
                    });
            assertEquals("count 31", toRight.withCookie("/shop/count", cookie).body());
        }
    }
}
