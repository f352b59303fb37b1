package io.margay.app.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.ConfigException;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Hosts whose users are in tables: `login: {database: …}`.
final class DatabaseLoginTest {
    private static final String URL = "jdbc:h2:mem:logins;DB_CLOSE_DELAY=-1";

    @TempDir Path folder;

    private static void tables() throws Exception {
        try (Connection database = DriverManager.getConnection(URL);
                Statement statement = database.createStatement()) {
            statement.execute("drop all objects");
            statement.execute("create table u (n varchar(9), p varchar(9), r varchar(9))");
            statement.execute("insert into u values ('bob', 'hidden', 'staff')");
            statement.execute("insert into u values ('eve', 'secret', 'guests')");
        }
    }

    private MargayServer server(String resource) throws Exception {
        Files.createDirectories(folder.resolve("www/staff"));
        Files.writeString(folder.resolve("www/a.txt"), "a file");
        Files.writeString(folder.resolve("www/staff/a.txt"), "a file");
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - access:
                              login:
                                name: Shop
                                database:
                                  resource: %s
                                  password-query: select p from u where n = ?
                                  role-query: select r from u where n = ?
                              sections:
                                - {path: /staff, require: [{group: [staff]}]}
                            routes: {/: {files: www}}
                        deploy: {lock-out: {failures-max: 2}}
                        resources: {jdbc/users: {url: "%s"}}
                        work: work
                        """
                                .formatted(resource, URL));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static int status(MargayServer server, String path, String credentials)
            throws IOException {
        byte[] octets = credentials.getBytes(StandardCharsets.UTF_8);
        try (RawHttpClient client =
                RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n");
            String field = Base64.getEncoder().encodeToString(octets);
            client.send(credentials.isEmpty() ? "" : "Authorization: Basic " + field + "\r\n");
            return client.send("\r\n").response().status();
        }
    }

    @Test
    void users_ofTables_areLetIn_andNobodyElse() throws Exception {
        tables();
        try (MargayServer server = server("jdbc/users")) {
            assertEquals(401, status(server, "/a.txt", ""));
            assertEquals(200, status(server, "/a.txt", "bob:hidden"));
            assertEquals(200, status(server, "/staff/a.txt", "bob:hidden"));
            assertEquals(200, status(server, "/a.txt", "eve:secret"));
            assertEquals(401, status(server, "/staff/a.txt", "eve:secret"), "another role");
            assertEquals(401, status(server, "/a.txt", "x' or '1'='1:hidden"));
            assertEquals(401, status(server, "/a.txt", "bob:"));
        }
    }

    @Test
    void name_whosePasswordIsGuessed_isLockedOut() throws Exception {
        tables();
        try (MargayServer server = server("jdbc/users")) {
            assertEquals(401, status(server, "/a.txt", "bob:one"));
            assertEquals(401, status(server, "/a.txt", "bob:two"));
            assertEquals(401, status(server, "/a.txt", "bob:hidden"), "locked out");
            assertEquals(200, status(server, "/a.txt", "eve:secret"));
            server.reload(ConfigFile.read(folder.resolve("margay.yaml"), Map.of()).get());
            assertEquals(401, status(server, "/a.txt", "bob:hidden"), "still locked out");
            assertEquals(200, status(server, "/a.txt", "eve:secret"));
        }
    }

    /// As with mod_authn_dbd; it tells nothing of passwords, and is not counted as a wrong one.
    @Test
    void databaseThatDoesNotAnswer_letsNobodyIn_andLocksNobodyOut() throws Exception {
        tables();
        try (Connection database = DriverManager.getConnection(URL);
                Statement statement = database.createStatement()) {
            statement.execute("drop table u");
        }
        try (MargayServer server = server("jdbc/users");
                LoggedLines log = LoggedLines.of("io.margay")) {
            for (int i = 0; i < 3; i++) {
                assertEquals(500, status(server, "/a.txt", "bob:hidden"));
                assertEquals(500, status(server, "/a.txt", "bob:wrong"));
            }
            assertEquals(401, status(server, "/a.txt", ""));
            assertEquals(
                    1, log.count("WARNING the realm of jdbc/users cannot be asked"), log::toString);
            assertEquals(1, log.count("WARNING"), log::toString);
            tables();
            assertEquals(200, status(server, "/a.txt", "bob:hidden"));
            assertEquals(1, log.count("INFO the realm of jdbc/users answers again"), log::toString);
        }
    }

    @Test
    void dataSource_thatIsNotThere_stopsTheStart() {
        ConfigException e = assertThrows(ConfigException.class, () -> server("jdbc/other").close());
        assertTrue(
                e.problems().toString().contains("there is no data source jdbc/other"),
                e::getMessage);
    }
}
