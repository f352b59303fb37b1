package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.deploy.AppName;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.sample.OrdersServlet;
import io.margay.testkit.Eventually;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A data source of `META-INF/context.xml` with a real PostgreSQL behind it, and PostgreSQL's
/// driver in the application.
final class PostgreSqlIT {
    private static final AppName SHOP = new AppName(List.of(), "/shop", "");
    private static final int CONNECTIONS_MAX = 3;

    @TempDir Path folder;

    private Wars shop(PostgreSql database) throws Exception {
        return Wars.with(
                        "META-INF/context.xml",
                        """
                        <Context>
                          <Resource name="jdbc/shop" type="javax.sql.DataSource" url="%s"
                                    username="%s" password="%s" maxTotal="%d"
                                    maxWaitMillis="10000"/>
                        </Context>
                        """
                                .formatted(
                                        database.url(),
                                        PostgreSql.USER,
                                        PostgreSql.PASSWORD,
                                        CONNECTIONS_MAX))
                .servlet(OrdersServlet.class, "/orders")
                .library(org.postgresql.Driver.class);
    }

    /// Connections of applications, as the database sees them.
    private static int connections(PostgreSql database) {
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), PostgreSql.USER, PostgreSql.PASSWORD);
                Statement statement = connection.createStatement();
                ResultSet count =
                        statement.executeQuery(
                                "select count(*) from pg_stat_activity"
                                        + " where backend_type = 'client backend'"
                                        + " and pid <> pg_backend_pid()")) {
            count.next();
            return count.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void dataSource_ofARealDatabase_outlivesItsRestartAndEndsWithTheApplication() throws Exception {
        try (PostgreSql database = PostgreSql.start()) {
            Path war = shop(database).war(folder.resolve("webapps/shop.war"));
            try (MargayServer server =
                    Margay.builder()
                            .http(0)
                            .webapps(war.getParent())
                            .work(folder.resolve("work"))
                            .drain(Duration.ofSeconds(10))
                            .start()) {
                Http http = new Http(server.ports().getFirst());
                assertEquals("1", http.get("/shop/orders?what=d'oh"));
                assertEquals("1", http.get("/shop/orders?what=nothing&undo"));
                assertEquals("2", http.get("/shop/orders?what=more"));
                together(http, 12);
                assertEquals("15", http.get("/shop/orders?what=last"));
                assertEquals(true, connections(database) <= CONNECTIONS_MAX);

                database.stop();
                database.run();
                // HikariCP does not test connections that were used in the last half second
                Eventually.holds(
                        "it is used again",
                        Duration.ofSeconds(10),
                        () -> "16".equals(http.later("/shop/orders?what=again").join().body()));

                shop(database).and("more.txt", "").war(war);
                assertEquals(List.of(), server.change(Set.of(SHOP), ChangeCause.PROGRAM));
                assertEquals("17", http.get("/shop/orders?what=redeployed"));
                Eventually.holds(
                        "the driver of the former life is gone",
                        Duration.ofSeconds(20),
                        () -> server.findLeaks().isEmpty());
            }
            Eventually.holds(
                    "no connection is left",
                    Duration.ofSeconds(10),
                    () -> connections(database) == 0);
        }
    }

    /// More at once than there are connections.
    private static void together(Http http, int requests) {
        IntStream.range(0, requests)
                .mapToObj(number -> http.later("/shop/orders?what=" + number))
                .toList()
                .forEach(answer -> assertEquals(200, answer.join().statusCode()));
    }
}
